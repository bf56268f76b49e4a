# frozen_string_literal: true

require_relative "verger"

# What the gem google_robotstxt_parser defined, answered by Verger as Google's library answers. The
# module may be reopened, and is defined only where this file or `google_robotstxt_parser` is loaded.
module Robotstxt
  # @!method allowed_by_robots(robots_content, user_agent, url)
  #   Whether `user_agent` may fetch `url`, exactly as Google's library says. It is a method of the
  #   module, and of whatever includes it.
  #
  #   @param robots_content [String] the bytes of the robots.txt
  #   @param user_agent [String] a product token, compared literally: `Googlebot/2.1` equals no
  #     line and falls to `*`; for a whole header see {Verger::Crawler.from_user_agent}
  #   @param url [String] any text; Google's library finds a path in each
  #   @return [Boolean]
  #   @raise [TypeError] where one of them is no String
  #   @raise [ArgumentError] where there are not three of them
  Verger.const_get(:Native).add_allowed_by_robots(self)
end
