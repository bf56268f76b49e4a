# frozen_string_literal: true

require "test_helper"

# The contract of google_robotstxt_parser 0.0.6, and the additional promises of the replacement.
class DropInTest < Minitest::Test
  ALLOWS = "User-agent: *\nDisallow: "
  FORBIDS = "User-agent: *\nDisallow: /"
  URL = "https://www.bqst.fr"

  # Includes the module, as its old pages told people to.
  class Includer
    include Robotstxt
  end

  def test_the_two_cases_of_the_old_gem
    assert_same true, Robotstxt.allowed_by_robots(ALLOWS, "GoogleBot", URL)
    assert_same false, Robotstxt.allowed_by_robots(FORBIDS, "GoogleBot", URL)
  end

  def test_whoever_includes_the_module_has_the_method
    assert_same false, Includer.new.allowed_by_robots(FORBIDS, "GoogleBot", URL)
    assert_includes Robotstxt.public_instance_methods, :allowed_by_robots
  end

  def test_either_file_loads_it_alone
    question = "(#{FORBIDS.inspect}, 'GoogleBot', '#{URL}')"
    %w[robotstxt google_robotstxt_parser].each do |file|
      script = "require '#{file}'; print Robotstxt.allowed_by_robots#{question}"
      assert_equal "false", ruby(script), file
    end
    script = "require 'robotstxt'; include Robotstxt; print allowed_by_robots#{question}, " \
             "Robotstxt.allowed_by_robots#{question}"
    assert_equal "falsefalse", ruby(script)
  end

  def test_the_engine_alone_leaves_the_old_names_to_others
    assert_equal "false", ruby("require 'verger'; print Object.const_defined?(:Robotstxt)")
    script = "module Robotstxt; def self.mine = 1; end; require 'robotstxt'; print Robotstxt.mine"
    assert_equal "1", ruby(script)
  end

  def test_the_constants_are_there
    assert_operator Gem::Version.new(GoogleRobotstxtParser::VERSION), :>, Gem::Version.new("0.0.6")
    assert_equal 1, GoogleRobotstxtParser::GOOGLE_ROBOTSTXT_MAJOR_VERSION
  end

  def test_what_is_no_string_is_a_type_error
    stringlike = Object.new
    def stringlike.to_str = "x"
    good = [FORBIDS, "GoogleBot", URL]
    3.times do |position|
      [nil, 1, :GoogleBot, ["GoogleBot"], stringlike, BasicObject.new].each do |bad|
        arguments = good.dup.tap { |list| list[position] = bad }
        assert_raises(TypeError) { Robotstxt.allowed_by_robots(*arguments) }
      end
    end
    error = assert_raises(TypeError) { Robotstxt.allowed_by_robots(1, "GoogleBot", URL) }
    assert_equal "wrong argument type Integer (expected String)", error.message
  end

  def test_another_number_of_arguments_is_an_argument_error
    [[], [FORBIDS], [FORBIDS, "a"], [FORBIDS, "a", URL, 4]].each do |arguments|
      assert_raises(ArgumentError) { Robotstxt.allowed_by_robots(*arguments) }
    end
    assert_equal 3, Robotstxt.method(:allowed_by_robots).arity
  end

  def test_arguments_stay_as_they_are
    body = +"User-agent: F\u00f6\nDisallow: /\xFF\0 # x\r\n"
    arguments = [body, (+"F\u00f6").encode("UTF-16LE"), (+"http://h/\xFF\0").b]
    before = arguments.map { |it| [it.bytes, it.encoding, it.frozen?] }
    Robotstxt.allowed_by_robots(*arguments)
    assert_equal before, arguments.map { |it| [it.bytes, it.encoding, it.frozen?] }
  end

  def test_frozen_and_binary_strings_and_subclasses_are_strings
    subclass = Class.new(String)
    [FORBIDS.b.freeze, subclass.new(FORBIDS), FORBIDS.dup.force_encoding("EUC-JP")].each do |body|
      assert_same false, Robotstxt.allowed_by_robots(body, "a".b.freeze, subclass.new(URL).freeze)
    end
  end

  def test_the_whole_of_a_string_counts_behind_a_nul_too
    body = "User-agent: Foo\0Bot\nDisallow: /a\nUser-agent: Other\nDisallow: /b\n"
    # A NUL ends a line, as in Google's library, and not the body.
    assert_same false, Robotstxt.allowed_by_robots(body, "Foo", "http://h/a")
    assert_same false, Robotstxt.allowed_by_robots(body, "Other", "http://h/b")
    # No line names a crawler that has a NUL in its name.
    assert_same true, Robotstxt.allowed_by_robots(body, "Foo\0Bot", "http://h/a")
    # A path ends before a NUL.
    exact = "User-agent: *\nDisallow: /a$"
    assert_same false, Robotstxt.allowed_by_robots(exact, "x", "http://h/a\0b")
  end

  def test_an_agent_is_compared_as_it_stands
    body = "User-agent: Googlebot/2.1\nDisallow: /a\nUser-agent: *\nDisallow: /b\n"
    assert_same false, Robotstxt.allowed_by_robots(body, "gOOGLEBOT", "http://h/a")
    assert_same true, Robotstxt.allowed_by_robots(body, "Googlebot/2.1", "http://h/a")
    assert_same false, Robotstxt.allowed_by_robots(body, "Googlebot/2.1", "http://h/b")
    assert_same false, Robotstxt.allowed_by_robots(body, "Caf\xE9", "http://h/b")
  end

  def test_any_text_is_a_url
    ["", "a", "//", "\xFF", "http:", "é"].each do |url|
      assert_same false, Robotstxt.allowed_by_robots(FORBIDS, "x", url), url.inspect
    end
  end
end
