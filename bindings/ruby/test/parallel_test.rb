# frozen_string_literal: true

require "test_helper"

# Threads and Ractors share what was read, and ask side by side.
class ParallelTest < Minitest::Test
  BODY = "User-agent: *\n#{Array.new(100) { |nth| "Disallow: /private/#{nth}$\n" }.join}"

  def test_threads_share_a_file_and_a_policy
    robots = Verger.parse(BODY)
    policy = robots.policy("FooBot")
    threads = Array.new(8) do |thread|
      Thread.new do
        Array.new(2000) do |nth|
          url = "/private/#{(nth + thread) % 200}"
          expected = (nth + thread) % 200 >= 100
          [policy.allowed?(url), robots.allowed?(url, agent: "FooBot"),
           Robotstxt.allowed_by_robots(BODY, "FooBot", url)].uniq == [expected]
        end.all?
      end
    end
    assert_equal [true] * 8, threads.map(&:value)
  end

  def test_everything_that_is_answered_is_shareable
    robots = Verger.parse("User-agent: *\nDisallow: /\nSitemap: /s")
    verdict = robots.verdict("/", agent: "a")
    [robots, robots.policy("a"), verdict, verdict.rule, verdict.group, *robots.groups,
     Verger::Crawler["gptbot"], Verger::ProductToken.new("a"), *robots.sitemaps,
     Verger::Owner.who("", agents: ["a"]), robots.explain("/", agent: "a"),
     Verger::Crawler["gptbot"].tokens, Verger::Crawler["gptbot"].purposes].each do |it|
      assert Ractor.shareable?(it), it.inspect
    end
  end

  # Ractors get a process of their own: once there has been one, Ruby 3.1 hangs when it is to load an
  # encoding, whoever asks for it.
  def test_ractors_share_a_policy_and_read_files_of_their_own
    assert_equal "[true, true, true, true]", ruby(<<~'RUBY', "-W:no-experimental")
      require "robotstxt"
      body = "User-agent: *\n#{Array.new(100) { |nth| "Disallow: /private/#{nth}$\n" }.join}".freeze
      file = Verger.parse(body)
      policy = file.policy("FooBot")
      ractors = Array.new(4) do |number|
        Ractor.new(policy, file, body, number) do |shared, shared_file, text, start|
          rules = shared_file.rules.size
          Array.new(1000) do |nth|
            url = "/private/#{(start + nth) % 200}"
            own = Verger.parse(text)
            [shared.allowed?(url), own.verdict(url, agent: "FooBot").allowed?,
             Verger.allowed?(text, Verger::Crawler["gptbot"], url),
             Robotstxt.allowed_by_robots(text, "a", url)].uniq == [(start + nth) % 200 >= 100]
          end.all? && rules == 100
        end
      end
      print ractors.map { |it| it.respond_to?(:take) ? it.take : it.value }.inspect
    RUBY
  end

  def test_a_ractor_raises_what_is_documented
    assert_equal "Googlebot", ruby(<<~RUBY, "-W:no-experimental")
      require "verger"
      ractor = Ractor.new do
        Verger::ProductToken.new("Googlebot/2.1")
      rescue Verger::ProductTokenError => e
        e.likely
      end
      print ractor.respond_to?(:take) ? ractor.take : ractor.value
    RUBY
  end
end
