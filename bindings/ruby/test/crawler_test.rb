# frozen_string_literal: true

require "test_helper"

# The registry, and product tokens.
class CrawlerTest < Minitest::Test
  def test_a_crawler_is_found_by_registry_name_and_by_token_in_any_case
    news = Verger::Crawler["GoogleBot-News"]
    assert_equal "googlebot-news", news.name
    assert_equal %w[Googlebot-News Googlebot], news.tokens.map(&:to_s)
    assert_equal "Google", news.operator
    assert_includes news.purposes, :search
    assert_equal [:yes, true, false], [news.obeys, news.star?, news.control_only?]
    assert_equal news, Verger::Crawler.fetch("googlebot-news")
    assert_equal 1, [news, Verger::Crawler["googlebot-news"]].uniq.size
    assert_nil Verger::Crawler["no such crawler"]
    assert_nil Verger::Crawler["\xFF\0"]
  end

  def test_a_header_names_a_crawler
    header = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"
    assert_equal "gptbot", Verger::Crawler.from_user_agent(header).name
    assert_nil Verger::Crawler.from_user_agent("Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0")
    assert_nil Verger::Crawler.from_user_agent("\xFF" * 1000)
  end

  def test_the_registry_is_enumerated
    assert_operator Verger::Crawler.count, :>, 200
    training = Verger::Crawler.select { |it| it.purposes.include?(:ai_train) }
    assert_includes training.map(&:to_s), "gptbot"
    assert_equal Verger::Crawler.all.size, Verger::Crawler.each.size
    Verger::Crawler.each do |crawler|
      assert_equal crawler, Verger::Crawler[crawler.name]
      refute_empty crawler.tokens
      assert_includes %i[yes no unclear], crawler.obeys
      [crawler.docs, crawler.note].compact.each { |it| assert_predicate it, :frozen? }
    end
  end

  def test_a_crawler_that_ignores_star_gets_no_star_group
    ads = Verger::Crawler["adsbot-google"]
    refute_predicate ads, :star?
    assert Verger.allowed?("User-agent: *\nDisallow: /", ads, "/")
    refute Verger.allowed?("User-agent: AdsBot-Google\nDisallow: /", ads, "/")
  end

  def test_tokens_are_compared_without_regard_to_case
    token = Verger::ProductToken.new("FooBot")
    assert_equal token, Verger::ProductToken.new("foobot")
    assert_equal token.hash, Verger::ProductToken.new("FOOBOT").hash
    refute_equal token, Verger::ProductToken.new("FooBot2")
    refute_equal token, "FooBot"
    assert_equal [true, false], [token, Verger::ProductToken.new("MJ12bot")].map(&:identifier?)
    assert_equal ["FooBot", "#<Verger::ProductToken FooBot>"], [token.to_s, token.inspect]
  end
end
