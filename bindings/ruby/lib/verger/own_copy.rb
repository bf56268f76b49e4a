# frozen_string_literal: true

module Verger
  # An object that cannot change is its own copy, as numbers are.
  # @api private
  module OwnCopy
    # @return [self]
    def dup = self

    # @return [self]
    # @raise [ArgumentError] if the copy should not be frozen
    def clone(freeze: true)
      raise ArgumentError, "can't unfreeze #{self.class}" if freeze == false

      self
    end
  end
  private_constant :OwnCopy

  [RobotsTxt, Policy, ProductToken, Crawler].each { |it| it.include(OwnCopy) }
end
