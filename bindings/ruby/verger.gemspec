# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = "verger"
  # Read, not required: the Rakefile loads a copy of this file beside the first.
  spec.version = File.read(File.join(__dir__, "lib/verger/version.rb"))[/VERSION = "(.+)"/, 1]
  spec.summary = "robots.txt by RFC 9309, or exactly as Google's library reads it, with reasons"
  spec.description = "Reads a robots.txt and says whether a crawler may fetch a URL, which line " \
                     "says so, and why: by RFC 9309, exactly as Google's library does, or by the " \
                     "drafts of 2019 and 1996. Replaces the gem google_robotstxt_parser."
  spec.authors = ["The Verger authors"]
  spec.licenses = ["MIT", "Apache-2.0"]
  spec.required_ruby_version = ">= 3.1"
  spec.extensions = ["ext/verger/extconf.rb"]
  spec.require_paths = ["lib"]
  # The Rakefile lays the sources of the engine beside it, and builds there.
  spec.files = Dir["{lib,sig}/**/*.{rb,rbs}", "ext/**/*.rb", "source/**/*", "README.md", "LICENSE-*",
                   base: __dir__].select { |file| File.file?(File.join(__dir__, file)) }
  spec.metadata = { "rubygems_mfa_required" => "true" }
end
