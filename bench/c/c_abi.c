/* Verger's C ABI as a peer of the bench. */
#include <verger/verger.h>

int32_t verger_bench_allowed(const uint8_t *body, size_t body_len, const uint8_t *agent,
                             size_t agent_len, const uint8_t *url, size_t url_len) {
  verger_error error;
  const bool allowed =
      verger_allowed((const char *)body, body_len, (const char *)agent, agent_len, (const char *)url,
                     url_len, VERGER_DIALECT_GOOGLE, &error);
  return error.status == VERGER_STATUS_OK ? allowed : -1;
}
