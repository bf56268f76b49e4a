# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "verger"
  # Read the file instead of requiring it, because the Rakefile also loads a copy of this file.
  spec.version = File.read(File.join(__dir__, "lib/verger/version.rb"))[/VERSION = "(.+)"/, 1]
  spec.summary = "Check robots.txt by RFC 9309 or exactly as Google's library does, with reasons"
  spec.description = "Parses a robots.txt and decides whether a crawler may fetch a URL, by which " \
                     "line and why. Follows RFC 9309, Google's library, or the drafts of 2019 and " \
                     "1996. Replaces the gem google_robotstxt_parser."
  spec.authors = ["The Verger authors"]
  spec.licenses = ["MIT", "Apache-2.0"]
  spec.required_ruby_version = ">= 3.1"
  spec.extensions = ["ext/verger/extconf.rb"]
  spec.require_paths = ["lib"]
  # The Rakefile stages the sources of the engine next to this file and builds there.
  spec.files = Dir["{lib,sig}/**/*.{rb,rbs}", "ext/**/*.rb", "source/**/*", "README.md", "LICENSE-*",
                   base: __dir__].select { |file| File.file?(File.join(__dir__, file)) }
  spec.metadata = { "rubygems_mfa_required" => "true" }
end
