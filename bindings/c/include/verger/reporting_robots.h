// The reporter of google/robotstxt over Verger's C ABI, which classifies each line of a robots.txt.
// It replaces `#include "reporting_robots.h"`.
#ifndef VERGER_REPORTING_ROBOTS_H
#define VERGER_REPORTING_ROBOTS_H

#include <verger/robots.h>

#include <map>
#include <string_view>
#include <vector>

namespace googlebot {

// The classification of a line.
struct RobotsParsedLine {
  enum RobotsTagName {
    // An unknown key, a comment, or an empty line.
    kUnknown = 0,
    kUserAgent = 1,
    kAllow = 2,
    kDisallow = 3,
    kSitemap = 4,
    // A known but unused key, such as `noindex`.
    kUnused = 5,
  };

  int line_num = 0;
  RobotsTagName tag_name = kUnknown;
  bool is_typo = false;
  RobotsParseHandler::LineMetadata metadata;
};

// Counts and stores the results of ParseRobotsTxt.
class RobotsParsingReporter : public RobotsParseHandler {
 public:
  void HandleRobotsStart() override {
    last_line_seen_ = 0;
    valid_directives_ = 0;
    unused_directives_ = 0;
  }
  void HandleRobotsEnd() override {}
  void HandleUserAgent(int line_num, verger_internal::StringView) override {
    Digest(line_num, RobotsParsedLine::kUserAgent);
  }
  void HandleAllow(int line_num, verger_internal::StringView) override {
    Digest(line_num, RobotsParsedLine::kAllow);
  }
  void HandleDisallow(int line_num, verger_internal::StringView) override {
    Digest(line_num, RobotsParsedLine::kDisallow);
  }
  void HandleSitemap(int line_num, verger_internal::StringView) override {
    Digest(line_num, RobotsParsedLine::kSitemap);
  }
  void HandleUnknownAction(int line_num, verger_internal::StringView action,
                           verger_internal::StringView) override {
    ++unused_directives_;
    Digest(line_num, IsUnused(action) ? RobotsParsedLine::kUnused : RobotsParsedLine::kUnknown);
  }
  void ReportLineMetadata(int line_num, const LineMetadata& metadata) override {
    RobotsParsedLine& line = At(line_num);
    line.is_typo = metadata.is_acceptable_typo;
    line.metadata = metadata;
  }

  int last_line_seen() const { return last_line_seen_; }
  int valid_directives() const { return valid_directives_; }
  int unused_directives() const { return unused_directives_; }
  std::vector<RobotsParsedLine> parse_results() const {
    std::vector<RobotsParsedLine> lines;
    lines.reserve(lines_.size());
    for (const auto& numbered : lines_) lines.push_back(numbered.second);
    return lines;
  }

 private:
  // Keys that Google's reporter knows but its library does not use.
  static bool IsUnused(verger_internal::StringView action) {
    constexpr std::string_view kUnused[] = {
        "clean-param", "content-signal", "content-usage", "crawl-delay",
        "domain",      "host",           "noarchive",     "nofollow",
        "noindex",     "request-rate",   "revisit-after", "visit-time"};
    for (const std::string_view key : kUnused) {
      if (EqualsIgnoringCase({action.data(), action.size()}, key)) return true;
    }
    return false;
  }

  // `key` is in lower case.
  static bool EqualsIgnoringCase(std::string_view text, std::string_view key) {
    if (text.size() != key.size()) return false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char byte = text[i];
      const char lower = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
      if (lower != key[i]) return false;
    }
    return true;
  }

  RobotsParsedLine& At(int line_num) {
    if (line_num > last_line_seen_) last_line_seen_ = line_num;
    RobotsParsedLine& line = lines_[line_num];
    line.line_num = line_num;
    return line;
  }

  void Digest(int line_num, RobotsParsedLine::RobotsTagName tag_name) {
    const bool is_valid =
        tag_name != RobotsParsedLine::kUnknown && tag_name != RobotsParsedLine::kUnused;
    if (is_valid) ++valid_directives_;
    At(line_num).tag_name = tag_name;
  }

  std::map<int, RobotsParsedLine> lines_;
  int last_line_seen_ = 0;
  int valid_directives_ = 0;
  int unused_directives_ = 0;
};

}  // namespace googlebot

#endif  // VERGER_REPORTING_ROBOTS_H
