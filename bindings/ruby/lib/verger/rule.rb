# frozen_string_literal: true

module Verger
  # An allow or disallow line. A frozen value. Rules are equal if their effect, pattern and line are equal.
  #
  # @!attribute [r] effect
  #   @return [Symbol] `:allow` or `:disallow`
  # @!attribute [r] pattern
  #   @return [String] the path-pattern as written, without surrounding white space. Empty for an empty rule.
  #     It is tagged as UTF-8. Call `valid_encoding?` if the file may contain other bytes.
  # @!attribute [r] line
  #   @return [Integer] the line number, counted from 1
  Rule = Struct.new(:effect, :pattern, :line) do
    include FrozenValue

    def initialize(effect, pattern, line)
      super
      freeze
    end

    # @return [Boolean] whether it is an allow rule
    def allow? = effect == :allow

    # @return [Boolean] whether it is a disallow rule
    def disallow? = effect == :disallow

    # @return [String] the rule as a line of a robots.txt: `Disallow: /private`
    def to_s = pattern.empty? ? "#{effect.capitalize}:" : "#{effect.capitalize}: #{pattern}"
  end
end
