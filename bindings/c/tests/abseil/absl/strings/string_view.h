// In place of Abseil's header: a class that is not the standard's, as in the Abseil of Debian 12, with
// no more than `robots.h` and its users need.
#ifndef VERGER_TESTS_ABSEIL_STRING_VIEW_H
#define VERGER_TESTS_ABSEIL_STRING_VIEW_H

#include <cstddef>
#include <cstring>
#include <string>

namespace absl {

class string_view {
 public:
  constexpr string_view() = default;
  constexpr string_view(const char* data, std::size_t size) : data_(data), size_(size) {}
  string_view(const char* text) : data_(text), size_(std::strlen(text)) {}
  string_view(const std::string& text) : data_(text.data()), size_(text.size()) {}

  constexpr const char* data() const { return data_; }
  constexpr std::size_t size() const { return size_; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace absl

#endif  // VERGER_TESTS_ABSEIL_STRING_VIEW_H
