# frozen_string_literal: true

module Verger
  # What Marshal loads is frozen, with all that it holds, as what was dumped.
  # @api private
  module FrozenValue
    private

    def marshal_dump = to_a

    def marshal_load(parts)
      initialize(*parts)
      Ractor.make_shareable(self)
    end
  end
  private_constant :FrozenValue
end
