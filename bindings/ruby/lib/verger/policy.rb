# frozen_string_literal: true

module Verger
  # The rules of a robots.txt that apply to one crawler, prepared for any number of checks. Created by
  # {RobotsTxt#policy}. It keeps only those rules, and is immutable, frozen, and safe to share between threads and
  # Ractors.
  class Policy
    # @!method dialect
    #   @return [Symbol] the dialect in which the file was read

    # @!method allowed?(url)
    #   Returns whether `url` may be fetched.
    #
    #   @param url [String] an absolute URL, or a path that starts with `/`. In `:google`, any text
    #   @return [Boolean]
    #   @raise [TargetError] if `url` is not valid
    #   @raise [TypeError] if `url` is not a String

    # Decides whether `url` may be fetched, and why.
    #
    # @param url [String] as for {#allowed?}
    # @return [Verdict]
    # @raise [TargetError] if `url` is not valid
    # @raise [TypeError] if `url` is not a String
    def verdict(url) = Verdict.of(*decide(url))

    # @return [Array<Rule>] the rules that can match, in order of precedence
    def rules = rule_parts.map { |parts| Rule.new(*parts) }

    # @return [String]
    def inspect = "#<#{self.class} #{dialect}, rules: #{rules.size}>"
  end
end
