# frozen_string_literal: true

require_relative "../verger/version"

# The constants of the gem google_robotstxt_parser, which Verger replaces.
module GoogleRobotstxtParser
  # The version of Verger.
  VERSION = Verger::VERSION
  # The major version of Google's library that Verger reproduces.
  GOOGLE_ROBOTSTXT_MAJOR_VERSION = 1
end
