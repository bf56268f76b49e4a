# frozen_string_literal: true

require_relative "verger/version"
require_relative "verger/errors"
require_relative "verger/verger"

# The Robots Exclusion Protocol: parses a robots.txt and decides whether a crawler may fetch a URL, by which
# line and why. It follows RFC 9309, Google's library, or the drafts of 2019 and 1996.
#
# It does not fetch files and does not normalize URLs. Pass the URL that you will request.
module Verger
  # The compiled functions.
  # @api private
  module Native; end
  private_constant :Native

  # Parses a robots.txt.
  #
  # @param (see RobotsTxt.parse)
  # @return [RobotsTxt]
  # @raise (see RobotsTxt.parse)
  def self.parse(body, dialect: :rfc9309) = RobotsTxt.parse(body, dialect: dialect)

  # Returns whether `agent` may fetch `url`, in one pass over the body.
  #
  # @param body [String] the bytes of the robots.txt
  # @param agent [String, Array<String, ProductToken>, ProductToken, Crawler] the crawler ({RobotsTxt})
  # @param url [String] an absolute URL, or a path that starts with `/`. In `:google`, any text
  # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
  # @return [Boolean]
  # @raise [TargetError] if `url` is not valid
  # @raise [ProductTokenError] outside `:google`, if a String is not a product token
  # @raise [TypeError] if an argument has the wrong type
  # @raise [ArgumentError] if the dialect is unknown, or an Array is empty
  def self.allowed?(body, agent, url, dialect: :rfc9309) = Native.allowed?(body, agent, url, dialect)

  # Decides whether `agent` may fetch `url`, and why, in one pass over the body.
  #
  # @param (see .allowed?)
  # @return [Verdict]
  # @raise (see .allowed?)
  def self.verdict(body, agent, url, dialect: :rfc9309)
    Verdict.of(*Native.decide(body, agent, url, dialect))
  end
end

require_relative "verger/frozen_value"
require_relative "verger/rule"
require_relative "verger/group"
require_relative "verger/applied_group"
require_relative "verger/verdict"
require_relative "verger/policy"
require_relative "verger/robots_txt"
require_relative "verger/product_token"
require_relative "verger/crawler"
require_relative "verger/own_copy"
require_relative "verger/owner"
