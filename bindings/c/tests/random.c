/* Random bytes, lengths, numbers and orders of calls for so many seconds, under a sanitizer or
 * valgrind: random SECONDS [SEED]. Every text is a block of its own, so that one byte too many is
 * seen. What the header promises of any input is asserted. */
#undef NDEBUG
#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <verger/verger.h>

static uint64_t state;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static size_t below(size_t bound) { return (size_t)(draw() % bound); }

static const char *const WORDS[] = {
    "User-agent", "Disallow", "Allow",    "Sitemap", "Crawl-delay", ":",  " ",    "\n",  "\r\n", "\r",
    "*",          "$",        "/",        "#",       "a",           "FooBot", "%2F", "%e9", "\xC3\xA9",
    "\xEF\xBB\xBF", "index.html", "?q=1", "http://h", "//",         "1.5", "dissallow", "/*a*b", "Host", "\t",
    "Request-rate", "Visit-time", "Content-Signal", "1/10m ", "0600-0459", "search=yes", ",", "ai-train=no"};

/* A text that the caller frees; null of length 0 at times. */
static char *text(size_t words_max, size_t *len) {
  *len = 0;
  const size_t words = below(words_max + 1);
  char *bytes = malloc(words * 16 + 1);
  assert(bytes != NULL);
  for (size_t i = 0; i < words; i++) {
    if (below(8) == 0) {
      bytes[(*len)++] = (char)draw();
      continue;
    }
    const char *word = WORDS[below(sizeof WORDS / sizeof *WORDS)];
    memcpy(bytes + *len, word, strlen(word));
    *len += strlen(word);
  }
  if (*len == 0) {
    free(bytes);
    return NULL;
  }
  char *exact = malloc(*len);
  assert(exact != NULL);
  memcpy(exact, bytes, *len);
  free(bytes);
  return exact;
}

/* Mostly a dialect. */
static uint32_t some_dialect(void) { return (uint32_t)(below(20) == 0 ? draw() : below(4)); }

/* Mostly the length; else one that is none. */
static size_t some_length(size_t len) {
  return below(50) == 0 ? (size_t)PTRDIFF_MAX + 1 + below(1000) : len;
}

static verger_error *some_error(verger_error *error) { return below(4) == 0 ? NULL : error; }

static uint64_t bytes_seen;

/* Reads a text that came out, to its last byte. */
static void see(verger_text it) {
  for (size_t i = 0; i < it.len; i++) bytes_seen += (unsigned char)it.data[i];
}

static verger_crawler *some_crawler(uint32_t dialect) {
  verger_text names[4];
  verger_error error;
  const size_t count = below(5);
  for (size_t i = 0; i < count; i++) {
    size_t len;
    names[i].data = text(2, &len);
    names[i].len = some_length(len);
    if (names[i].data == NULL && names[i].len != len) names[i].len = 0;
  }
  verger_crawler *it;
  const verger_text *list = below(30) == 0 ? NULL : names;
  switch (below(4)) {
    case 0: it = verger_crawler_union(list, count, dialect, some_error(&error)); break;
    case 1:
      it = count == 0 ? NULL
                      : verger_crawler_known(names[0].data, names[0].len, dialect, some_error(&error));
      break;
    case 2:
      it = count == 0 ? NULL : verger_crawler_of_header(names[0].data, names[0].len, some_error(&error));
      break;
    default: it = verger_crawler_new(list, count, dialect, some_error(&error));
  }
  for (size_t i = 0; i < count; i++) free((char *)(uintptr_t)names[i].data);
  return it;
}

static uint64_t some_time(void) { return below(4) == 0 ? draw() : below(86400); }

static void pace(const verger_robots *robots, const verger_crawler *crawler) {
  verger_error error;
  verger_pacing *pacing = verger_pacing_new(robots, crawler, some_error(&error));
  assert((pacing != NULL) == (robots != NULL && crawler != NULL));
  uint64_t longest = 0, milliseconds;
  uint32_t line;
  if (verger_pacing_crawl_delay(pacing, &milliseconds, &line)) {
    assert(line > 0);
    longest = milliseconds;
  }
  verger_request_rate rate;
  size_t count = 0;
  for (; verger_pacing_request_rate(pacing, count, &rate); count++) {
    assert(rate.requests > 0 && rate.seconds > 0 && rate.line > 0);
    assert(rate.window.first_minute < 1440 && rate.window.last_minute < 1440);
    if (rate.interval_milliseconds > longest) longest = rate.interval_milliseconds;
  }
  assert(count == verger_pacing_request_rate_count(pacing));
  verger_visit_time visit;
  const size_t visits = verger_pacing_visit_time_count(pacing);
  for (count = 0; verger_pacing_visit_time(pacing, count, &visit); count++) assert(visit.line > 0);
  assert(count == visits);
  if (pacing == NULL) longest = UINT64_MAX;
  assert(verger_pacing_wait_milliseconds(pacing, some_time()) <= longest);
  const bool welcome = verger_pacing_is_welcome(pacing, some_time());
  assert(welcome ? pacing != NULL : pacing == NULL || visits > 0);
  verger_pacing_free(pacing);
}

static void signals(verger_robots *robots, const verger_crawler *crawler) {
  verger_error error;
  verger_content_signal signal;
  const verger_status status =
      verger_content_signal_for(robots, crawler, &signal, some_error(&error));
  verger_signal_pairs *pairs = verger_signal_pairs_new(robots, crawler, some_error(&error));
  assert((pairs != NULL) == (status >= 0));
  if (below(2)) verger_robots_free(robots), robots = NULL;
  verger_signal_pair pair;
  size_t count = 0;
  for (; verger_signal_pairs_next(pairs, &pair); count++) {
    assert(pair.key.len > 0 && pair.line > 0);
    see(pair.key);
    see(pair.value);
  }
  if (status >= 0) assert((count == 0) == (status == VERGER_STATUS_ABSENT));
  verger_signal_pairs_free(pairs);
  verger_robots_free(robots);
}

