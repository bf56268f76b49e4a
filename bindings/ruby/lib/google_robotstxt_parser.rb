# frozen_string_literal: true

require_relative "google_robotstxt_parser/version"
require_relative "robotstxt"
