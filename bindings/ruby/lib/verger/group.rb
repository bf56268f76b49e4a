# frozen_string_literal: true

module Verger
  # One or more user-agent lines and the rules under them. A frozen value.
  #
  # @!attribute [r] line
  #   @return [Integer] its first user-agent line, counted from 1
  # @!attribute [r] user_agents
  #   @return [Array<String>] the values of its user-agent lines as written, in file order
  # @!attribute [r] rules
  #   @return [Array<Rule>] its rules in file order, empty ones included
  Group = Struct.new(:line, :user_agents, :rules) do
    include FrozenValue

    def initialize(line, user_agents, rules)
      super(line, user_agents.freeze, rules.freeze)
      freeze
    end

    # @return [String] the group as a robots.txt has it, one line each
    def to_s = [*user_agents.map { |name| "User-agent: #{name}" }, *rules].join("\n")
  end
end
