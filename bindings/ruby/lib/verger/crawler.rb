# frozen_string_literal: true

module Verger
  # A crawler of the registry: its operator, its purposes and the product tokens it looks for. It is immutable,
  # frozen, and safe to share between threads and Ractors. The class itself enumerates the registry:
  #
  #   Verger::Crawler.select { |crawler| crawler.purposes.include?(:ai_train) }
  class Crawler
    extend Enumerable

    # @!method self.[](name)
    #   @param name [String] a registry name (`googlebot-news`) or a crawler's own product token
    #     (`Googlebot-News`), in any case
    #   @return [Crawler, nil]
    #   @raise [TypeError] if `name` is not a String

    # @!method self.from_user_agent(header)
    #   Returns the crawler that a `User-Agent` header names. A header is only a claim, because any program can
    #   send it.
    #
    #   @param header [String] the value of the header
    #   @return [Crawler, nil]
    #   @raise [TypeError] if `header` is not a String

    # @!method self.suggest(name)
    #   @param name [String]
    #   @return [Array<String>] up to eight similar registry names, the closest first
    #   @raise [TypeError] if `name` is not a String

    # @!method self.all
    #   @return [Array<Crawler>] the whole registry, in its order

    # @param name [String] as for {.[]}
    # @return [Crawler]
    # @raise [UnknownCrawlerError] if no crawler has this name
    # @raise [TypeError] if `name` is not a String
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
    #   @return [String] its operator, or its vendor for software that users run themselves

    # @!method tokens
    #   @return [Array<ProductToken>] its tokens, in the order in which it looks them up. Never empty

    # @!method purposes
    #   @return [Array<Symbol>] its purposes, such as `:search`, `:ai_train`, `:ai_input`, `:archive`, `:preview`
    #     or `:seo`. Never empty

    # @!method obeys
    #   @return [Symbol] whether it obeys robots.txt, according to its operator: `:yes`, `:no` or `:unclear`

    # @!method star?
    #   @return [Boolean] whether rules for `*` apply to it if no group names it

    # @!method retired?
    #   @return [Boolean] whether it is no longer in use

    # @!method control_only?
    #   @return [Boolean] whether it is a token only for rules. No request is sent under it

    # @!method docs
    #   @return [String, nil] URL of its operator's page about it

    # @!method note
    #   @return [String, nil] further remarks

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
