# frozen_string_literal: true

require_relative "verger"

# The interface of the gem google_robotstxt_parser, with the answers of Google's library. This file or
# `google_robotstxt_parser` defines it. The module may be reopened.
module Robotstxt
  # @!method allowed_by_robots(robots_content, user_agent, url)
  #   Returns whether `user_agent` may fetch `url`, exactly as Google's library decides. This is a method of
  #   the module and of every class that includes it.
  #
  #   @param robots_content [String] the bytes of the robots.txt
  #   @param user_agent [String] a product token, compared literally. `Googlebot/2.1` matches no line and
  #     falls back to `*`. For a whole header, see {Verger::Crawler.from_user_agent}
  #   @param url [String] any text. Google's library finds a path in every text
  #   @return [Boolean]
  #   @raise [TypeError] if an argument is not a String
  #   @raise [ArgumentError] if the number of arguments is not three
  Verger.const_get(:Native).add_allowed_by_robots(self)
end