static void walk(verger_robots *robots, const verger_crawler *crawler) {
  verger_records *records =
      below(2) ? verger_groups(robots, NULL) : verger_sitemaps(robots, NULL);
  verger_events *events = verger_events_new(robots, NULL);
  if (below(2)) {
    verger_robots_free(robots);
    robots = NULL;
  }
  verger_record record;
  while (below(200) != 0 && verger_records_next(records, &record)) see(record.value);
  verger_event event;
  while (below(500) != 0 && verger_events_next(events, &event)) {
    see(event.action);
    see(event.value);
  }
  signals(robots, crawler);
  verger_events_free(events);
  verger_records_free(records);
}

static void ask(const verger_policy *policy, const verger_crawler *crawler, const char *body,
                size_t body_len, uint32_t dialect, const verger_robots *robots) {
  for (size_t i = below(4); i-- > 0;) {
    size_t len;
    verger_error error;
    char *url = text(6, &len);
    const size_t stated = url == NULL ? 0 : some_length(len);
    const verger_verdict verdict = verger_policy_decide(policy, url, stated, &error);
    assert(verdict.status == error.status && (error.status == 0) == (error.message[0] == 0));
    assert(verdict.status == 0 || verdict.effect == VERGER_EFFECT_DISALLOW);
    see(verdict.pattern);
    const bool allowed = verdict.effect == VERGER_EFFECT_ALLOW;
    assert(verger_policy_allowed(policy, url, stated, NULL) == allowed);
    if (policy != NULL) {
      assert(verger_allowed_for(body, body_len, crawler, url, stated, dialect, NULL) == allowed);
      const verger_verdict of_body =
          verger_decide_for(body, body_len, crawler, url, stated, dialect, &error);
      assert(of_body.status == error.status && (of_body.effect == VERGER_EFFECT_ALLOW) == allowed);
      assert(of_body.line == verdict.line && of_body.pattern.len == verdict.pattern.len);
      see(of_body.pattern);
    }
    verger_buffer json;
    if (below(8) == 0 && verger_explain_json(robots, crawler, url, stated, &json, &error)) {
      assert(json.len > 2 && json.data[0] == '{' && json.data[json.len - 1] == '\n');
      verger_buffer_free(&json);
    }
    verger_buffer path;
    if (verger_target_path(url, stated, dialect, &path, some_error(&error))) {
      assert(path.len > 0 && path.data[0] == '/');
    }
    verger_buffer_free(&path);
    free(url);
  }
}

/* Questions about whole files, of which few are enough. */
static void own(const char *body, size_t body_len, uint32_t dialect) {
  size_t len;
  char *other = text(6, &len);
  const size_t stated = other == NULL ? 0 : some_length(len);
  const verger_text agent = {"a", 1};
  const verger_owner_question question = {.dialect = dialect, .agents = &agent, .agent_count = 1};
  verger_buffer json;
  verger_error error;
  if (verger_who_json(other, stated, &question, &json, some_error(&error))) assert(json.len > 2);
  verger_buffer_free(&json);
  verger_diff_json(body, body_len, other, stated, &question, &json, some_error(&error));
  verger_buffer_free(&json);
  verger_parse_json(body, body_len, other, stated, &question, &json, some_error(&error));
  verger_buffer_free(&json);
  verger_lint_json(body, body_len, other, stated, NULL, 0, other, stated, &json, some_error(&error));
  verger_buffer_free(&json);
  verger_page_json(body, body_len, "/", 1, other, stated, other, stated, 0, &question, &json,
                   some_error(&error));
  verger_buffer_free(&json);
  verger_history_json(other, stated, "https://e", 9, 0, 1, true, true, &json, some_error(&error));
  verger_buffer_free(&json);
  free(other);
}

static void once(void) {
  size_t body_len, agent_len;
  verger_error error;
  const uint32_t dialect = some_dialect();
  char *body = text(below(20) == 0 ? 4000 : 40, &body_len), *agent = text(2, &agent_len);
  verger_robots *robots = verger_parse(body, body == NULL ? 0 : some_length(body_len), dialect,
                                       some_error(&error));
  verger_crawler *crawler = some_crawler(dialect);
  verger_policy *policy = verger_policy_new(robots, crawler, some_error(&error));
  assert((policy != NULL) == (robots != NULL && crawler != NULL));
  ask(policy, crawler, body, body_len, dialect, robots);
  verger_rule rule;
  for (size_t i = 0; verger_policy_rule(policy, i, &rule); i++) see(rule.pattern);
  uint64_t milliseconds;
  verger_crawl_delay(robots, crawler, &milliseconds, some_error(&error));
  pace(robots, crawler);
  verger_allowed(body, body_len, agent, agent_len, agent, agent_len, dialect, some_error(&error));
  verger_is_product_token(agent, agent_len);
  if (below(64) == 0) own(body, body_len, dialect);
  if (below(2)) verger_crawler_free(crawler), crawler = NULL;
  if (below(2)) verger_policy_free(policy), policy = NULL;
  walk(robots, crawler);
  verger_policy_free(policy);
  verger_crawler_free(crawler);
  free(agent);
  free(body);
}

int main(int argc, char **argv) {
  const long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const time_t end = time(NULL) + seconds;
  uint64_t rounds = 0;
  do {
    once();
    rounds++;
  } while (time(NULL) < end);
  printf("random: %" PRIu64 " rounds in %ld s, sum %" PRIu64 "\n", rounds, seconds, bytes_seen);
  return 0;
}
