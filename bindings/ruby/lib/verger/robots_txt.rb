# frozen_string_literal: true

require "json"

module Verger
  # A robots.txt, read in one dialect. Reading never fails: every sequence of bytes is a robots.txt,
  # and what cannot be read is ignored. The body is kept; a tree is made of it when {#groups},
  # {#rules}, {#sitemaps} or {#crawl_delay} first needs it. It is immutable, frozen, and safe to share between threads
  # and Ractors.
  #
  # An `agent` is a crawler: a String (a product token, or `*` for a crawler that no group names; in
  # `:google` any text), an Array of Strings or {ProductToken}s of which the first that a group names
  # counts, a {ProductToken}, or a {Crawler}.
  class RobotsTxt
    private_class_method :read

    # Reads a body.
    #
    # @param body [String] its bytes count, whatever its encoding; outside `:google` the first
    #   512,000 of them
    # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
    # @return [RobotsTxt]
    # @raise [TypeError] where `body` is no String, or `dialect` no Symbol
    # @raise [ArgumentError] where no dialect has that name
    def self.parse(body, dialect: :rfc9309) = read(body, dialect)

    # @!method dialect
    #   @return [Symbol] the dialect in which it was read

    # @!method sitemaps
    #   The sitemaps of the file in file order, each URL once, exactly as written.
    #
    #   @return [Array<String>]

    # @!method crawl_delay(agent)
    #   How long the groups that speak to `agent` ask it to wait between two requests: of several
    #   delays the longest. It never changes a verdict.
    #
    #   @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    #   @return [Float, nil] seconds
    #   @raise [ProductTokenError] outside `:google`, where a String is no product token
    #   @raise [TypeError] where it is no crawler
    #   @raise [ArgumentError] where an Array is empty

    # @!method policy(agent)
    #   The rules that apply to `agent`, read out of the body in one pass.
    #
    #   @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    #   @return [Policy]
    #   @raise [ProductTokenError] outside `:google`, where a String is no product token
    #   @raise [TypeError] where it is no crawler
    #   @raise [ArgumentError] where an Array is empty

    # Whether `agent` may fetch `url`; {#policy} is quicker for many questions.
    #
    # @param url [String] an absolute URL, or a path that starts with `/`; in `:google` any text
    # @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    # @return [Boolean]
    # @raise [TargetError] where `url` is neither
    # @raise [ProductTokenError] outside `:google`, where a String is no product token
    # @raise [TypeError] where an argument is of another kind
    # @raise [ArgumentError] where an Array is empty
    def allowed?(url, agent:) = ask(url, agent)

    # Whether `agent` may fetch `url`, and why, in one pass over the body; {#policy} is quicker for many questions.
    #
    # @param (see #allowed?)
    # @return [Verdict]
    # @raise (see #allowed?)
    def verdict(url, agent:) = Verdict.of(*decide(url, agent))

    # Whether `agent` may fetch `url`, by which rules, and which dialects answer otherwise. It reads the body four
    # times more.
    #
    # @param (see #allowed?)
    # @return [Hash] of `verger.check/1`, as `verger check --explain --json` prints it; `docs/json.md` of the
    #   repository has the keys
    # @raise (see #allowed?)
    def explain(url, agent:) = JSON.parse(explain_json(url, agent), freeze: true)

    # @return [Array<Group>] all groups in file order
    def groups
      group_parts.map do |line, user_agents, rules|
        Group.new(line, user_agents, rules.map { |parts| Rule.new(*parts) })
      end
    end

    # @return [Array<Rule>] the rules of all groups in file order; a rule before the first user-agent
    #   line applies to no crawler and is not among them
    def rules = groups.flat_map(&:rules)

    # @return [String]
    def inspect = "#<#{self.class} #{dialect}, groups: #{group_parts.size}>"
  end
end
