// googlebot::RobotsMatcher as a peer: of the shim with -DVERGER_SHIM, or else of the robots.h that the compiler
// finds.
#ifdef VERGER_SHIM
#include <verger/robots.h>
#else
#include "robots.h"
#endif

#include <cstdint>
#include <string>

extern "C" int32_t verger_bench_allowed(const uint8_t* body, size_t body_len, const uint8_t* agent,
                                        size_t agent_len, const uint8_t* url, size_t url_len) {
  const auto text = [](const uint8_t* data, size_t len) {
    return std::string(reinterpret_cast<const char*>(data), len);
  };
  googlebot::RobotsMatcher matcher;
  return matcher.OneAgentAllowedByRobots({reinterpret_cast<const char*>(body), body_len},
                                         text(agent, agent_len), text(url, url_len));
}
