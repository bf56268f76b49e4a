# frozen_string_literal: true

module Verger
  # The name by which a crawler finds its groups: letters, digits, `_`, `-` and `.`, compared without
  # regard to case. A whole `User-Agent` header is none; {Crawler.from_user_agent} looks one up.
  class ProductToken
    # @!method self.new(text)
    #   @param text [String]
    #   @return [ProductToken] frozen
    #   @raise [ProductTokenError] says what the text is instead, and which token it probably means
    #   @raise [TypeError] where it is no String

    # @!method to_s
    #   @return [String] as it was given

    # @!method identifier?
    #   @return [Boolean] whether it is one by RFC 9309's own grammar: letters, `_` and `-` only

    # @param other [Object]
    # @return [Boolean] whether it is the same token, without regard to case
    def ==(other) = other.is_a?(ProductToken) && to_s.casecmp?(other.to_s)
    alias eql? ==

    # @return [Integer] the same for equal tokens
    def hash = to_s.downcase.hash

    # @return [String]
    def inspect = "#<#{self.class} #{self}>"
  end
end
