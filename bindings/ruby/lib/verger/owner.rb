# frozen_string_literal: true

require "json"

module Verger
  # Tools for site owners: which crawlers are blocked, how an edit changes that, and which lines are probably
  # mistakes. Each method corresponds to a subcommand of `verger` and returns the parsed and frozen output of its
  # `--json` flag. The keys are documented in `docs/json.md` of the repository. See also {RobotsTxt#explain}.
  #
  # `agents` are names as for `verger who -a`: `gptbot`, `ExampleBot`, `@ai-train`.
  module Owner
    # Questions that need more states are not decided.
    MAX_STATES = 4_000_000
    private_constant :MAX_STATES

    module_function

    # Shows how much of a site each crawler may fetch, and which lines decide.
    #
    # @param body [String] the bytes of the robots.txt
    # @param agents [Array<String>] the default is all known crawlers in use and those named in the file
    # @param dialect [Symbol, nil] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`. nil judges each known crawler
    #   as its operator reads, and all others by `:rfc9309`
    # @param site [String] a URL on the site that serves the file
    # @param max_states [Integer] questions that need more states are not decided
    # @return [Array<Hash>] a `verger.who/1` Hash for each crawler
    # @raise [ProductTokenError] outside `:google`, if an agent is not a product token
    # @raise [ArgumentError] if an agent is unknown, or `site` is not a valid URL
    # @raise [TypeError] if an argument has the wrong type
    def who(body, agents: [], dialect: nil, site: "https://example.com", max_states: MAX_STATES)
      Owner.lines(Native.who_json(body, agents, dialect, site, max_states))
    end

    # Shows what an edit changes for each crawler.
    #
    # @param old [String] the bytes of the file
    # @param new [String] the bytes of the edited file
    # @param (see #who)
    # @return [Array<Hash>] a `verger.diff/1` Hash for each change, then a summary whose `same` is `true` if it is
    #   proven that nothing changed
    # @raise (see #who)
    def diff(old, new, agents: [], dialect: nil, site: "https://example.com", max_states: MAX_STATES)
      Owner.lines(Native.diff_json(old, new, agents, dialect, site, max_states))
    end

    # Reports probable mistakes in a file. Files are read as RFC 9309, and the other dialects are compared with it.
    #
    # @param body [String] the bytes of the robots.txt
    # @param name [String] the value of `file` in the result
    # @param site [String, nil] a URL on the site that serves the file
    # @param settings [String] the text of a `verger.toml`
    # @return [Hash] a `verger.lint/1` Hash
    # @raise [ArgumentError] if the settings or `site` are not valid
    # @raise [TypeError] if an argument has the wrong type
    def lint(body, name: "-", site: nil, settings: "")
      Owner.lines(Native.lint_json(body, name, site, settings)).first
    end

    # Lists the contents of a file line by line, and the lines that are ignored. With `agent`, also shows what
    # applies to that crawler. {Verger.parse} returns the rules as objects.
    #
    # @param body [String] the bytes of the robots.txt
    # @param name [String] the value of `file` in the result
    # @param agent [String, nil] the name of one crawler, as for {#who}
    # @param dialect [Symbol, nil] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`. nil judges each known crawler
    #   as its operator reads, and all others by `:rfc9309`
    # @return [Hash] a `verger.parse/1` Hash
    # @raise [ProductTokenError] outside `:google`, if the agent is not a product token
    # @raise [ArgumentError] if it names several crawlers
    # @raise [TypeError] if an argument has the wrong type
    def parse(body, name: "-", agent: nil, dialect: nil)
      Owner.lines(Native.parse_json(body, name, [agent].compact, dialect)).first
    end

    # Shows whether crawlers may fetch and index a page: robots.txt, the response and its directives together. Nothing
    # is fetched.
    #
    # @param body [String] the bytes of the robots.txt
    # @param url [String] the URL of the page
    # @param agents [Array<String>] the default is a crawler that no group names
    # @param head [String, nil] the head of the response as `curl --include` prints it. Without it, the status is 200.
    #   Without head and HTML, the page counts as not fetched
    # @param html [String, nil] the page as it was received, or its text in UTF-8. The first MiB is read. Without it, the
    #   state of an HTML page is unknown unless a header decides
    # @param at [Integer] the time at which dates of `unavailable_after` are compared, in seconds since 1970
    # @param dialect [Symbol, nil] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`. nil judges each known crawler
    #   as its operator reads, and all others by `:rfc9309`
    # @return [Array<Hash>] a `verger.check/1` Hash with the key `page` for each crawler
    # @raise [ProductTokenError] outside `:google`, if an agent is not a product token
    # @raise [TargetError] outside `:google`, if the URL is neither absolute nor a path, or its authority is not valid
    # @raise [ArgumentError] if an agent is unknown, or `head` is not the head of a response
    # @raise [TypeError] if an argument has the wrong type
    def page(body, url, agents: [], head: nil, html: nil, at: Time.now.to_i, dialect: nil)
      Owner.lines(Native.page_json(body, url, agents, dialect, [head, html], at))
    end

    # Lists the snapshots of a site in an export of a store, oldest first.
    #
    # @param export [String] the output of `verger store export`
    # @param url [String] a URL of the site
    # @param since [Integer] start time, in seconds since 1970
    # @param before [Integer, nil] end time, in seconds since 1970, excluded. nil for no limit
    # @param lines [Boolean] whether to add the lines that changed
    # @param facts [Boolean] whether to add headers, TLS and timings to each of the `hops`
    # @return [Array<Hash>] a `verger.history/1` Hash for each snapshot
    # @raise [ArgumentError] if the export or the URL is not valid
    # @raise [TypeError] if an argument has the wrong type
    def history(export, url, since: 0, before: nil, lines: false, facts: false)
      Owner.lines(Native.history_json(export, url, since, before, lines, facts))
    end

    # Parses the lines of JSON.
    # @api private
    def self.lines(json) = json.each_line.map { |line| JSON.parse(line, freeze: true) }.freeze
  end
end
