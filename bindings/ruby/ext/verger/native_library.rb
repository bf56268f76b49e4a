# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

# The compiled part of the gem: built with cargo, and copied to where Ruby finds it.
module NativeLibrary
  # Its file name.
  NAME = "verger.#{RbConfig::CONFIG["DLEXT"]}"

  # Where the crate lies in a gem: among the sources of the engine, with the same relative paths as they
  # do in the repository.
  CRATE_IN_GEM = File.expand_path("../../source/bindings/ruby/ext/verger", __dir__)

  # Builds the library and copies it to `destination`.
  #
  # @param destination [String] a file
  # @param features [Array<String>] of the crate
  # @return [void]
  def self.build(destination, features: [])
    FileUtils.mkdir_p(File.dirname(destination))
    # A process that has the old file mapped keeps it.
    FileUtils.rm_f(destination)
    if File.exist?(File.join(__dir__, "Cargo.toml"))
      FileUtils.cp(cargo(__dir__, features, {}), destination)
    elsif ENV["CARGO_TARGET_DIR"]
      FileUtils.cp(cargo(CRATE_IN_GEM, features, {}), destination)
    else
      # What cargo leaves behind is a hundred times the library, and no part of an installed gem.
      Dir.mktmpdir do |folder|
        FileUtils.cp(cargo(CRATE_IN_GEM, features, { "CARGO_TARGET_DIR" => folder }), destination)
      end
    end
  end

  # Runs cargo for the Ruby that runs this, and asks it what it made.
  #
  # @return [String] the path of the library
  def self.cargo(crate, features, environment)
    # The tests of the repository share what its workspace has compiled.
    command = [ENV.fetch("CARGO", "cargo"), "build", "--profile", ENV.fetch("VERGER_PROFILE", "release"), "--locked",
               "--message-format=json-render-diagnostics", "--features", features.join(",")]
    environment = { "RUBY" => RbConfig.ruby }.merge(environment)
    messages, status = Open3.capture2(environment, *command, chdir: crate, binmode: true)
    abort "verger: cargo build failed" unless status.success?

    made = messages.each_line.map { |line| JSON.parse(line) }.reverse.find do |message|
      message["reason"] == "compiler-artifact" && message.dig("target", "name") == "verger_ruby"
    end
    made.fetch("filenames").find { |file| file.end_with?(".so", ".dylib", ".dll") }
  rescue Errno::ENOENT
    abort "verger: there is no cargo to compile this gem with (https://rustup.rs has it); " \
          "a gem that was built for this platform needs none"
  end
  private_class_method :cargo
end
