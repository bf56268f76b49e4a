# frozen_string_literal: true

require "test_helper"

# Compares with the results of Google's C++ library for the test cases of many parsers and for hostile bodies. The
# suites are not part of the repository. The test is skipped if they are missing.
class GoogleSuitesTest < Minitest::Test
  SUITES = File.expand_path("../../../shared/cases", ROOT)

  def setup
    leave_out "#{SUITES} is not there" unless File.directory?(SUITES)
  end

  def test_every_answer_is_the_one_of_googles_library
    asked = Hash.new(0)
    merged = 0
    failures = each_question.filter_map do |suite, id, body, agents, url, allowed, line|
      if agents.size != 1
        merged += 1
        next
      end
      asked[suite] += 1
      got = answers(body, agents.first, url)
      next if got.first.uniq == [allowed] && line_fits?(body, got.last, line)

      "#{suite} #{id}: #{agents} #{url.inspect}: expected #{allowed} by #{line}, got #{got}"
    end
    assert failures.empty?, "#{failures.size} answers differ:\n#{failures.first(20).join("\n")}"
    assert_operator asked.values.sum, :>, 2500
    puts "\nGoogle's library: #{asked.values.sum} answers are the same (#{asked.map { _1.join(" ") }.join(", ")}); " \
         "#{merged} questions of several names, whose groups it merges, are not asked"
  end

  def answers(body, agent, url)
    verdict = Verger.parse(body, dialect: :google).verdict(url, agent: agent)
    allowed = [Robotstxt.allowed_by_robots(body, agent, url), verdict.allowed?,
               Verger.allowed?(body, agent, url, dialect: :google)]
    [allowed, verdict.line]
  end

  # The library also names the line of an empty rule, which says nothing and decides nothing here.
  def line_fits?(body, line, google_line)
    return line == google_line if line
    return true if google_line.zero?

    rules = Verger.parse(body, dialect: :google).rules
    rules.any? { |rule| rule.line == google_line && rule.pattern.empty? }
  end

  def each_question(&block)
    return enum_for(:each_question) unless block

    Dir[File.join(SUITES, "*.jsonl")].sort.each do |path|
      suite = File.basename(path, ".jsonl")
      File.foreach(path) do |line|
        kase = JSON.parse(line)
        queries(kase).each { |query| yield suite, kase["id"], body(kase), *query } if googles?(kase)
      end
    end
  end

  def googles?(kase) = kase.key?("google") || (kase.key?("queries") && kase["dialect"] == "google")

  def body(kase)
    base64 = kase["robots_b64"] || kase["robots_base64"]
    base64 ? bytes(base64) : kase["robots"]
  end

  def queries(kase)
    if kase["queries"]
      return kase["queries"].map do |it|
        [[it["agent"]], it["url"] || bytes(it["url_base64"]), it["allowed"], it["line"]]
      end
    end
    agents = kase["google_agents"] || kase["agents"]
    url = kase["url"] || bytes(kase["url_b64"])
    [[agents, url, kase["google"], kase["google_line"]]]
  end
end
