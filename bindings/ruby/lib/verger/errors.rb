# frozen_string_literal: true

module Verger
  # What all errors of this gem are, beside the `TypeError` and the `ArgumentError` for arguments of
  # the wrong kind or number.
  class Error < StandardError; end

  # The text is not a product token.
  class ProductTokenError < Error
    # @return [String, nil] the text that was refused
    attr_reader :text
    # @return [String, nil] the token that the text probably means
    attr_reader :likely

    # @param message [String, nil]
    # @param text [String, nil]
    # @param likely [String, nil]
    def initialize(message = nil, text = nil, likely = nil)
      super(message)
      @text = text
      @likely = likely
    end
  end

  # The text is neither an absolute URL nor a path that starts with `/`, or the host of the URL cannot be asked.
  class TargetError < Error
    # @return [String, nil] the text that was refused
    attr_reader :url

    # @param message [String, nil]
    # @param url [String, nil]
    def initialize(message = nil, url = nil)
      super(message)
      @url = url
    end
  end

  # No crawler of the registry has that name.
  class UnknownCrawlerError < Error
    # @return [String, nil] the name that was asked for
    attr_reader :name
    # @return [Array<String>] registry names that may have been meant, the nearest first
    attr_reader :suggestions

    # @param name [String, nil]
    # @param suggestions [Array<String>]
    def initialize(name = nil, suggestions = [])
      shown = name && String.new(name, encoding: Encoding::UTF_8).scrub
      message = "the registry has no crawler `#{shown}`"
      message += "; did you mean #{suggestions.join(", ")}?" unless suggestions.empty?
      super(message)
      @name = name
      @suggestions = suggestions
    end
  end

  # The compiled part panicked: a bug of this gem, whatever it was asked. The process goes on.
  class InternalError < Error; end
end
