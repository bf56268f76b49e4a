# frozen_string_literal: true

require "fileutils"
require "json"
require "open3"
require "rbconfig"
require "tmpdir"

# Builds the compiled part of the gem with cargo, and copies it to where Ruby finds it.
module NativeLibrary
  # File name of the library.
  NAME = "verger.#{RbConfig::CONFIG["DLEXT"]}"

  # Path of the crate in a gem. The sources of the engine have the same relative paths as in the repository.
  CRATE_IN_GEM = File.expand_path("../../source/bindings/ruby/ext/verger", __dir__)

  # Builds the library and copies it to `destination`.
  #
  # @param destination [String] a file
  # @param features [Array<String>] of the crate
  # @return [void]
  def self.build(destination, features: [])
    FileUtils.mkdir_p(File.dirname(destination))
    # Remove the old file first, so a process that has it mapped keeps it.
    FileUtils.rm_f(destination)
    if File.exist?(File.join(__dir__, "Cargo.toml"))
      FileUtils.cp(cargo(__dir__, features, {}), destination)
    elsif ENV["CARGO_TARGET_DIR"]
      FileUtils.cp(cargo(CRATE_IN_GEM, features, {}), destination)
    else
      # The files that cargo leaves behind are a hundred times larger than the library, so build in a temporary folder.
      Dir.mktmpdir do |folder|
        FileUtils.cp(cargo(CRATE_IN_GEM, features, { "CARGO_TARGET_DIR" => folder }), destination)
      end
    end
  end

  # Runs cargo for the Ruby that runs this code, and returns the path of the library from its output.
  #
  # @return [String] the path of the library
  def self.cargo(crate, features, environment)
    # The tests share compiled dependencies with the workspace of the repository.
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
    abort "verger: cannot compile this gem: cargo was not found. Install it from https://rustup.rs, or use a gem " \
          "built for this platform"
  end
  private_class_method :cargo
end
