# frozen_string_literal: true

require_relative "verger/version"
require_relative "verger/errors"
require_relative "verger/verger"

# The Robots Exclusion Protocol: reads a robots.txt and says whether a crawler may fetch a URL, which
# line says so, and why — by RFC 9309, exactly as Google's library does, or by the drafts of 2019 and
# 1996.
#
# It fetches nothing, and rewrites no URL: ask about the one that will be requested.
module Verger
  # What is compiled.
  # @api private
  module Native; end
  private_constant :Native

  # Reads a body.
  #
  # @param (see RobotsTxt.parse)
  # @return [RobotsTxt]
  # @raise (see RobotsTxt.parse)
  def self.parse(body, dialect: :rfc9309) = RobotsTxt.parse(body, dialect: dialect)

  # Whether `agent` may fetch `url` under `body`: one question, in one pass, without a tree.
  #
  # @param body [String] the bytes of the robots.txt
  # @param agent [String, Array<String, ProductToken>, ProductToken, Crawler] the crawler ({RobotsTxt})
  # @param url [String] an absolute URL, or a path that starts with `/`; in `:google` any text
  # @param dialect [Symbol] `:rfc9309`, `:google`, `:draft2019` or `:koster1996`
  # @return [Boolean]
  # @raise [TargetError] where `url` is neither
  # @raise [ProductTokenError] outside `:google`, where a String is no product token
  # @raise [TypeError] where an argument is of another kind
  # @raise [ArgumentError] where no dialect has that name, or an Array is empty
  def self.allowed?(body, agent, url, dialect: :rfc9309) = Native.allowed?(body, agent, url, dialect)

  # Whether `agent` may fetch `url` under `body`, and why: one question, in one pass, without a tree.
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
require_relative "verger/owner"
