# frozen_string_literal: true

# Runs the Ruby examples of a Markdown page and checks lines that end in `# => value`. As a program, takes the path of
# the page.
class Readme
  BLOCK = /^```ruby\n(.*?)^```/m
  HELD = /^(?<code>\s*\S.*?)\s+# => (?<expected>.*)$/

  # An example whose result differs from its page.
  class Mismatch < StandardError; end

  def initialize(path)
    @blocks = File.read(path, encoding: "UTF-8").scan(BLOCK).flatten
    @held = 0
  end

  # Runs all blocks in order, in one binding.
  #
  # @return [Integer] the number of lines that were checked
  def run
    place = Object.new.instance_eval { binding }
    place.local_variable_set(:readme, self)
    @blocks.each { |block| place.eval(instrumented(block), "README.md") }
    @held
  end

  def hold(value, expected)
    raise Mismatch, "#{value.inspect} is not #{expected}" unless value.inspect == expected

    @held += 1
  end

  private

  def instrumented(block)
    block.each_line.map do |line|
      held = line.match(HELD)
      held ? "readme.hold((#{held[:code].strip}), #{held[:expected].inspect})\n" : line
    end.join
  end
end

if $PROGRAM_NAME == __FILE__
  held = Readme.new(ARGV.fetch(0)).run
  puts "#{held} lines of the page are as they say"
end
