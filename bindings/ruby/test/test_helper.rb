# frozen_string_literal: true

require "minitest/autorun"
require "google_robotstxt_parser"
require "json"
require "open3"
require "rbconfig"

# Helpers for several tests.
module TestHelper
  ROOT = File.expand_path("..", __dir__)

  # Prints that a test was skipped, because a dot is easily missed.
  def leave_out(why)
    warn "\n== NOT RUN: #{self.class}##{name} (#{why})"
    skip why
  end

  # Runs a script in a Ruby of its own.
  def ruby(script, *options)
    output, status = Open3.capture2e(RbConfig.ruby, "-w", "-I#{ROOT}/lib", *options, "-e", script)
    assert status.success?, output
    output
  end

  def bytes(base64) = base64.unpack1("m")
end

Minitest::Test.include(TestHelper)
