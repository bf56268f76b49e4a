# frozen_string_literal: true

require "test_helper"

# Documented exceptions, and no others.
class ErrorTest < Minitest::Test
  def test_a_text_that_is_no_token_names_the_likely_one
    robots = Verger.parse("")
    [-> { robots.policy("Googlebot/2.1") }, -> { robots.crawl_delay(["a", "Googlebot/2.1"]) },
     -> { robots.allowed?("/", agent: "Googlebot/2.1") },
     -> { Verger.allowed?("", "Googlebot/2.1", "/") }, -> { Verger.verdict("", "Googlebot/2.1", "/") },
     -> { Verger::ProductToken.new("Googlebot/2.1") }].each do |call|
      error = assert_raises(Verger::ProductTokenError, &call)
      assert_equal "`Googlebot/2.1` is not a product token: use `Googlebot`", error.message
      assert_equal ["Googlebot/2.1", "Googlebot"], [error.text, error.likely]
    end
    assert_nil assert_raises(Verger::ProductTokenError) { Verger::ProductToken.new("") }.likely
    odd = "a\xFF/1"
    [-> { robots.policy(odd) }, -> { robots.policy(["a", odd, "\xFE/1"]) }, -> { Verger::ProductToken.new(odd) },
     -> { robots.explain("/", agent: odd) }, -> { Verger::Owner.who("", agents: [odd]) }].each do |call|
      assert_equal odd, assert_raises(Verger::ProductTokenError, &call).text
    end
  end

  def test_a_text_that_is_no_url_is_named
    policy = Verger.parse("").policy("*")
    url = "example.com/\xFF"
    [-> { policy.allowed?(url) }, -> { policy.verdict(url) }, -> { Verger.allowed?("", "a", url) },
     -> { Verger.parse("").allowed?(url, agent: "a") }, -> { Verger.verdict("", "a", url) },
     -> { Verger.parse("").verdict(url, agent: "a") }].each do |call|
      assert_equal url, assert_raises(Verger::TargetError, &call).url
    end
  end

  def test_a_mistyped_crawler_is_guessed
    error = assert_raises(Verger::UnknownCrawlerError) { Verger::Crawler.fetch("googelbot") }
    assert_equal "googelbot", error.name
    assert_includes error.suggestions, "googlebot"
    assert_includes error.message, "Did you mean googlebot"
    ["a".encode("UTF-16LE"), "\xFF", "\xFF".b, "a".dup.force_encoding("UTF-7")].each do |name|
      error = assert_raises(Verger::UnknownCrawlerError) { Verger::Crawler.fetch(name) }
      assert_equal name, error.name
      assert_predicate error.message, :valid_encoding?
    end
  end

  def test_other_kinds_of_arguments_are_type_errors
    robots = Verger.parse("")
    [-> { Verger.parse(nil) }, -> { Verger.parse("", dialect: "google") },
     -> { robots.policy(1) }, -> { robots.policy(["a", nil]) }, -> { robots.policy([["a"]]) },
     -> { robots.policy(:a) }, -> { robots.crawl_delay(nil) }, -> { robots.policy("a").allowed?(1) },
     -> { robots.policy("a").verdict(nil) }, -> { robots.allowed?(nil, agent: "a") },
     -> { Verger.allowed?("", BasicObject.new, "/") }, -> { Verger::Crawler[nil] },
     -> { Verger::Crawler.from_user_agent(1) }, -> { Verger::Crawler.fetch(1) },
     -> { Verger::ProductToken.new(nil) }, -> { Verger::Policy.new }, -> { Verger::RobotsTxt.new },
     -> { Verger::Crawler.allocate }, -> { Marshal.dump(robots) },
     -> { Verger::Policy.instance_method(:allowed?).bind_call(1, "/") }].each_with_index do |call, nth|
      assert_raises(TypeError, "call #{nth}", &call)
    end
  end

  def test_unknown_dialects_and_nobody_are_argument_errors
    [-> { Verger.parse("", dialect: :rfc) }, -> { Verger.allowed?("", "a", "/", dialect: :"\u{1f}") },
     -> { Verger.parse("", dialect: "\xE4".b.to_sym) },
     -> { Verger.parse("").policy([]) }, -> { Verger.parse("").allowed?("/") },
     -> { Verger.parse }].each { |call| assert_raises(ArgumentError, &call) }
  end

  def test_what_an_owner_cannot_ask_is_an_exception
    owner = Verger::Owner
    assert_equal "a", assert_raises(Verger::ProductTokenError) { owner.who("", agents: ["a/1"]) }.likely
    assert_raises(Verger::TargetError) { Verger.parse("").explain("x", agent: "a") }
    assert_equal "x", assert_raises(Verger::TargetError) { owner.page("", "x") }.url
    misspelt = assert_raises(ArgumentError) { owner.who("", agents: ["@ai-trian"]) }.message
    assert_match(/`@ai-trian` is neither .* did you mean `@ai-train`\?/, misspelt)
    [-> { owner.diff("", "", agents: ["@nothing"]) }, -> { owner.parse("", agent: "@openai") },
     -> { owner.who("", site: "mailto:x") }, -> { owner.who("", dialect: :rfc) },
     -> { owner.lint("", settings: "lint = 1") }, -> { owner.lint("", site: "x:") },
     -> { owner.who("", max_states: -1) }, -> { owner.diff("", "", max_states: 2**64) },
     -> { owner.history("", "https://e/", since: -1) }, -> { owner.history("", "https://e/", before: 2**70) },
     -> { owner.page("", "/", head: "<p>") }, -> { owner.page("", "/", at: -1) },
     -> { owner.history("x", "https://e/") }, -> { owner.history("", "mailto:x") },
     -> { Verger.parse("").explain("/", agent: []) }].each { |call| assert_raises(ArgumentError, &call) }
    [-> { owner.who(nil) }, -> { owner.who("", agents: "a") }, -> { owner.who("", agents: [nil]) },
     -> { owner.who("", max_states: nil) }, -> { owner.diff("", 1) }, -> { owner.lint("", name: nil) },
     -> { owner.lint("", settings: nil) }, -> { owner.history("", nil) },
     -> { owner.history(nil, "https://e/") }, -> { Verger.parse("").explain("/", agent: 1) }]
      .each { |call| assert_raises(TypeError, &call) }
  end

  def test_all_errors_of_the_gem_are_one_tree
    errors = Verger.constants.map { |it| Verger.const_get(it) }
                   .select { |it| it.is_a?(Class) && it < Exception }
    assert_equal 5, errors.size
    assert(errors.all? { |it| it <= Verger::Error && it <= StandardError })
    errors.each { |it| assert_kind_of it, it.new }
  end

  def test_a_panic_becomes_an_exception_and_the_process_goes_on
    output = ruby(<<~'RUBY')
      require "verger"
      native = Verger.const_get(:Native)
      3.times do
        native.panic_now("oh")
      rescue Verger::InternalError => error
        puts "rescued #{error.message}"
      end
      puts Verger.allowed?("User-agent: *\nDisallow: /", "a", "/")
    RUBY
    assert_equal 3, output.lines.count("rescued oh\n")
    assert_equal "false\n", output.lines.last
  end

  def test_a_panic_that_nobody_guards_ends_ruby_in_order_and_crosses_no_border
    script = <<~RUBY
      require "verger"
      at_exit { puts "in order" }
      Verger.const_get(:Native).panic_unguarded("oh")
      puts "never"
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-I#{ROOT}/lib", "-e", script)
    assert_equal 1, status.exitstatus, output
    assert_includes output, "in order"
    refute_includes output, "never\n"
  end
end
