# frozen_string_literal: true

module Verger
  # The group that applies to a crawler, or the first if several are merged. A frozen value.
  #
  # @!attribute [r] line
  #   @return [Integer] its first user-agent line, counted from 1
  # @!attribute [r] named_by
  #   @return [Symbol] `:token` if it names the crawler, `:star` if the crawler fell back to `*`
  AppliedGroup = Struct.new(:line, :named_by) do
    include FrozenValue

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
