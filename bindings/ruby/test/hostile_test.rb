# frozen_string_literal: true

require "test_helper"
require "set"

# Any input gives a documented answer or a documented exception. The seed is fixed.
class HostileTest < Minitest::Test
  ROUNDS = 20_000
  PIECES = ["User-agent: ", "user agent ", "Disallow: ", "Allow:", "Sitemap: ", "Crawl-delay: ", "*",
            "$", "/", "%2F", "%", "\n", "\r", "\r\n", "\0", "#", " ", "\t", ":", "FooBot", "a", "ツ",
            "\xFF", "\xEF\xBB\xBF", "?", "https://h.example", "index.html", "\xFE\xFF"].map(&:b).freeze
  DIALECTS = %i[rfc9309 google draft2019 koster1996].freeze

  def setup
    @random = Random.new(9309)
  end

  def string
    made = case @random.rand(4)
           when 0 then @random.bytes(@random.rand(60))
           when 1 then Array.new(@random.rand(8)) { [@random.rand(0x10FFFF)].pack("U") }.join
           else Array.new(@random.rand(12)) { PIECES.sample(random: @random) }.join
           end
    made = +made.dup.force_encoding(Encoding.list.sample(random: @random))
    @random.rand(2).zero? ? made.freeze : made
  end

  # A body of random lines, or an unusual body with many disallow lines.
  def body
    return string if @random.rand(3).zero?

    (+"User-agent: #{%w[* FooBot].sample(random: @random)}\nDisallow: /").b << string.b << "\n" << string.b
  end

  def bot = @random.rand(2).zero? ? string : %w[FooBot * Googlebot Foo-Bot a].sample(random: @random)

  def some_url = @random.rand(2).zero? ? string : "https://h.example/".b + string.b

  def somebody
    case @random.rand(8)
    when 0 then Array.new(@random.rand(4)) { bot }
    when 1 then Verger::Crawler.all.sample(random: @random)
    when 2 then [Verger::ProductToken.new("FooBot"), bot]
    when 3 then [nil, 7, :FooBot, [[]], Object.new, BasicObject, 1.5].sample(random: @random)
    else bot
    end
  end

  # The result of a call, or the documented exception that it raises.
  def outcome
    yield
  rescue Verger::InternalError
    raise
  rescue Verger::Error, TypeError, ArgumentError => e
    e.class
  end

  def test_googles_faces_agree_on_whatever_they_are_asked
    forbidden = 0
    ROUNDS.times do |round|
      body, bot, url = self.body, self.bot, some_url
      asked = [body, bot, url].map(&:dup)
      answer = Robotstxt.allowed_by_robots(body, bot, url)
      assert_includes [true, false], answer
      forbidden += 1 unless answer
      robots = Verger.parse(body, dialect: :google)
      same = [Verger.allowed?(body, bot, url, dialect: :google), robots.allowed?(url, agent: bot),
              robots.policy(bot).allowed?(url), robots.verdict(url, agent: bot).allowed?]
      assert_equal [answer] * 4, same, "round #{round}: #{asked.inspect}"
      [body, bot, url].zip(asked) { |now, then_| assert_equal then_, now }
    end
    assert_operator forbidden, :>, ROUNDS / 100
  end

  def test_every_face_answers_alike_or_raises_what_is_documented
    kinds = Hash.new(0)
    ROUNDS.times do |round|
      body, agent, url, dialect = self.body, somebody, some_url, DIALECTS.sample(random: @random)
      robots = Verger.parse(body, dialect: dialect)
      outcomes = [outcome { Verger.allowed?(body, agent, url, dialect: dialect) },
                  outcome { Verger.verdict(body, agent, url, dialect: dialect).allowed? },
                  outcome { robots.allowed?(url, agent: agent) },
                  outcome { robots.policy(agent).allowed?(url) },
                  outcome { robots.verdict(url, agent: agent).allowed? }]
      assert_equal 1, outcomes.uniq.size, "round #{round}: #{[body, agent, url, dialect, outcomes]}"
      kinds[outcomes.first] += 1
      look_around(robots, agent)
    end
    expected = [true, false, TypeError, ArgumentError, Verger::ProductTokenError, Verger::TargetError]
    assert_equal expected.to_set, kinds.keys.to_set
    assert_operator kinds[false], :>, ROUNDS / 100
  end

  def look_around(robots, agent)
    assert_equal robots.rules, robots.groups.flat_map(&:rules)
    robots.sitemaps.each { |it| assert_predicate it, :frozen? }
    delay = outcome { robots.crawl_delay(agent) }
    assert(delay.nil? || delay.is_a?(Float) || delay.is_a?(Class), delay.inspect)
    robots.groups.each { |it| assert_kind_of String, it.inspect }
  end

  def test_a_rule_that_is_not_utf_8_is_shown
    body = "User-agent: *\nDisallow: /caf\xE9\nAllow:\n"
    verdict = Verger.verdict(body, "x", "/caf\xE9")
    assert_equal "Disallow: /caf\xE9", verdict.rule.to_s
    assert_includes verdict.to_s.b, "/caf\xE9".b
    assert_equal body.chomp, Verger.parse(body).groups.first.to_s
  end

  def test_the_registry_answers_any_text
    ROUNDS.times do
      text = string
      [Verger::Crawler[text], Verger::Crawler.from_user_agent(text)].each do |it|
        assert(it.nil? || it.is_a?(Verger::Crawler))
      end
      token = outcome { Verger::ProductToken.new(text) }
      assert(token == Verger::ProductTokenError || token.to_s.b == text.b, text.inspect)
    end
  end

  def test_large_bodies_are_read_whole_in_google_and_cut_elsewhere
    body = "User-agent: *\n#{"Disallow: /#{"x" * 50}\n" * 20_000}Disallow: /last\n"
    assert_operator body.bytesize, :>, 1_000_000
    refute Verger.allowed?(body, "a", "/last", dialect: :google)
    assert Verger.allowed?(body, "a", "/last")
  end

  def test_an_array_of_very_many_names_is_asked_in_order
    names = Array.new(10_000) { |nth| "bot#{nth}" }
    body = "User-agent: bot9999\nDisallow: /\nUser-agent: *\nDisallow:"
    refute Verger.allowed?(body, names, "/")
    assert Verger.allowed?(body, names[0...-1], "/")
  end
end
