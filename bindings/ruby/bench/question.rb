# frozen_string_literal: true

# Compares the cost of a check from Ruby and from Rust. Both run alternately in one process, and the figures are medians
# over all rounds. Ruby's figures include the loop.

require "etc"
require "robotstxt"

ROUNDS = 31
TIMES = 20_000
NATIVE = Verger.const_get(:Native)
URL = "https://www.example.com/catalogue/shoes/private/page.html?colour=red"
AGENT = "FooBot"

# One kibibyte of robots.txt: two groups, 34 rules, comments, a sitemap.
BODY = begin
  rules = Array.new(34) { |nth| "#{nth % 5 == 4 ? "Allow" : "Disallow"}: /section-#{nth}/private/" }
  body = "# A shop\nUser-agent: BadBot\nDisallow: /\n\nUser-agent: *\n#{rules.join("\n")}\n"
  (body + "Sitemap: https://www.example.com/sitemap.xml\n").ljust(1024, "#")[0, 1024].freeze
end

def nanoseconds
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
  yield
  Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start
end

def median(figures) = figures.sort[figures.size / 2]

ROBOTS = Verger.parse(BODY, dialect: :google)
POLICY = ROBOTS.policy(AGENT)

# Each contestant runs once per round. Values are in nanoseconds per check.
CONTESTANTS = {
  "one check per file" => {
    "Rust" => -> { NATIVE.question_nanoseconds([BODY, AGENT, URL], :google, TIMES) },
    "Robotstxt.allowed_by_robots" => lambda {
      nanoseconds { TIMES.times { Robotstxt.allowed_by_robots(BODY, AGENT, URL) } }
    },
    "Verger.allowed?(…, dialect: :google)" => lambda {
      nanoseconds { TIMES.times { Verger.allowed?(BODY, AGENT, URL, dialect: :google) } }
    },
  },
  "many checks per file" => {
    "Rust" => -> { NATIVE.policy_nanoseconds([BODY, AGENT, URL], :google, TIMES) },
    "Policy#allowed?" => -> { nanoseconds { TIMES.times { POLICY.allowed?(URL) } } },
    "Policy#verdict" => -> { nanoseconds { TIMES.times { POLICY.verdict(URL) } } },
    "RobotsTxt#allowed?" => -> { nanoseconds { TIMES.times { ROBOTS.allowed?(URL, agent: AGENT) } } },
  },
}.freeze

puts "ruby #{RUBY_VERSION}, #{Etc.uname[:machine]}, body of #{BODY.bytesize} bytes, " \
     "medians of #{ROUNDS} rounds of #{TIMES} questions"
CONTESTANTS.each do |job, contestants|
  figures = contestants.transform_values { [] }
  (ROUNDS + 1).times do |round|
    contestants.each do |name, ask|
      taken = ask.call
      figures[name] << taken.fdiv(TIMES) unless round.zero?
    end
  end
  rust = median(figures.fetch("Rust"))
  puts "\n#{job}"
  figures.each do |name, of_rounds|
    figure = median(of_rounds)
    puts format("  %-38<name>s %7.0<figure>f ns   %.2<ratio>f× Rust",
                name: name, figure: figure, ratio: figure / rust)
  end
end
