/* 16 threads ask the same objects at once, each for itself as well.
 *
 * With an argument as many questions as one thread has come first, for helgrind. What the library finds out once, on
 * first use what the processor can and after some questions an index of a policy's rules, it publishes by atomics, which
 * helgrind takes for races. So helgrind does not see how an index is made; without the argument all threads make it at the
 * same time. */
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <verger/verger.h>

enum { THREADS = 16, QUESTIONS = 500 };

static const char BODY[] =
    "User-agent: a\nDisallow: /x*y$\nAllow: /x/1\nSitemap: https://e/s\nCrawl-delay: 2\n"
    "Request-rate: 1/10 0800-0859\nContent-Signal: search=yes\n\nUser-agent: *\nDisallow: /\n";

static verger_robots *robots;
static verger_crawler *crawler;
static verger_policy *policy;
static verger_pacing *pacing;

static void ask_once(int number) {
  char url[32];
  const size_t len = (size_t)snprintf(url, sizeof url, "/x/%d/y", number);
  verger_error error;
  const verger_verdict verdict = verger_policy_decide(policy, url, len, &error);
  assert(error.status == VERGER_STATUS_OK && verdict.pattern.len == (verdict.line == 2 ? 5u : 4u));
  assert(memcmp(verdict.pattern.data, verdict.line == 2 ? "/x*y$" : "/x/1", verdict.pattern.len) == 0);
  assert(verdict.line == 2 || url[3] == '1');
  assert(verger_policy_allowed(policy, url, len, NULL) == (verdict.effect == VERGER_EFFECT_ALLOW));
  assert(!verger_policy_allowed(policy, "no url", 6, &error));
  assert(error.status == VERGER_STATUS_NOT_A_TARGET);
}

static void use_what_is_shared(int number) {
  verger_policy *own = verger_policy_new(robots, crawler, NULL);
  assert(verger_policy_rule_count(own) == 2);
  verger_policy_free(own);
  verger_records *sitemaps = verger_sitemaps(robots, NULL);
  verger_record record;
  assert(verger_records_next(sitemaps, &record) && record.line == 4);
  verger_records_free(sitemaps);
  assert(verger_pacing_wait_milliseconds(pacing, 8 * 3600) == 10000);
  assert(verger_pacing_wait_milliseconds(pacing, 9 * 3600) == 2000);
  verger_content_signal signal;
  assert(verger_content_signal_for(robots, crawler, &signal, NULL) == VERGER_STATUS_OK);
  assert(signal.search == VERGER_SIGNAL_YES);
  verger_signal_pairs *pairs = verger_signal_pairs_new(robots, crawler, NULL);
  verger_signal_pair pair;
  assert(verger_signal_pairs_next(pairs, &pair) && pair.line == 7);
  verger_signal_pairs_free(pairs);
  if (number % 100 == 0) {
    verger_buffer json;
    assert(verger_explain_json(robots, crawler, "/x", 2, &json, NULL));
    verger_buffer_free(&json);
  }
}

static void *ask(void *start) {
  const int first = *(const int *)start;
  for (int i = first; i < first + QUESTIONS; i++) {
    ask_once(i);
    if (i % 10 == 0) use_what_is_shared(i);
  }
  return NULL;
}

int main(int argument_count, char **arguments) {
  (void)arguments;
  const verger_text name = {"A", 1};
  robots = verger_parse(BODY, strlen(BODY), VERGER_DIALECT_RFC9309, NULL);
  crawler = verger_crawler_new(&name, 1, VERGER_DIALECT_RFC9309, NULL);
  policy = verger_policy_new(robots, crawler, NULL);
  pacing = verger_pacing_new(robots, crawler, NULL);
  assert(policy != NULL && pacing != NULL);
  if (argument_count > 1) {
    for (int i = 0; i < QUESTIONS; i++) ask_once(i);
    use_what_is_shared(0);
  }
  pthread_t threads[THREADS];
  int starts[THREADS];
  for (int i = 0; i < THREADS; i++) {
    starts[i] = i * 7;
    assert(pthread_create(&threads[i], NULL, ask, &starts[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) assert(pthread_join(threads[i], NULL) == 0);
  verger_pacing_free(pacing);
  verger_policy_free(policy);
  verger_crawler_free(crawler);
  verger_robots_free(robots);
  printf("threads: 1 passed, 0 failed\n");
  return 0;
}
