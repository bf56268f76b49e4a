# frozen_string_literal: true

require "test_helper"

# The signatures of sig/verger.rbs are well formed, name every method, and are kept.
class SignatureTest < Minitest::Test
  SIGNATURES = File.join(ROOT, "sig")

  def setup
    require "rbs"
  rescue LoadError
    leave_out "there is no rbs"
  end

  def definitions
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname(SIGNATURES))
    environment = RBS::Environment.from_loader(loader).resolve_type_names
    RBS::DefinitionBuilder.new(env: environment)
  end

  def test_every_public_method_has_a_signature
    builder = definitions
    classes = [Verger, Robotstxt, *Verger.constants.map { |it| Verger.const_get(it) }.grep(Module)]
    classes.each do |it|
      name = RBS::TypeName.new(name: it.name.split("::").last.to_sym, namespace: namespace(it))
      own = it.public_instance_methods(false) - Struct.instance_methods
      held = own.reject { |method| method.end_with?("=") }
      assert_empty held - builder.build_instance(name).methods.keys, it.name
      singleton = it.singleton_methods(false) - %i[members [] new keyword_init? inspect]
      assert_empty singleton - builder.build_singleton(name).methods.keys, it.name
    end
  end

  def namespace(of)
    path = of.name.split("::")[0...-1].map(&:to_sym)
    RBS::Namespace.new(path: path, absolute: true)
  end

  def test_what_the_page_does_keeps_to_the_signatures
    script = "require 'readme'; require 'google_robotstxt_parser'; " \
             "Readme.new('#{ROOT}/README.md').run; print 'kept'"
    environment = { "RBS_TEST_TARGET" => "Verger,Verger::*,Robotstxt", "RBS_TEST_RAISE" => "true",
                    "RBS_TEST_OPT" => "-I #{SIGNATURES}", "RBS_TEST_LOGLEVEL" => "error",
                    "RUBYOPT" => nil }
    output, status = Open3.capture2e(environment, RbConfig.ruby, "-I#{ROOT}/lib", "-I#{ROOT}/test",
                                     "-rrbs/test/setup", "-e", script)
    assert status.success?, output
    assert output.end_with?("kept"), output
  end
end
