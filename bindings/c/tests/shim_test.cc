// The shim where it has no table of questions: the handler, the reporter, keys, and what users of
// Google's library write. It is compiled with the standard's texts, and with those of tests/abseil.
#undef NDEBUG
#include <verger/reporting_robots.h>

#include <cassert>
#include <cstdio>
#include <type_traits>

namespace {

using googlebot::KeyType;
using googlebot::RobotsMatcher;
using googlebot::RobotsParsedLine;
using googlebot::RobotsParsingReporter;

#ifdef VERGER_STD_STRING_VIEW
using Text = std::string_view;
#else
using Text = absl::string_view;
static_assert(!std::is_same<Text, std::string_view>::value, "that of tests/abseil is its own class");
#endif

static_assert(!std::is_copy_constructible<RobotsMatcher>::value, "as in Google's library");

class Recorder : public googlebot::RobotsParseHandler {
 public:
  std::string seen;
  void HandleRobotsStart() override { seen += "start;"; }
  void HandleRobotsEnd() override { seen += "end"; }
  void HandleUserAgent(int line, Text value) override { Add(line, "agent", value); }
  void HandleAllow(int line, Text value) override { Add(line, "allow", value); }
  void HandleDisallow(int line, Text value) override { Add(line, "disallow", value); }
  void HandleSitemap(int line, Text value) override { Add(line, "sitemap", value); }
  void HandleUnknownAction(int line, Text action, Text value) override {
    Add(line, action, value);
  }

 private:
  static std::string Plain(Text text) { return std::string(text.data(), text.size()); }

