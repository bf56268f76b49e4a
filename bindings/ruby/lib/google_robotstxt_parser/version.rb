# frozen_string_literal: true

require_relative "../verger/version"

# The constants of the gem google_robotstxt_parser, in whose place Verger stands.
module GoogleRobotstxtParser
  # The version of the gem that stands in its place.
  VERSION = Verger::VERSION
  # The major version of Google's library whose answers are given.
  GOOGLE_ROBOTSTXT_MAJOR_VERSION = 1
end
