# frozen_string_literal: true

require "test_helper"

# Reading a body once, and asking it.
class RobotsTxtTest < Minitest::Test
  BODY = <<~ROBOTS
    Disallow: /stray
    User-agent: Slow
    User-agent: Foo-Bot # and friends
    Crawl-delay: 1.5
    Disallow: /private/
    Allow: /private/press
    Disallow:

    User-agent: *
    Disallow: /ツ
    Sitemap: https://h.example/sitemap.xml
    Sitemap: https://h.example/sitemap.xml
    Sitemap: relative
  ROBOTS

  def setup
    @robots = Verger.parse(BODY)
  end

  def test_a_question_is_answered_with_its_reason
    verdict = @robots.verdict("https://h.example/private/x", agent: "foo-bot")
    refute_predicate verdict, :allowed?
    assert_predicate verdict, :disallowed?
    assert_equal [:disallow, :rule, 5], [verdict.effect, verdict.reason, verdict.line]
    assert_equal Verger::Rule.new(:disallow, "/private/", 5), verdict.rule
    assert_equal Verger::AppliedGroup.new(2, :token), verdict.group
    assert_equal "disallowed, line 5: Disallow: /private/ (group at line 2, by name)", verdict.to_s
  end

  def test_every_reason_has_its_words
    told = lambda do |body, url|
      verdict = Verger.parse(body).verdict(url, agent: "Foo")
      [verdict.reason, verdict.line, verdict.group&.line, verdict.to_s]
    end
    star = "User-agent: *\nDisallow: /a"
    assert_equal [:no_rule, nil, 1, "allowed, no rule matches (group at line 1, *)"],
                 told.(star, "/b")
    assert_equal [:no_group, nil, nil, "allowed, no group applies to the crawler"], told.("", "/b")
    assert_equal [:robots_txt, nil, 1, "allowed, robots.txt itself is always allowed (group at line 1, *)"],
                 told.(star, "/robots.txt")
  end

  def test_a_verdict_is_matched_by_patterns
    case @robots.verdict("/private/press", agent: "Foo-Bot")
    in { effect: :allow, reason: :rule, line:, rule: { pattern: }, group: { named_by: :token } }
      assert_equal [6, "/private/press"], [line, pattern]
    end
    case @robots.verdict("/private/press", agent: "Other")
    in { rule: nil, group: { line: } } then assert_equal 9, line
    end
  end

  def test_what_marshal_loads_is_equal_and_frozen_with_all_that_it_holds
    values = [@robots.verdict("/private/x", agent: "foo-bot"), @robots.verdict("/", agent: "foo-bot"),
              Verger.parse("").verdict("/", agent: "a"), @robots.policy("foo-bot").rules.first, *@robots.groups]
    values.each do |value|
      loaded = Marshal.load(Marshal.dump(value))
      assert_equal [value, value.class], [loaded, loaded.class]
      assert Ractor.shareable?(loaded), loaded.inspect
    end
  end

  def test_values_are_equal_by_what_they_say_and_never_change
    first, second = Array.new(2) { @robots.verdict("/private/x", agent: "Slow") }
    assert_equal first, second
    assert_equal first.hash, second.hash
    refute_equal first, @robots.verdict("/private/x", agent: "*")
    [first, first.rule, first.rule.pattern, first.group, @robots, @robots.policy("*"),
     *@robots.groups, *@robots.groups.flat_map(&:to_a)].each { |it| assert_predicate it, :frozen? }
    assert_raises(FrozenError) { first.effect = :allow }
  end

  def test_groups_and_rules_are_enumerated
    slow, star = @robots.groups
    assert_equal [2, ["Slow", "Foo-Bot"]], [slow.line, slow.user_agents]
    assert_equal ["Disallow: /private/", "Allow: /private/press", "Disallow:"], slow.rules.map(&:to_s)
    assert_equal "User-agent: *\nDisallow: /ツ", star.to_s
    assert_equal [5, 6, 7, 10], @robots.rules.map(&:line)
    assert_equal [true, false], [slow.rules[1].allow?, slow.rules[1].disallow?]
  end

  def test_a_policy_holds_the_rules_that_can_match
    policy = @robots.policy("Slow")
    assert_equal ["Allow: /private/press", "Disallow: /private/"], policy.rules.map(&:to_s)
    assert_same true, policy.allowed?("/private/press")
    assert_same false, policy.allowed?("/private/")
    assert_equal @robots.verdict("/private/", agent: "Slow"), policy.verdict("/private/")
    assert_equal :rfc9309, policy.dialect
  end

  def test_sitemaps_and_delays_are_values
    assert_equal ["https://h.example/sitemap.xml", "relative"], @robots.sitemaps
    assert_equal 1.5, @robots.crawl_delay("Slow")
    assert_nil @robots.crawl_delay("Other")
  end

  def test_agents_come_in_four_shapes
    body = "User-agent: Googlebot\nDisallow: /g\nUser-agent: Googlebot-News\nDisallow: /n\n"
    robots = Verger.parse(body)
    token = Verger::ProductToken.new("GOOGLEBOT")
    news = Verger::Crawler["googlebot-news"]
    { "Googlebot" => "/g", ["Nobody", "Googlebot"] => "/g", token => "/g", [token] => "/g",
      ["Googlebot-News", token] => "/n", news => "/n" }.each do |agent, url|
      refute robots.allowed?(url, agent: agent)
      refute robots.policy(agent).allowed?(url)
      refute Verger.allowed?(body, agent, url)
      refute Verger.allowed?(body, agent, url, dialect: :google)
    end
    assert robots.allowed?("/g", agent: news)
    assert robots.allowed?("/g", agent: "*")
  end

  def test_dialects_differ_as_they_should
    body = "User-agent: *\nDisallow: /a\nAllow: /a/b"
    answers = %i[rfc9309 google draft2019 koster1996].to_h do |dialect|
      assert_equal dialect, Verger.parse(body, dialect: dialect).dialect
      [dialect, Verger.allowed?(body, "x", "/a/b", dialect: dialect)]
    end
    assert_equal({ rfc9309: true, google: true, draft2019: true, koster1996: false }, answers)
  end

  def test_a_pattern_that_is_not_utf_8_keeps_its_bytes
    rule = Verger.parse("User-agent: *\nDisallow: /\xFF\xFEa".b).rules.first
    assert_equal "/\xFF\xFEa".b, rule.pattern.b
    assert_equal Encoding::UTF_8, rule.pattern.encoding
    refute_predicate rule.pattern, :valid_encoding?
  end

  def test_ruby_knows_how_much_an_object_holds
    require "objspace"
    small, large = [10, 10_000].map { |it| Verger.parse("User-agent: *\n#{"Disallow: /a*b\n" * it}") }
    assert_operator ObjectSpace.memsize_of(large), :>, 100 * ObjectSpace.memsize_of(small)
    before = ObjectSpace.memsize_of(large)
    refute_nil large.policy("*").verdict("/a/b").line
    refute_nil large.verdict("/a/b", agent: "*").line
    assert_equal before, ObjectSpace.memsize_of(large)
    # The tree is made, and counted, when a question needs it.
    2.times { assert_equal 10_000, large.rules.size }
    assert_operator ObjectSpace.memsize_of(large), :>, 2 * before
    [small, large].map! { |it| it.policy("*") }
  end

  def test_what_cannot_change_is_its_own_copy
    token = Verger::ProductToken.new("Foo")
    [@robots, @robots.policy("*"), token, Verger::Crawler["gptbot"]].each do |it|
      assert_same it, it.dup
      assert_same it, it.clone
      assert_raises(ArgumentError) { it.clone(freeze: false) }
    end
  end

  def test_files_are_equal_by_body_and_dialect
    again = Verger.parse(BODY)
    assert_equal @robots, again
    assert_equal 1, { @robots => 1 }[again]
    refute_equal @robots, Verger.parse(BODY, dialect: :google)
    refute_equal @robots, BODY
  end

  def test_each_crawler_is_judged_as_its_operator_reads
    dialects = ->(**how) { Verger::Owner.who("", agents: %w[googlebot gptbot], **how).map { _1["dialect"] } }
    assert_equal %w[google rfc9309], dialects.call
    assert_equal %w[rfc9309 rfc9309], dialects.call(dialect: :rfc9309)
    error = assert_raises(ArgumentError) { Verger::Owner.who("", max_states: -1) }
    assert_equal "expected an integer from 0 to 2^64 - 1", error.message
  end
end
