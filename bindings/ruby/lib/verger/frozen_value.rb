# frozen_string_literal: true

module Verger
  # Freezes values loaded by Marshal, including their contents, like the values that were dumped.
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
