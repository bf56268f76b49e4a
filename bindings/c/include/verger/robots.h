// The interface of Google's library google/robotstxt over Verger's C ABI: where its users write
// `#include "robots.h"`, they write `#include <verger/robots.h>`, and link libverger instead of
// librobots and Abseil. Header only; C++17.
//
// The answers are those of the library, bit for bit. What differs is listed in the README, under
// "Moving here".
//
// Texts are `absl::string_view` where Abseil's header is found, as in the library, and
// `std::string_view` elsewhere. With VERGER_STD_STRING_VIEW defined they are always the latter. No
// function of Abseil has to be linked.
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

// Abseil's may be a class of its own (Debian 12 builds it so), or the standard's.
#ifdef VERGER_STD_STRING_VIEW
using StringView = std::string_view;
#else
using StringView = absl::string_view;
#endif

}  // namespace verger_internal

// The kind of a key. The values are the library's.
enum class KeyType {
  USER_AGENT = 0,
  SITEMAP = 1,
  ALLOW = 2,
  DISALLOW = 3,
  UNKNOWN = 128
};

// Receives what ParseRobotsTxt finds, in the order of the file.
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

  // What is said about a line, after what it holds.
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

// Throws what `error` says, or aborts where the compiler has no exceptions.
[[noreturn]] inline void Fail([[maybe_unused]] const verger_error& error) {
#ifdef __cpp_exceptions
  if (error.status == VERGER_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(error.message);
#else
  std::abort();
#endif
}

// Takes what a function of the C ABI returned; fails with `error` where that is nothing.
template <typename Object>
Owned<Object> Own(Object* object, const verger_error& error) {
  if (object == nullptr) Fail(error);
  return Owned<Object>(object);
}

// A copy with a NUL after it, as the values of the library have; `*to` is used again.
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

// Calls the handler with what the library found, of which `*texts` keeps copies.
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

// Calls the handler for each line of a robots.txt. It may throw; then parsing ends.
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

// The kind of a key, and whether it is an accepted misspelling.
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
  // A key is compared by how it starts, so that a character that a key cannot contain ends it. White
  // space before it belongs to no key; a line would lose it.
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

// Puts the form in which patterns are compared into `*dst`: escapes in capitals, bytes that are not
// ASCII escaped. Returns whether that is new memory, which the caller deletes with `delete[]`; where
// nothing changes, `*dst` is `src`.
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

// Path and query of a URL: what rules are compared with.
inline std::string GetPathParamsQuery(const std::string& url) {
  // The C ABI ends the path at a NUL, as matching does; here it is a character as any other.
  std::string asked = url;
  for (char& byte : asked) byte = byte == '\0' ? 'x' : byte;
  verger_error error;
  verger_buffer path;
  if (!verger_target_path(asked.data(), asked.size(), VERGER_DIALECT_GOOGLE, &path, &error)) {
    verger_internal::Fail(error);
  }
  // A slash, and what is before the fragment.
  const size_t rest = path.len - 1;
  verger_buffer_free(&path);
  return "/" + url.substr(std::min(url.find('#'), url.size()) - rest, rest);
}

// Matches URLs against robots.txt files, one after the other. It may be used again, by one thread at
// a time.
class RobotsMatcher {
 public:
  RobotsMatcher() = default;
  virtual ~RobotsMatcher() = default;
  RobotsMatcher(const RobotsMatcher&) = delete;
  RobotsMatcher& operator=(const RobotsMatcher&) = delete;

  // Whether a name has only the characters that a user-agent line can hold: [a-zA-Z_-].
  static bool IsValidUserAgentToObey(verger_internal::StringView user_agent) {
    return verger_is_product_token(user_agent.data(), user_agent.size());
  }

  // Whether `url` may be fetched under the groups that name any of `user_agents`.
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

  // Whether the URL of the last question is disallowed.
  bool disallow() const {
    return verdict_.reason != VERGER_REASON_NOT_ASKED && verdict_.effect == VERGER_EFFECT_DISALLOW;
  }

  // The same, but for the rules of groups for `*`.
  bool disallow_ignore_global() const {
    return disallow() && ever_seen_specific_agent();
  }

  // Whether a user-agent line names one of the agents of the last question.
  bool ever_seen_specific_agent() const { return verdict_.named_by == VERGER_NAMED_BY_TOKEN; }

  // The line of the rule that decided, or 0.
  int matching_line() const { return verger_internal::Line(verdict_.line); }

 private:
  // The answer, which is kept, but for the pattern: the body need not outlive the call.
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
      // `*` is no name that a line can have, so the groups for `*` apply.
      const verger_text star = {"*", 1};
      return verger_internal::Own(verger_crawler_new(&star, 1, VERGER_DIALECT_GOOGLE, &error),
                                  error);
    }
    return verger_internal::Own(
        verger_crawler_union(names.data(), names.size(), VERGER_DIALECT_GOOGLE, &error), error);
  }

  // The answer to the last question; before the first, and where one failed, it has no reason.
  verger_verdict verdict_ = verger_verdict();
};

}  // namespace googlebot

#endif  // VERGER_ROBOTS_H
