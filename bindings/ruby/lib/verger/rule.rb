# frozen_string_literal: true

module Verger
  # An allow or disallow line. A frozen value: equal where effect, pattern and line are.
  #
  # @!attribute [r] effect
  #   @return [Symbol] `:allow` or `:disallow`
  # @!attribute [r] pattern
  #   @return [String] the path-pattern as written, without white space around it; empty where the
  #     rule says nothing. It calls itself UTF-8; ask `valid_encoding?` where the file may be odd.
  # @!attribute [r] line
  #   @return [Integer] the line number, counted from 1
  Rule = Struct.new(:effect, :pattern, :line) do
    include FrozenValue

    # @param effect [Symbol]
    # @param pattern [String]
    # @param line [Integer]
    def initialize(effect, pattern, line)
      super
      freeze
    end

    # @return [Boolean] whether it allows
    def allow? = effect == :allow

    # @return [Boolean] whether it disallows
    def disallow? = effect == :disallow

    # @return [String] the rule as one writes it: `Disallow: /private`
    def to_s = pattern.empty? ? "#{effect.capitalize}:" : "#{effect.capitalize}: #{pattern}"
  end
end
