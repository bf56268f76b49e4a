# frozen_string_literal: true

require "test_helper"

# The cases of the repository's testdata/, which `cargo xtask cases` writes as JSON Lines: the gem is
# held to the same table as the engine.
class CorpusTest < Minitest::Test
  CASES = File.join(ROOT, "tmp", "cases.jsonl")
  DIALECTS = %i[rfc9309 google draft2019 koster1996].freeze

  def setup
    leave_out "#{CASES} is not there; `rake cases` writes it" unless File.exist?(CASES)
    @tables = File.foreach(CASES).map { |line| JSON.parse(line) }.group_by { |it| it["kind"] }
  end

  def test_every_case_is_answered_as_stated
    with_option, plain = @tables["case"].partition { |it| it["option"] }
    failures = plain.flat_map { |it| failures_of(it) }
    assert failures.empty?, failures.join("\n")
    asked = plain.sum { |it| it["asks"].sum { |ask| ask["verdicts"].size } }
    assert_operator asked, :>, 1000
    puts "\ncorpus: #{asked} answers in #{plain.size} cases; not asked: #{with_option.size} cases " \
         "with an option, of which the gem has none"
  end

  def failures_of(kase)
    body = bytes(kase["robots_base64"])
    kase["asks"].flat_map do |ask|
      ask["verdicts"].filter_map do |dialect, expected|
        got, group = answer(body, ask["agents"], bytes(ask["url_base64"]), dialect.to_sym)
        group_expected = ask["groups"].fetch(dialect, group)
        next if got == expected && group == group_expected

        "#{kase["id"]} in #{dialect}: #{ask["agents"]} #{bytes(ask["url_base64"]).inspect}: " \
          "expected #{expected}, #{group_expected}; got #{got}, #{group}"
      end
    end
  end

  # The verdict and the group, in the words of the case files. All methods of the gem give it.
  def answer(body, agents, url, dialect)
    robots = Verger.parse(body, dialect: dialect)
    policy = robots.policy(agents)
    verdict = policy.verdict(url)
    answers = [policy.allowed?(url), robots.allowed?(url, agent: agents),
               Verger.allowed?(body, agents, url, dialect: dialect)]
    if dialect == :google && agents.size == 1
      answers << Robotstxt.allowed_by_robots(body, agents.first, url)
    end
    verdicts = [verdict, robots.verdict(url, agent: agents), Verger.verdict(body, agents, url, dialect: dialect)]
    return ["verdicts that differ: #{verdicts}"] unless verdicts.uniq.one?
    return ["answers that differ: #{verdict} and #{answers}"] unless answers.uniq == [verdict.allowed?]

    [words(verdict), group_words(verdict.group)]
  rescue Verger::ProductTokenError, Verger::TargetError, ArgumentError
    ["error"]
  end

  def words(verdict) = "#{verdict.effect} #{verdict.line || verdict.reason.to_s.tr("_", "-")}"

  def group_words(group) = group && "#{group.line} #{group.named? ? "named" : "star"}"

  def test_every_url_has_a_target_or_has_none_as_stated
    @tables.fetch("target").each do |target|
      url = bytes(target["url_base64"])
      DIALECTS.each do |dialect|
        other = target["other"] unless target["cannot_be_asked"]
        expected = dialect == :google ? target["google"] : other
        robots = Verger.parse("", dialect: dialect)
        policy = robots.policy("x")
        asked = [-> { Verger.allowed?("", "x", url, dialect: dialect) },
                 -> { Verger.verdict("", "x", url, dialect: dialect).allowed? },
                 -> { robots.allowed?(url, agent: "x") }, -> { policy.allowed?(url) }]
        asked.each do |ask|
          if expected.nil?
            assert_raises(Verger::TargetError, target["id"], &ask)
          else
            assert ask.call, target["id"]
          end
        end
      end
    end
  end

  def test_every_token_is_accepted_or_refused_as_stated
    @tables.fetch("token").each do |token|
      text = token["text"]
      begin
        assert_equal token["identifier"], Verger::ProductToken.new(text).identifier?, token["id"]
      rescue Verger::ProductTokenError => e
        refute token["identifier"], token["id"]
        assert_equal token["likely"], e.likely, token["id"] if token["likely"]
      end
      accepted = begin
        !Verger.parse("").policy(text).nil?
      rescue Verger::ProductTokenError
        false
      end
      assert_equal token["accepted"], accepted, token["id"]
    end
  end

  def test_every_listing_is_enumerated_as_stated
    @tables.fetch("listing").each do |listing|
      listing["dialects"].each do |dialect|
        robots = Verger.parse(bytes(listing["robots_base64"]), dialect: dialect.to_sym)
        assert_groups(listing, robots) if listing["groups"]
        assert_equal listing["sitemaps"].uniq, robots.sitemaps, listing["id"] if listing["sitemaps"]
      end
    end
  end

  def assert_groups(listing, robots)
    groups = robots.groups.map do |group|
      rules = group.rules.map { |rule| "#{rule.effect} #{rule.pattern.scrub("\u{FFFD}")}".rstrip }
      { "agents" => group.user_agents.map { |it| it.scrub("\u{FFFD}") }, "rules" => rules }
    end
    assert_equal listing["groups"], groups, listing["id"]
  end

  def test_every_delay_and_sitemap_is_read_as_stated
    held = @tables.fetch("value").select { |it| %w[crawl-delay sitemap].include?(it["field"]) }
    refute_empty held
    held.each do |value|
      robots = Verger.parse(bytes(value["robots_base64"]))
      told = if value["field"] == "sitemap"
               robots.sitemaps
             else
               [robots.crawl_delay(value["agent"])].compact
             end
      expected = value["expect"]
      expected = expected.map { |it| Float(it) } if value["field"] == "crawl-delay"
      assert_equal expected, told, value["id"]
    end
  end

  def test_every_preference_about_a_use_of_content_is_stated
    @tables.fetch("preference").each do |kase|
      next if kase["agents"].size > 1 # Only one name is explained.

      kase["dialects"].each do |dialect|
        robots = Verger.parse(bytes(kase["robots_base64"]), dialect: dialect.to_sym)
        stated = robots.explain(kase["url"], agent: kase["agents"].first)["preferences"]
        expected = kase.slice("search", "ai_input", "ai_train", "values") unless kase["values"].empty?
        stated = stated&.merge("values" => stated["values"].map { |it| value_words(it) })
        assert expected == stated, "#{kase["id"]} in #{dialect}: #{stated}"
      end
    end
  end

  def value_words(value) = "#{value["line"]} #{value["kind"]} #{value["key"]}=#{value["value"]}"

  def test_every_question_of_an_owner_is_answered_as_stated
    @tables.fetch("answer").each do |kase|
      expected = kase["expect"].each_line.map { |line| JSON.parse(line) }
      assert_equal expected, answers(kase), kase["id"]
    end
  end

  def answers(kase)
    body, agents, dialect = bytes(kase["robots_base64"]), kase["agents"], kase["dialect"]&.to_sym
    limits = { agents: agents, dialect: dialect, max_states: kase["max_states"] }.compact
    case kase["question"]
    when "who" then Verger::Owner.who(body, **limits)
    when "diff" then Verger::Owner.diff(body, bytes(kase["new_base64"]), **limits)
    when "lint" then [Verger::Owner.lint(body, site: kase["site"], settings: kase["settings"])]
    when "parse" then [Verger::Owner.parse(body, agent: agents.first, dialect: dialect)]
    when "page"
      page = { head: kase["head"], html: kase["html"] }
      Verger::Owner.page(body, kase["url"], agents: agents, dialect: dialect, **page)
    when "explain" then [Verger.parse(body, dialect: dialect).explain(kase["url"], agent: agents.first)]
    when "history"
      Verger::Owner.history(kase["export"], kase["url"], since: kase["since"], before: kase["until"],
                                                         lines: kase["with_lines"],
                                                         facts: kase["with_facts"])
    end
  end
end
