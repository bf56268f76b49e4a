# frozen_string_literal: true

require "json"

module Verger
  # What the owner of a site asks: which crawlers are disallowed what, what a change means, what is probably a
  # mistake, what a file holds, and what was seen. Each method is a command of `verger`, and returns the JSON that
  # the command prints with `--json`, parsed and frozen: `docs/json.md` of the repository has the keys.
  # {RobotsTxt#explain} is the sixth.
  #
  # `agents` are names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`.
  module Owner
    # A question that takes more states is not decided.
    MAX_STATES = 4_000_000
    private_constant :MAX_STATES

    module_function

    # How much of a site each crawler may fetch, and by which lines.
    #
    # @param body [String] the bytes of the robots.txt
    # @param agents [Array<String>] without any, all known crawlers in use, and those that the file names
    # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
    # @param site [String] a URL of the site that has the file
    # @param max_states [Integer] a question that takes more is not decided
    # @return [Array<Hash>] one of `verger.who/1` for each crawler
    # @raise [ProductTokenError] outside `:google`, where an agent is no product token
    # @raise [ArgumentError] where nothing is named so, or the URL is that of no site
    # @raise [TypeError] where an argument is of another kind
    def who(body, agents: [], dialect: :rfc9309, site: "https://example.com", max_states: MAX_STATES)
      Owner.lines(Native.who_json(body, agents, dialect, site, max_states))
    end

    # What a change of the file means for each crawler.
    #
    # @param old [String] the bytes of the file
    # @param new [String] the same after the change
    # @param (see #who)
    # @return [Array<Hash>] one of `verger.diff/1` for each change, and at last one about the whole, whose `same` is
    #   `true` where it is proven that nothing changed
    # @raise (see #who)
    def diff(old, new, agents: [], dialect: :rfc9309, site: "https://example.com", max_states: MAX_STATES)
      Owner.lines(Native.diff_json(old, new, agents, dialect, site, max_states))
    end

    # What the owner of the file probably does not mean. Every file is read by RFC 9309, and the other dialects are
    # compared with it.
    #
    # @param body [String] the bytes of the robots.txt
    # @param name [String] `file` in the answer
    # @param site [String, nil] a URL of the site that has the file
    # @param settings [String] the text of a `verger.toml`
    # @return [Hash] of `verger.lint/1`
    # @raise [ArgumentError] where settings cannot be used, or the URL is that of no site
    # @raise [TypeError] where an argument is of another kind
    def lint(body, name: "-", site: nil, settings: "")
      Owner.lines(Native.lint_json(body, name, site, settings)).first
    end

    # What the file holds, line by line, and what was ignored; with `agent` also what applies to that crawler.
    # {Verger.parse} has the rules as values.
    #
    # @param body [String] the bytes of the robots.txt
    # @param name [String] `file` in the answer
    # @param agent [String, nil] a name as for {#who} that means one crawler
    # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
    # @return [Hash] of `verger.parse/1`
    # @raise [ProductTokenError] outside `:google`, where the agent is no product token
    # @raise [ArgumentError] if it means several crawlers
    # @raise [TypeError] where an argument is of another kind
    def parse(body, name: "-", agent: nil, dialect: :rfc9309)
      Owner.lines(Native.parse_json(body, name, [agent].compact, dialect)).first
    end

    # What was seen of the site of a URL, oldest first, by what `verger store export` wrote.
    #
    # @param export [String] the lines of the export
    # @param url [String] a URL of the site
    # @param since [Integer] seconds since 1970
    # @param before [Integer, nil] seconds since 1970, not among them; nil for no end
    # @param lines [Boolean] whether there are the lines that changed
    # @param facts [Boolean] whether each of the `hops` has what else was seen of the request and its reply
    # @return [Array<Hash>] one of `verger.history/1` for each snapshot
    # @raise [ArgumentError] where a line is not of an export, or the URL is that of no site
    # @raise [TypeError] where an argument is of another kind
    def history(export, url, since: 0, before: nil, lines: false, facts: false)
      Owner.lines(Native.history_json(export, url, since, before, lines, facts))
    end

    # The lines of an answer.
    # @api private
    def self.lines(json) = json.each_line.map { |line| JSON.parse(line, freeze: true) }.freeze
  end
end