  void Add(int line, Text kind, Text value) {
    seen += std::to_string(line) + " " + Plain(kind) + " " + Plain(value) + ";";
  }
};

void AHandlerGetsEventsInOrderWithEscapedValues() {
  Recorder recorder;
  googlebot::ParseRobotsTxt("User-agent: a # x\nDisallow: /\xC3\xA9%aa\nallow:\nHost: h\nsite-map: s\n",
                            &recorder);
  assert(recorder.seen ==
         "start;1 agent a;2 disallow /%C3%A9%AA;3 allow ;4 Host h;5 sitemap s;end");
}

void TextsOfAHandlerAreCStringsToo() {
  class CStrings : public Recorder {
    void HandleUserAgent(int line, Text value) override {
      Recorder::HandleUserAgent(line, std::string(value.data()));
    }
    void HandleDisallow(int line, Text value) override {
      Recorder::HandleDisallow(line, std::string(value.data()));
    }
    void HandleUnknownAction(int line, Text action, Text value) override {
      Recorder::HandleUnknownAction(line, std::string(action.data()), std::string(value.data()));
    }
  } handler;
  googlebot::ParseRobotsTxt("User-agent: a # x\nUser-agent:\nDisallow: /x # y\nHost : h\n", &handler);
  assert(handler.seen == "start;1 agent a;2 agent ;3 disallow /x;4 Host h;end");
}

#ifdef __cpp_exceptions
void AHandlerMayThrow() {
  class Throws : public Recorder {
    void HandleDisallow(int, Text) override { throw 7; }
  } handler;
  int thrown = 0;
  try {
    googlebot::ParseRobotsTxt("user-agent: *\ndisallow: /\n", &handler);
  } catch (int number) {
    thrown = number;
  }
  assert(thrown == 7 && handler.seen == "start;1 agent *;");
}
#else
void AHandlerMayThrow() {}
#endif

void TheReporterSaysWhatEachLineIs() {
  RobotsParsingReporter reporter;
  googlebot::ParseRobotsTxt(
      "User-agent: x\n"       // 1
      "Disallow /a # no\n"    // 2
      "dissallow: /b\n"       // 3
      "# nothing\n"           // 4
      "\n"                    // 5
      "NoIndex: /c\n"         // 6
      "colour: blue\n"        // 7
      "words without sense\n" // 8
      "Sitemap: s\n",         // 9, and 10 after it
      &reporter);
  const std::vector<RobotsParsedLine> lines = reporter.parse_results();
  assert(lines.size() == 10 && reporter.last_line_seen() == 10);
  assert(reporter.valid_directives() == 4 && reporter.unused_directives() == 2);
  const RobotsParsedLine::RobotsTagName tags[] = {
      RobotsParsedLine::kUserAgent, RobotsParsedLine::kDisallow, RobotsParsedLine::kDisallow,
      RobotsParsedLine::kUnknown,   RobotsParsedLine::kUnknown,  RobotsParsedLine::kUnused,
      RobotsParsedLine::kUnknown,   RobotsParsedLine::kUnknown,  RobotsParsedLine::kSitemap,
      RobotsParsedLine::kUnknown};
  for (size_t i = 0; i < lines.size(); ++i) {
    assert(lines[i].line_num == static_cast<int>(i) + 1 && lines[i].tag_name == tags[i]);
    assert(lines[i].is_typo == (i == 2) && lines[i].metadata.is_acceptable_typo == (i == 2));
    assert(lines[i].metadata.has_comment == (i == 1 || i == 3));
    assert(lines[i].metadata.is_comment == (i == 3));
    assert(lines[i].metadata.is_empty == (i == 4 || i == 9));
    assert(lines[i].metadata.is_missing_colon_separator == (i == 1));
    assert(lines[i].metadata.has_directive == (i != 3 && i != 4 && i != 7 && i != 9));
    assert(!lines[i].metadata.is_line_too_long);
  }
  googlebot::ParseRobotsTxt(std::string(16664, 'x') + "\n" + std::string(16663, 'x'), &reporter);
  assert(reporter.parse_results()[0].metadata.is_line_too_long);
  assert(!reporter.parse_results()[1].metadata.is_line_too_long);
}

void KeysAreThoseOfTheLibrary() {
  const struct {
    Text key;
    KeyType type;
    bool is_typo;
  } keys[] = {{"User-Agent", KeyType::USER_AGENT, false}, {"useragent", KeyType::USER_AGENT, true},
              {"user agent", KeyType::USER_AGENT, true},  {"Allowed", KeyType::ALLOW, false},
              {"disalow", KeyType::DISALLOW, true},       {"disallow:x", KeyType::DISALLOW, false},
              {"site-map", KeyType::SITEMAP, true},       {"allow#", KeyType::ALLOW, false},
              {" allow", KeyType::UNKNOWN, false},        {"", KeyType::UNKNOWN, false},
              {"\xEF\xBB\xBF" "allow", KeyType::UNKNOWN, false}, {"#allow", KeyType::UNKNOWN, false},
              {"disallo", KeyType::UNKNOWN, false},       {"host", KeyType::UNKNOWN, false}};
  for (const auto& it : keys) {
    bool is_typo = !it.is_typo;
    assert(googlebot::GetKeyType(it.key, &is_typo) == it.type && is_typo == it.is_typo);
  }
}

void PatternsAreEscapedAsTheLibraryDoes() {
  const struct {
    const char* pattern;
    const char* form;
  } patterns[] = {{"http://h/x", "http://h/x"}, {"", ""},           {"/%aa", "/%AA"},
                  {"/%AA", "/%AA"},             {"/%a", "/%a"},     {"/%", "/%"},
                  {"/%ag%Bc", "/%ag%BC"},       {"/%%aa", "/%%AA"}, {"/\xC3\xA9", "/%C3%A9"},
                  {"\x80%\xFF", "%80%%FF"},     {"/~ \"*$", "/~ \"*$"}};
  for (const auto& it : patterns) {
    char* form = nullptr;
    const bool is_new = googlebot::MaybeEscapePattern(it.pattern, &form);
    assert(std::string(form) == it.form);
    assert(is_new == (std::string(it.form) != it.pattern) && is_new == (form != it.pattern));
    if (is_new) delete[] form;
  }
}

void APathGoesOnAfterANulAndMatchingDoesNot() {
  const std::string nul(1, '\0');
  const struct {
    std::string url, path;
  } urls[] = {{"http://h/x" + nul + "y?z", "/x" + nul + "y?z"},
              {"http://h" + nul + "?x" + nul + "#y" + nul, "/?x" + nul},
              {"//h;" + nul, "/;" + nul},
              {"ht" + nul + "p://h/x", "/x"},
              {"http://h#/x" + nul, "/"},
              {nul, "/"},
              {"", "/"},
              {"http://h/#", "/"},
              {"a/b#c#d", "/b"}};
  for (const auto& it : urls) assert(googlebot::GetPathParamsQuery(it.url) == it.path);
  RobotsMatcher matcher;
  const std::string body = "user-agent: a\ndisallow: /x$\n";
  assert(!matcher.OneAgentAllowedByRobots(body, "a", urls[0].url));
}

void AMatcherKeepsWhatItWasAsked() {
  RobotsMatcher matcher;
  assert(!matcher.disallow() && matcher.matching_line() == 0 && !matcher.ever_seen_specific_agent());
  {
    const std::string body = "user-agent: *\ndisallow: /\nuser-agent: a\ndisallow: /x\n";
    assert(!matcher.OneAgentAllowedByRobots(body, "b", "/y"));
  }
  assert(matcher.disallow() && !matcher.disallow_ignore_global() && matcher.matching_line() == 2);
  const std::string body = "user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y\n";
  const std::vector<std::string> agents = {"A", "b"}, none;
  assert(!matcher.AllowedByRobots(body, &agents, "http://h/y") && matcher.matching_line() == 4);
  assert(!matcher.AllowedByRobots(body, &agents, "http://h/x") && matcher.matching_line() == 2);
  assert(matcher.disallow_ignore_global() && matcher.ever_seen_specific_agent());
  assert(matcher.AllowedByRobots(body, &none, "http://h/x") && !matcher.ever_seen_specific_agent());
  assert(matcher.AllowedByRobots(body, &agents, "http://h/z") && matcher.ever_seen_specific_agent());
  assert(matcher.OneAgentAllowedByRobots({}, "", "") && matcher.matching_line() == 0);
  assert(RobotsMatcher::IsValidUserAgentToObey("Foobot-Bar_"));
  assert(!RobotsMatcher::IsValidUserAgentToObey("Foobot/2.1"));
  assert(!RobotsMatcher::IsValidUserAgentToObey(""));
}

}  // namespace

int main() {
  AHandlerGetsEventsInOrderWithEscapedValues();
  TextsOfAHandlerAreCStringsToo();
  AHandlerMayThrow();
  TheReporterSaysWhatEachLineIs();
  KeysAreThoseOfTheLibrary();
  PatternsAreEscapedAsTheLibraryDoes();
  APathGoesOnAfterANulAndMatchingDoesNot();
  AMatcherKeepsWhatItWasAsked();
  std::printf("shim: 8 passed, 0 failed\n");
  return 0;
}
