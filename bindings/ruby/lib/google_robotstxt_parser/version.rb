# frozen_string_literal: true

require_relative "../verger/version"

# The constants of the gem google_robotstxt_parser, which Verger replaces.
module GoogleRobotstxtParser
  # The version of the gem that replaces it.
  VERSION = Verger::VERSION
  # The major version of Google's library whose answers are given.
  GOOGLE_ROBOTSTXT_MAJOR_VERSION = 1
end
