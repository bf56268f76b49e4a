# frozen_string_literal: true

# RubyGems runs this file to compile the gem. mkmf does not support cargo, so this file writes the Makefile. RubyGems
# passes the install path in RbConfig or on the command line of make.

require "shellwords"
require_relative "native_library"

folder = RbConfig.expand(RbConfig::MAKEFILE_CONFIG["sitearchdir"].dup)
name = NativeLibrary::NAME
script = "NativeLibrary.build('#{name}')"
build = [RbConfig.ruby, "-r", File.join(__dir__, "native_library"), "-e", script].shelljoin

File.write("Makefile", <<~MAKE)
  DESTDIR =
  sitearchdir = #{folder}

  all: #{name}

  #{name}:
  \t#{build.gsub("$", "$$")}

  install: #{name}
  \tmkdir -p "$(DESTDIR)$(sitearchdir)/verger"
  \tcp #{name} "$(DESTDIR)$(sitearchdir)/verger/#{name}"

  clean:
  \trm -f #{name}

  .PHONY: all install clean
MAKE
