// The interface of Google's library google/robotstxt over Verger's C ABI, header only, for C++17.
// Replace `#include "robots.h"` by `#include <verger/robots.h>`, and link libverger instead of
// librobots and Abseil.
//
// The answers equal the library's, bit for bit. The README lists the differences under "Migrate".
//
// Texts are `absl::string_view` if Abseil's header is found, as in the library. Otherwise, or with
// VERGER_STD_STRING_VIEW defined, they are `std::string_view`. Abseil need not be linked.
#ifndef VERGER_ROBOTS_H
#define VERGER_ROBOTS_H

#include <verger/verger.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if !defined(VERGER_STD_STRING_VIEW) && __has_include("absl/strings/string_view.h")
#include "absl/strings/string_view.h"
#elif !defined(VERGER_STD_STRING_VIEW)
#define VERGER_STD_STRING_VIEW
#endif

namespace googlebot {

namespace verger_internal {

// Abseil's is either its own class, as in Debian 12, or the standard's.
#ifdef VERGER_STD_STRING_VIEW
using StringView = std::string_view;
#else
using StringView = absl::string_view;
#endif

}  // namespace verger_internal

// The kind of a key, with the library's values.
enum class KeyType {
  USER_AGENT = 0,
  SITEMAP = 1,
  ALLOW = 2,
  DISALLOW = 3,
  UNKNOWN = 128
};

// Receives the results of ParseRobotsTxt in file order.
class RobotsParseHandler {
 public:
  RobotsParseHandler() = default;
  virtual ~RobotsParseHandler() = default;
  RobotsParseHandler(const RobotsParseHandler&) = delete;
  RobotsParseHandler& operator=(const RobotsParseHandler&) = delete;

  virtual void HandleRobotsStart() = 0;
  virtual void HandleRobotsEnd() = 0;

  // The texts live as long as the call. A NUL follows each, as in the library.
  virtual void HandleUserAgent(int line_num, verger_internal::StringView value) = 0;
  virtual void HandleAllow(int line_num, verger_internal::StringView value) = 0;
  virtual void HandleDisallow(int line_num, verger_internal::StringView value) = 0;
  virtual void HandleSitemap(int line_num, verger_internal::StringView value) = 0;
  virtual void HandleUnknownAction(int line_num, verger_internal::StringView action,
                                   verger_internal::StringView value) = 0;

  // Properties of a line, reported after its content.
  struct LineMetadata {
    bool is_empty = false;
    bool has_comment = false;
    bool is_comment = false;
    bool has_directive = false;
    bool is_acceptable_typo = false;
    bool is_line_too_long = false;
    bool is_missing_colon_separator = false;
  };

