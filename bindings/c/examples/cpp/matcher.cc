// Code for Google's library, with a different include.
#include <verger/robots.h>

#include <iostream>

int main() {
  const std::string body =
      "User-agent: FooBot\n"
      "Disallow: /private/\n"
      "Allow: /private/press/\n";

  googlebot::RobotsMatcher matcher;
  for (const char* url : {"https://example.com/", "https://example.com/private/x",
                          "https://example.com/private/press/1"}) {
    const bool allowed = matcher.OneAgentAllowedByRobots(body, "FooBot", url);
    std::cout << (allowed ? "allow    " : "disallow ") << url << ", line "
              << matcher.matching_line() << "\n";
  }
}
