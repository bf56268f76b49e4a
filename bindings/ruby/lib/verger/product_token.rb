# frozen_string_literal: true

module Verger
  # The name that a crawler looks for in groups: letters, digits, `_`, `-` and `.`, case-insensitive. A whole
  # `User-Agent` header is not a product token. Use {Crawler.from_user_agent} to look one up.
  class ProductToken
    # @!method self.new(text)
    #   @param text [String]
    #   @return [ProductToken] frozen
    #   @raise [ProductTokenError] if `text` is not a product token. The error has the token that was probably meant
    #   @raise [TypeError] if `text` is not a String

    # @!method to_s
    #   @return [String] the token as given

    # @!method identifier?
    #   @return [Boolean] whether it matches the grammar of RFC 9309: letters, `_` and `-` only

    # @param other [Object]
    # @return [Boolean] whether it is the same token, ignoring case
    def ==(other) = other.is_a?(ProductToken) && to_s.casecmp?(other.to_s)
    alias eql? ==

    # @return [Integer] the same for equal tokens
    def hash = to_s.downcase.hash

    # @return [String]
    def inspect = "#<#{self.class} #{self}>"
  end
end
