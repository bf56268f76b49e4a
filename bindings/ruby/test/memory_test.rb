# frozen_string_literal: true

require "test_helper"

# Leaks in a check, or compiled memory that is not reported to the collector, would exceed these limits many times over.
class MemoryTest < Minitest::Test
  MEBI = 1 << 20

  # The collector lets more garbage gather once it has met large bodies: those come last.
  def self.test_order
    :alpha
  end

  URL = "https://h.example/private/x"

  def setup
    leave_out "there is no /proc/self/statm" unless File.exist?("/proc/self/statm")
  end

  def resident
    GC.start
    File.read("/proc/self/statm").split[1].to_i * 4096
  end

  # How many bytes more are in use after so many rounds, once the first of them have settled.
  def growth(rounds, warm_up)
    warm_up.times { yield }
    before = resident
    rounds.times { yield }
    resident - before
  end

  def test_a_million_parses_leave_nothing_behind
    body = "User-agent: *\n#{Array.new(40) { |nth| "Disallow: /private/#{nth}/" }.join("\n")}\n"
    grown = growth(1_000_000, 100_000) { Verger.parse(body).allowed?(URL, agent: "FooBot") }
    # A leaked body alone would be 900 MiB.
    assert_operator grown, :<, 16 * MEBI
  end

  def test_policies_verdicts_and_errors_leave_nothing_behind
    robots = Verger.parse("User-agent: *\n#{"Disallow: /private/*x\n" * 20}")
    grown = growth(100_000, 20_000) do
      robots.policy(["a", "FooBot"]).verdict(URL)
      robots.groups
      Robotstxt.allowed_by_robots("User-agent: a", "b", "c")
      begin
        robots.policy("no token")
      rescue Verger::ProductTokenError
        nil
      end
    end
    # Leaked policies alone would be 200 MiB.
    assert_operator grown, :<, 16 * MEBI
  end

  def test_the_collector_runs_in_time_for_large_bodies
    body = "User-agent: *\n#{"Disallow: /private/x\n" * 24_000}"
    highest = 0
    start = resident
    2000.times do |nth|
      Verger.parse(body)
      highest = [highest, File.read("/proc/self/statm").split[1].to_i * 4096].max if (nth % 20).zero?
    end
    # Two thousand of them would be a gibibyte and a half.
    assert_operator highest - start, :<, 256 * MEBI
  end

  def test_the_collector_may_run_and_move_things_at_any_moment
    compact
    GC.stress = true
    10.times do |nth|
      body = +"User-agent: Foo#{"x" * nth}\nDisallow: /#{"private" * nth}/\nSitemap: /s\n"
      robots = Verger.parse(body)
      agent = ["a", Verger::ProductToken.new("Foo#{"x" * nth}")]
      verdict = robots.verdict("/#{"private" * nth}/x", agent: agent)
      assert_equal [:disallow, 2], [verdict.effect, verdict.line]
      assert_equal ["/#{"private" * nth}/"], robots.rules.map(&:pattern)
      refute Robotstxt.allowed_by_robots(body, "Foo#{"x" * nth}", "http://h/#{"private" * nth}/")
      assert_raises(Verger::TargetError) { Verger.allowed?(body, agent, "private" * nth) }
      assert_equal %w[Googlebot-News Googlebot], Verger::Crawler["googlebot-news"].tokens.map(&:to_s)
    end
  ensure
    GC.stress = false
  end

  def compact
    GC.compact if GC.respond_to?(:compact)
  rescue NotImplementedError
    nil
  end
end
