# frozen_string_literal: true

# RubyGems runs this where the gem is compiled. mkmf knows nothing of cargo, so the Makefile is
# written here. RubyGems says where to install to: in RbConfig, or later on the command line of make.

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
