# frozen_string_literal: true

module Verger
  # Base class of all errors of this gem. Arguments of the wrong type or number also raise `TypeError` and
  # `ArgumentError`.
  class Error < StandardError; end

  # A string is not a product token.
  class ProductTokenError < Error
    # @return [String, nil] the string that was rejected
    attr_reader :text
    # @return [String, nil] the token that was probably meant
    attr_reader :likely

    def initialize(message = nil, text = nil, likely = nil)
      super(message)
      @text = text
      @likely = likely
    end
  end

  # A string is neither an absolute URL nor a path that starts with `/`, or its authority is not valid.
  class TargetError < Error
    # @return [String, nil] the string that was rejected
    attr_reader :url

    def initialize(message = nil, url = nil)
      super(message)
      @url = url
    end
  end

  # The registry has no crawler with this name.
  class UnknownCrawlerError < Error
    # @return [String, nil] the name that was looked up
    attr_reader :name
    # @return [Array<String>] similar registry names, the closest first
    attr_reader :suggestions

    def initialize(name = nil, suggestions = [])
      shown = name && String.new(name, encoding: Encoding::UTF_8).scrub
      message = "unknown crawler `#{shown}`"
      message += ". Did you mean #{suggestions.join(", ")}?" unless suggestions.empty?
      super(message)
      @name = name
      @suggestions = suggestions
    end
  end

  # The compiled code panicked. This is a bug in this gem. The process can continue.
  class InternalError < Error; end
end
