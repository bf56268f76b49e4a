# frozen_string_literal: true

require "test_helper"
require "readme"

# The page's examples say the truth.
class ReadmeTest < Minitest::Test
  def test_every_example_answers_as_it_says
    assert_operator Readme.new(File.join(ROOT, "README.md")).run, :>, 20
  end

  def test_an_example_that_lies_is_caught
    Dir.mktmpdir do |folder|
      page = File.join(folder, "page.md")
      File.write(page, "```ruby\n1 + 1 # => 3\n```\n")
      assert_raises(Readme::Mismatch) { Readme.new(page).run }
    end
  end
end
