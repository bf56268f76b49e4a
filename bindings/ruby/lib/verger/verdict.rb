# frozen_string_literal: true

module Verger
  # A decision about a URL, and the reason. A frozen value, usable in pattern matching:
  #
  #   case policy.verdict(url)
  #   in {effect: :allow} then fetch(url)
  #   in {effect: :disallow, rule: {line:, pattern:}} then warn "line #{line} forbids #{pattern}"
  #   end
  #
  # @!attribute [r] effect
  #   @return [Symbol] `:allow` or `:disallow`
  # @!attribute [r] reason
  #   @return [Symbol] `:rule` if a rule decided, `:no_rule` if a group applies to the crawler but none of its
  #     rules match, `:no_group` if no group applies to it, `:robots_txt` if the URL is `/robots.txt` itself
  # @!attribute [r] line
  #   @return [Integer, nil] the line of the rule that decided
  # @!attribute [r] rule
  #   @return [Rule, nil] the rule that decided
  # @!attribute [r] group
  #   @return [AppliedGroup, nil] the group that applies to the crawler
  Verdict = Struct.new(:effect, :reason, :line, :rule, :group) do
    include FrozenValue

    # Creates a verdict from the values of the compiled code.
    # @api private
    def self.of(effect, reason, pattern, line, group_line, named_by)
      rule = Rule.new(effect, pattern, line) if pattern
      group = AppliedGroup.new(group_line, named_by) if group_line
      new(effect, reason, rule, group)
    end

    def initialize(effect, reason, rule, group)
      super(effect, reason, rule&.line, rule, group)
      freeze
    end

    # @return [Boolean] whether the URL may be fetched
    def allowed? = effect == :allow

    # @return [Boolean] whether the URL may not be fetched
    def disallowed? = effect == :disallow

    # @return [String] one line of text:
    #   `disallowed, line 2: Disallow: /private (group at line 1, *)`
    def to_s
      why = rule ? "line #{line}: #{rule}" : self.class::REASONS.fetch(reason)
      "#{effect}ed, #{why}#{group && " (#{group})"}"
    end

    private

    def marshal_dump = [effect, reason, rule, group]
  end

  # Texts for verdicts that no rule decided.
  Verdict::REASONS = {
    no_rule: "no rule matches",
    no_group: "no group applies to the crawler",
    robots_txt: "robots.txt itself is always allowed",
  }.freeze
end
