# frozen_string_literal: true

module Verger
  # The group that applies to a crawler; the first one where several are merged. A frozen value.
  #
  # @!attribute [r] line
  #   @return [Integer] its first user-agent line, counted from 1
  # @!attribute [r] named_by
  #   @return [Symbol] `:token` where it names the crawler, `:star` where the crawler fell to `*`
  AppliedGroup = Struct.new(:line, :named_by) do
    include FrozenValue

    # @param line [Integer]
    # @param named_by [Symbol]
    def initialize(line, named_by)
      super
      freeze
    end

    # @return [Boolean] whether the group names the crawler
    def named? = named_by == :token

    # @return [String] `group at line 1, *`
    def to_s = "group at line #{line}, #{named? ? "by name" : "*"}"
  end
end
