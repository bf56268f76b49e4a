# frozen_string_literal: true

require "json"

module Verger
  # A robots.txt, read in one dialect. Reading never fails: every sequence of bytes is a robots.txt, and malformed
  # lines are ignored. The body is kept. A tree is built when {#groups}, {#rules}, {#sitemaps} or {#crawl_delay} first
  # needs it. Instances are immutable, frozen, and safe to share between threads and Ractors.
  #
  # An `agent` is a crawler. It can be a String (a product token, or `*` for a crawler that no group names, or any text
  # in `:google`), a {ProductToken}, a {Crawler}, or an Array of Strings and {ProductToken}s. The first one in the Array
  # that a group names is used.
  class RobotsTxt
    private_class_method :read

    # Parses a robots.txt.
    #
    # @param body [String] bytes in any encoding. Outside `:google`, only the first 512,000 bytes are used
    # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
    # @return [RobotsTxt]
    # @raise [TypeError] if `body` is not a String, or `dialect` is not a Symbol
    # @raise [ArgumentError] if the dialect is unknown
    def self.parse(body, dialect: :rfc9309) = read(body, dialect)

    # @!method dialect
    #   @return [Symbol] the dialect in which it was read

    # @!method sitemaps
    #   Returns the distinct sitemap URLs in file order, exactly as written.
    #
    #   @return [Array<String>]

    # @!method crawl_delay(agent)
    #   Returns the delay that the groups of `agent` request between two requests, or the longest if there are
    #   several. It never affects a verdict.
    #
    #   @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    #   @return [Float, nil] seconds
    #   @raise [ProductTokenError] outside `:google`, if a String is not a product token
    #   @raise [TypeError] if `agent` is not a crawler
    #   @raise [ArgumentError] if an Array is empty

    # @!method policy(agent)
    #   Returns the rules that apply to `agent`, in one pass over the body.
    #
    #   @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    #   @return [Policy]
    #   @raise [ProductTokenError] outside `:google`, if a String is not a product token
    #   @raise [TypeError] if `agent` is not a crawler
    #   @raise [ArgumentError] if an Array is empty

    # Returns whether `agent` may fetch `url`. {#policy} is faster for many URLs.
    #
    # @param url [String] an absolute URL, or a path that starts with `/`. In `:google`, any text
    # @param agent [String, Array<String, ProductToken>, ProductToken, Crawler]
    # @return [Boolean]
    # @raise [TargetError] if `url` is not valid
    # @raise [ProductTokenError] outside `:google`, if a String is not a product token
    # @raise [TypeError] if an argument has the wrong type
    # @raise [ArgumentError] if an Array is empty
    def allowed?(url, agent:) = ask(url, agent)

    # Decides whether `agent` may fetch `url`, and why, in one pass over the body. {#policy} is faster for many URLs.
    #
    # @param (see #allowed?)
    # @return [Verdict]
    # @raise (see #allowed?)
    def verdict(url, agent:) = Verdict.of(*decide(url, agent))

    # Explains a verdict: which rules match, and which dialects decide differently. Reads the body four more times.
    #
    # @param (see #allowed?)
    # @return [Hash] a `verger.check/1` Hash, like the output of `verger check --explain --json`. The keys are
    #   documented in `docs/json.md` of the repository
    # @raise (see #allowed?)
    def explain(url, agent:) = JSON.parse(explain_json(url, agent), freeze: true)

    # @return [Array<Group>] all groups in file order
    def groups
      group_parts.map do |line, user_agents, rules|
        Group.new(line, user_agents, rules.map { |parts| Rule.new(*parts) })
      end
    end

    # @return [Array<Rule>] the rules of all groups in file order. A rule before the first user-agent line applies to
    #   no crawler and is left out
    def rules = groups.flat_map(&:rules)

    # @return [String]
    def inspect = "#<#{self.class} #{dialect}, groups: #{group_parts.size}>"
  end
end
