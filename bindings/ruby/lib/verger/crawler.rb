# frozen_string_literal: true

module Verger
  # A crawler of the registry: who runs it, what for, and which product tokens it looks up in a
  # robots.txt. Immutable, frozen, and safe to share between threads and Ractors. The class itself
  # enumerates the registry:
  #
  #   Verger::Crawler.select { |crawler| crawler.purposes.include?(:ai_train) }
  class Crawler
    extend Enumerable

    # @!method self.[](name)
    #   @param name [String] a registry name (`googlebot-news`) or a crawler's own product token
    #     (`Googlebot-News`), in any case
    #   @return [Crawler, nil]
    #   @raise [TypeError] where it is no String

    # @!method self.from_user_agent(header)
    #   The crawler that a `User-Agent` header names. A header is a claim: any program can send it.
    #
    #   @param header [String] the value of the header
    #   @return [Crawler, nil]
    #   @raise [TypeError] where it is no String

    # @!method self.suggest(name)
    #   @param name [String]
    #   @return [Array<String>] up to eight registry names that may have been meant, the nearest first
    #   @raise [TypeError] where it is no String

    # @!method self.all
    #   @return [Array<Crawler>] the whole registry, in its order

    # @param name [String] as for {.[]}
    # @return [Crawler]
    # @raise [UnknownCrawlerError] where no crawler is named so
    # @raise [TypeError] where it is no String
    def self.fetch(name) = self[name] || raise(UnknownCrawlerError.new(name, suggest(name)))

    # @yieldparam crawler [Crawler]
    # @return [Enumerator, self] an Enumerator without a block
    def self.each(&block)
      return enum_for(:each) { all.size } unless block

      all.each(&block)
      self
    end

    # @!method name
    #   @return [String] the registry name: lower-case letters, digits and hyphens

    # @!method operator
    #   @return [String] who runs it; for software that its users run, who makes it

    # @!method tokens
    #   @return [Array<ProductToken>] in the order in which it looks them up; never empty

    # @!method purposes
    #   @return [Array<Symbol>] what it fetches for, such as `:search`, `:ai_train`, `:ai_input`,
    #     `:archive`, `:preview`, `:seo`; never empty

    # @!method obeys
    #   @return [Symbol] whether it obeys robots.txt, by its operator's statement: `:yes`, `:no`,
    #     `:unclear`

    # @!method star?
    #   @return [Boolean] whether rules for `*` apply to it where no group names it

    # @!method retired?
    #   @return [Boolean] whether it is out of use

    # @!method control_only?
    #   @return [Boolean] whether it is a token for rules only, under which no request is sent

    # @!method docs
    #   @return [String, nil] the URL of its operator's page about it

    # @!method note
    #   @return [String, nil] what else there is to say

    # @return [String] its name
    def to_s = name

    # @param other [Object]
    # @return [Boolean] whether it is the same crawler
    def ==(other) = other.is_a?(Crawler) && name == other.name
    alias eql? ==

    # @return [Integer] the same for equal crawlers
    def hash = name.hash

    # @return [String]
    def inspect = "#<#{self.class} #{name}>"
  end
end
