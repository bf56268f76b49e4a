# frozen_string_literal: true

require "test_helper"
require "fileutils"
require "rubygems/package"
require "tmpdir"

# Both gems are installed where nothing else is. `rake test` has built them.
class PackageTest < Minitest::Test
  PACKAGES = File.join(ROOT, "pkg")
  README = File.join(ROOT, "README.md")
  AS_CONFIGURED = { "CARGO_PROFILE_DEV_DEBUG" => "0", "CARGO_PROFILE_DEV_CODEGEN_UNITS" => "2",
                    "CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG" => "0" }.freeze
  INSTALL = 'require "rubygems/gem_runner"; Gem::GemRunner.new.run(ARGV)'

  def gem_file(platform)
    version = Verger::VERSION
    file = File.join(PACKAGES, ["verger", version, platform].compact.join("-").concat(".gem"))
    leave_out "#{file} is not there; `rake gem native` builds it" unless File.exist?(file)
    file
  end

  # Runs Ruby with this environment and no other.
  def bare_ruby(environment, *arguments)
    output, status = Open3.capture2e(environment, RbConfig.ruby, *arguments, unsetenv_others: true)
    assert status.success?, output
    output
  end

  def install(file, environment)
    bare_ruby(environment, "-e", INSTALL, "--", "install", "--local", "--no-document", file)
  end

  def assert_works(environment)
    question = ["User-agent: *\nDisallow: /", "GoogleBot", "https://www.bqst.fr"].map(&:inspect)
    script = "require 'google_robotstxt_parser'; " \
             "print Robotstxt.allowed_by_robots(#{question.join(", ")}), $LOADED_FEATURES.grep(/verger/)"
    output = bare_ruby(environment, "-w", "-e", script)
    assert output.start_with?("false"), output
    assert_includes output, environment["GEM_HOME"]
    refute_includes output, "#{ROOT}/lib"
    page = bare_ruby(environment, "-w", File.join(ROOT, "test", "readme.rb"), README)
    assert_match(/\A\d\d lines of the page are as they say\n\z/, page)
  end

  def test_the_gem_of_this_platform_installs_without_cargo_compiler_or_network
    file = gem_file(Gem::Platform.local.to_s)
    Dir.mktmpdir do |home|
      # Nothing is on this path, so neither cargo nor cc, cmake, make or git.
      empty = File.join(home, "bin").tap { |it| Dir.mkdir(it) }
      environment = { "GEM_HOME" => home, "GEM_PATH" => home, "HOME" => home, "PATH" => empty }
      %w[cargo cc cmake make git].each do |tool|
        refute system(environment, "#{tool} --version", unsetenv_others: true, %i[out err] => File::NULL)
      end
      install(file, environment)
      assert_works(environment)
      # The installed gem does not contain the test probes.
      script = "require 'verger'; print Verger.const_get(:Native).singleton_methods.sort.inspect"
      held = "[:add_allowed_by_robots, :allowed?, :decide, :diff_json, :history_json, :lint_json, :page_json, :parse_json, :who_json]"
      assert_equal held, bare_ruby(environment, "-e", script)
    end
  end

  def test_both_gems_have_the_licence_texts
    [nil, Gem::Platform.local.to_s].each do |platform|
      package = Gem::Package.new(gem_file(platform))
      Dir.mktmpdir do |folder|
        package.extract_files(folder, "LICENSE-*")
        %w[LICENSE-MIT LICENSE-APACHE].each do |name|
          assert_equal File.binread(File.join(ROOT, "../..", name)), File.binread(File.join(folder, name))
        end
      end
    end
  end

  def test_the_gem_of_sources_compiles_where_cargo_is
    leave_out "there is no make" unless which("make")
    file = gem_file(nil)
    Dir.mktmpdir do |home|
      kept = ENV.to_h.slice("PATH", "HOME", "CARGO", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
                            "LIBCLANG_PATH", "CARGO_TARGET_DIR", "VERGER_PROFILE")
      # The dependencies were compiled a moment ago, as the repository's configuration says.
      target = File.join(ROOT, "ext", "verger", "target")
      environment = { "CARGO_TARGET_DIR" => target }.merge(kept, AS_CONFIGURED, "GEM_HOME" => home, "GEM_PATH" => home)
      install(file, environment)
      assert_works(environment)
    end
  end

  def test_the_gem_of_sources_says_what_it_lacks_where_no_cargo_is
    leave_out "there is no make" unless which("make")
    Dir.mktmpdir do |home|
      file = gem_file(nil)
      shell = %w[make sh mkdir cp rm].filter_map { |it| which(it) }
      folder = File.join(home, "bin").tap { |it| Dir.mkdir(it) }
      shell.each { |it| File.symlink(it, File.join(folder, File.basename(it))) }
      environment = { "GEM_HOME" => home, "GEM_PATH" => home, "HOME" => home, "PATH" => folder }
      output, status = Open3.capture2e(environment, RbConfig.ruby, "-e", INSTALL, "--", "install",
                                       "--local", "--no-document", file, unsetenv_others: true)
      refute status.success?
      assert_includes output, "cannot compile this gem: cargo was not found"
    end
  end

  def which(tool)
    ENV["PATH"].split(File::PATH_SEPARATOR).map { |it| File.join(it, tool) }.find { |it| File.executable?(it) }
  end
end