  virtual void ReportLineMetadata(int /*line_num*/, const LineMetadata& /*metadata*/) {}
};

namespace verger_internal {

struct Free {
  void operator()(verger_robots* it) const { verger_robots_free(it); }
  void operator()(verger_crawler* it) const { verger_crawler_free(it); }
  void operator()(verger_policy* it) const { verger_policy_free(it); }
  void operator()(verger_events* it) const { verger_events_free(it); }
};

template <typename Object>
using Owned = std::unique_ptr<Object, Free>;

// Throws `error` as an exception, or aborts without exceptions.
[[noreturn]] inline void Fail([[maybe_unused]] const verger_error& error) {
#ifdef __cpp_exceptions
  if (error.status == VERGER_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(error.message);
#else
  std::abort();
#endif
}

// Takes ownership of a returned object, or fails with `error` if it is null.
template <typename Object>
Owned<Object> Own(Object* object, const verger_error& error) {
  if (object == nullptr) Fail(error);
  return Owned<Object>(object);
}

// Returns a NUL-terminated copy, as the library's values are. Reuses `*to`.
inline StringView Terminated(const verger_text& text, std::string* to) {
  to->assign(text.len == 0 ? "" : text.data, text.len);
  return *to;
}

inline int Line(uint32_t line) {
  return line > static_cast<uint32_t>(INT_MAX) ? INT_MAX : static_cast<int>(line);
}

inline Owned<verger_robots> Parse(StringView body) {
  verger_error error;
  return Own(verger_parse(body.data(), body.size(), VERGER_DIALECT_GOOGLE, &error), error);
}

inline RobotsParseHandler::LineMetadata Metadata(const verger_line_metadata& from) {
  RobotsParseHandler::LineMetadata to;
  to.is_empty = from.is_empty;
  to.has_comment = from.has_comment;
  to.is_comment = from.is_comment;
  to.has_directive = from.has_directive;
  to.is_acceptable_typo = from.is_acceptable_typo;
  to.is_line_too_long = from.is_line_too_long;
  to.is_missing_colon_separator = from.is_missing_colon_separator;
  return to;
}

// Passes an event to the handler, with copies of its texts in `*texts`.
inline void Emit(const verger_event& event, std::string (*texts)[2], RobotsParseHandler* handler) {
  const int line = Line(event.line);
  const StringView action = Terminated(event.action, &(*texts)[0]);
  const StringView value = Terminated(event.value, &(*texts)[1]);
  switch (event.kind) {
    case VERGER_EVENT_KIND_START:
      return handler->HandleRobotsStart();
    case VERGER_EVENT_KIND_USER_AGENT:
      return handler->HandleUserAgent(line, value);
    case VERGER_EVENT_KIND_ALLOW:
      return handler->HandleAllow(line, value);
    case VERGER_EVENT_KIND_DISALLOW:
      return handler->HandleDisallow(line, value);
    case VERGER_EVENT_KIND_SITEMAP:
      return handler->HandleSitemap(line, value);
    case VERGER_EVENT_KIND_UNKNOWN_ACTION:
      return handler->HandleUnknownAction(line, action, value);
    case VERGER_EVENT_KIND_LINE_METADATA:
      return handler->ReportLineMetadata(line, Metadata(event.metadata));
    case VERGER_EVENT_KIND_END:
      return handler->HandleRobotsEnd();
  }
}

}  // namespace verger_internal

// Calls the handler for each line of a robots.txt. If it throws, parsing ends.
inline void ParseRobotsTxt(verger_internal::StringView robots_body,
                           RobotsParseHandler* parse_callback) {
  using verger_internal::Own;
  const auto robots = verger_internal::Parse(robots_body);
  verger_error error;
  const auto events = Own(verger_events_new(robots.get(), &error), error);
  verger_event event = {};
  std::string texts[2];
  while (verger_events_next(events.get(), &event)) {
    verger_internal::Emit(event, &texts, parse_callback);
  }
}

// Returns the kind of a key, and sets whether it is an accepted misspelling.
inline KeyType GetKeyType(verger_internal::StringView key, bool* is_acceptable_typo) {
  using verger_internal::StringView;
  class OneLine : public RobotsParseHandler {
   public:
    KeyType type = KeyType::UNKNOWN;
    bool is_typo = false;
    void HandleRobotsStart() override {}
    void HandleRobotsEnd() override {}
    void HandleUserAgent(int, StringView) override { type = KeyType::USER_AGENT; }
    void HandleAllow(int, StringView) override { type = KeyType::ALLOW; }
    void HandleDisallow(int, StringView) override { type = KeyType::DISALLOW; }
    void HandleSitemap(int, StringView) override { type = KeyType::SITEMAP; }
    void HandleUnknownAction(int, StringView, StringView) override {}
    void ReportLineMetadata(int, const LineMetadata& metadata) override {
      is_typo = is_typo || metadata.is_acceptable_typo;
    }
  } line;
  // Keys are compared by prefix, so a character that no key contains ends the key. A line would
  // strip leading white space, but no key contains it.
  constexpr std::string_view kNoKey(":#\r\n\0", 5);
  constexpr std::string_view kWhite(" \t\n\v\f\r");
  const std::string_view whole(key.data(), key.size());
  const std::string_view start = whole.substr(0, whole.find_first_of(kNoKey)).substr(0, 64);
  if (!start.empty() && kWhite.find(start.front()) == std::string_view::npos &&
      static_cast<unsigned char>(start.front()) < 0x80) {
    ParseRobotsTxt(std::string(start) + ": x", &line);
  }
  *is_acceptable_typo = line.is_typo;
  return line.type;
}

// Normalizes a pattern for comparison: escapes in upper case, non-ASCII bytes escaped. Returns
// whether `*dst` is new memory, which the caller frees with `delete[]`. If nothing changes, `*dst`
// is `src`.
inline bool MaybeEscapePattern(const char* src, char** dst) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  constexpr char kHexDigits[] = "0123456789ABCDEFabcdef";
  std::string form;
  for (const char* at = src; *at != '\0'; ++at) {
    const unsigned char byte = static_cast<unsigned char>(*at);
    if (byte >= 0x80) {
      form += {'%', kDigits[byte >> 4], kDigits[byte & 0xf]};
    } else if (byte == '%' && std::strspn(at + 1, kHexDigits) >= 2) {
      form += '%';
      for (int i = 0; i < 2; ++i) {
        ++at;
        form += *at >= 'a' ? static_cast<char>(*at - 'a' + 'A') : *at;
      }
    } else {
      form += static_cast<char>(byte);
    }
  }
  if (form == src) {
    *dst = const_cast<char*>(src);
    return false;
  }
  *dst = new char[form.size() + 1];
  std::memcpy(*dst, form.c_str(), form.size() + 1);
  return true;
}

// Returns the part of a URL that rules are compared with: path and query.
inline std::string GetPathParamsQuery(const std::string& url) {
  // Unlike the C ABI and matching, this does not end the path at a NUL.
  std::string asked = url;
  for (char& byte : asked) byte = byte == '\0' ? 'x' : byte;
  verger_error error;
  verger_buffer path;
  if (!verger_target_path(asked.data(), asked.size(), VERGER_DIALECT_GOOGLE, &path, &error)) {
    verger_internal::Fail(error);
  }
  // A slash, then the rest up to the fragment.
  const size_t rest = path.len - 1;
  verger_buffer_free(&path);
  return "/" + url.substr(std::min(url.find('#'), url.size()) - rest, rest);
}

// Matches URLs against robots.txt files. Reusable, in one thread at a time.
class RobotsMatcher {
 public:
  RobotsMatcher() = default;
  virtual ~RobotsMatcher() = default;
  RobotsMatcher(const RobotsMatcher&) = delete;
  RobotsMatcher& operator=(const RobotsMatcher&) = delete;

