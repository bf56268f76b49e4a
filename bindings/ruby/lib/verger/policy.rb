# frozen_string_literal: true

module Verger
  # The rules of one robots.txt that apply to one crawler, ready to be asked any number of times.
  # It is made by {RobotsTxt#policy}, keeps nothing of the file but those rules, and is immutable,
  # frozen, and safe to share between threads and Ractors.
  class Policy
    # @!method dialect
    #   @return [Symbol] the dialect in which the file was read

    # @!method allowed?(url)
    #   Whether `url` may be fetched.
    #
    #   @param url [String] an absolute URL, or a path that starts with `/`; in `:google` any text
    #   @return [Boolean]
    #   @raise [TargetError] where it is neither
    #   @raise [TypeError] where it is no String

    # Whether `url` may be fetched, and why.
    #
    # @param url [String] as for {#allowed?}
    # @return [Verdict]
    # @raise [TargetError] where it has no target
    # @raise [TypeError] where it is no String
    def verdict(url) = Verdict.of(*decide(url))

    # @return [Array<Rule>] the rules that can match something, those that take precedence first
    def rules = rule_parts.map { |parts| Rule.new(*parts) }

    # @return [String]
    def inspect = "#<#{self.class} #{dialect}, rules: #{rules.size}>"
  end
end
