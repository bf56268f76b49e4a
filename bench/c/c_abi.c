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

/* The same body read once, for all URLs. */
int64_t verger_bench_allowed_count(const uint8_t *body, size_t body_len, const uint8_t *agent,
                                   size_t agent_len, const uint8_t *const *urls,
                                   const size_t *url_lens, size_t url_count) {
  verger_error error;
  verger_robots *robots =
      verger_parse((const char *)body, body_len, VERGER_DIALECT_GOOGLE, &error);
  const verger_text name = {(const char *)agent, agent_len};
  verger_crawler *crawler = verger_crawler_new(&name, 1, VERGER_DIALECT_GOOGLE, &error);
  verger_policy *policy = verger_policy_new(robots, crawler, &error);
  int64_t allowed = policy == NULL ? -1 : 0;
  for (size_t nth = 0; policy != NULL && nth < url_count; nth++) {
    allowed += verger_policy_allowed(policy, (const char *)urls[nth], url_lens[nth], &error);
  }
  verger_policy_free(policy);
  verger_crawler_free(crawler);
  verger_robots_free(robots);
  return allowed;
}
