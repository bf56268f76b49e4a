# frozen_string_literal: true

module Verger
  # The version of the gem and of its engine.
  VERSION = "0.1.0"
end
