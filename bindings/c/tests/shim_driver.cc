// Answers questions as Google's library would, through the shim: records in, a record out for each.
// google, body, url, agent... -> allowed, disallow, disallow_ignore_global, seen, line
// path, url -> the path
#include <verger/robots.h>

#include "fields.h"

namespace {

std::string Text(const field& it) { return it.len == 0 ? std::string() : std::string(it.data, it.len); }

void Write(const std::string& text) { field_write(stdout, text.data(), text.size()); }

void Ask(const record& it, googlebot::RobotsMatcher* matcher) {
  const std::string url = Text(it.fields[2]);
  std::vector<std::string> agents;
  for (size_t i = 3; i < it.count; ++i) agents.push_back(Text(it.fields[i]));
  const std::string body = Text(it.fields[1]);
  const bool allowed = matcher->AllowedByRobots(body, &agents, url);
  // A matcher that was not used before answers the same.
  googlebot::RobotsMatcher fresh;
  const bool of_fresh = agents.size() == 1
                            ? fresh.OneAgentAllowedByRobots(body, agents.front(), url)
                            : fresh.AllowedByRobots(body, &agents, url);
  std::printf("5\n");
  Write(allowed == of_fresh ? (allowed ? "1" : "0") : "answers that differ");
  Write(matcher->disallow() ? "1" : "0");
  Write(matcher->disallow_ignore_global() ? "1" : "0");
  Write(matcher->ever_seen_specific_agent() ? "1" : "0");
  Write(std::to_string(matcher->matching_line()));
}

}  // namespace

int main() {
  record it = {};
  googlebot::RobotsMatcher matcher;
  while (record_read(&it, stdin)) {
    if (field_is(&it.fields[0], "google")) {
      Ask(it, &matcher);
    } else {
      std::printf("1\n");
      Write(googlebot::GetPathParamsQuery(Text(it.fields[1])));
    }
  }
  record_free(&it);
  return std::fflush(stdout) == 0 ? 0 : 2;
}