  // Returns whether a name has only the characters of user-agent lines: [a-zA-Z_-].
  static bool IsValidUserAgentToObey(verger_internal::StringView user_agent) {
    return verger_is_product_token(user_agent.data(), user_agent.size());
  }

  // Returns whether `url` may be fetched under the groups that name any of `user_agents`.
  bool AllowedByRobots(verger_internal::StringView robots_body,
                       const std::vector<std::string>* user_agents, const std::string& url) {
    if (user_agents->size() == 1) {
      return OneAgentAllowedByRobots(robots_body, user_agents->front(), url);
    }
    verdict_ = verger_verdict();
    const auto crawler = Crawler(*user_agents);
    verger_error error;
    return Answer(verger_decide_for(robots_body.data(), robots_body.size(), crawler.get(),
                                    url.data(), url.size(), VERGER_DIALECT_GOOGLE, &error),
                  error);
  }

  bool OneAgentAllowedByRobots(verger_internal::StringView robots_txt,
                               const std::string& user_agent, const std::string& url) {
    verdict_ = verger_verdict();
    verger_error error;
    return Answer(verger_decide(robots_txt.data(), robots_txt.size(), user_agent.data(),
                                user_agent.size(), url.data(), url.size(), VERGER_DIALECT_GOOGLE,
                                &error),
                  error);
  }

  // Returns whether the last URL is disallowed.
  bool disallow() const {
    return verdict_.reason != VERGER_REASON_NOT_ASKED && verdict_.effect == VERGER_EFFECT_DISALLOW;
  }

  // Like disallow(), but ignores groups for `*`.
  bool disallow_ignore_global() const {
    return disallow() && ever_seen_specific_agent();
  }

  // Returns whether a user-agent line names one of the last agents.
  bool ever_seen_specific_agent() const { return verdict_.named_by == VERGER_NAMED_BY_TOKEN; }

  // Returns the line of the deciding rule, or 0.
  int matching_line() const { return verger_internal::Line(verdict_.line); }

 private:
  // Keeps the answer except for the pattern, so the body need not outlive the call.
  bool Answer(verger_verdict verdict, const verger_error& error) {
    if (verdict.status != VERGER_STATUS_OK) verger_internal::Fail(error);
    verdict.pattern = verger_text();
    verdict_ = verdict;
    return verdict.effect == VERGER_EFFECT_ALLOW;
  }

  static verger_internal::Owned<verger_crawler> Crawler(const std::vector<std::string>& agents) {
    std::vector<verger_text> names;
    names.reserve(agents.size());
    for (const std::string& agent : agents) names.push_back({agent.data(), agent.size()});
    verger_error error;
    if (names.empty()) {
      // No line can name `*`, so the groups for `*` apply.
      const verger_text star = {"*", 1};
      return verger_internal::Own(verger_crawler_new(&star, 1, VERGER_DIALECT_GOOGLE, &error),
                                  error);
    }
    return verger_internal::Own(
        verger_crawler_union(names.data(), names.size(), VERGER_DIALECT_GOOGLE, &error), error);
  }

  // The last answer. It has no reason before the first call or after a failure.
  verger_verdict verdict_ = verger_verdict();
};

}  // namespace googlebot

#endif  // VERGER_ROBOTS_H
