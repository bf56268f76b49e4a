/* What the header promises about pointers, lengths, errors and lives of objects. */
#undef NDEBUG
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <verger/verger.h>

static const char BODY[] = "User-agent: a\nDisallow: /x\nCrawl-delay: 1.5\nSitemap: https://e/s\n";

static verger_crawler *crawler(const char *name) {
  const verger_text text = {name, strlen(name)};
  verger_error error;
  verger_crawler *it = verger_crawler_new(&text, 1, VERGER_DIALECT_RFC9309, &error);
  assert(it != NULL && error.status == VERGER_STATUS_OK && error.message[0] == 0);
  return it;
}

static void null_is_the_empty_text_and_nothing_else(void) {
  verger_error error;
  verger_robots *robots = verger_parse(NULL, 0, VERGER_DIALECT_RFC9309, &error);
  assert(robots != NULL && error.status == VERGER_STATUS_OK);
  verger_robots_free(robots);
  assert(verger_parse(NULL, 1, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NULL_POINTER && strlen(error.message) > 0);
  assert(verger_parse(NULL, 1, VERGER_DIALECT_RFC9309, NULL) == NULL);
  assert(verger_crawler_new(NULL, 0, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NO_NAMES);
  assert(verger_crawler_new(NULL, 2, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(verger_policy_new(NULL, NULL, &error) == NULL);
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(!verger_policy_allowed(NULL, "/", 1, &error) && error.status == VERGER_STATUS_NULL_POINTER);
  const verger_verdict verdict = verger_policy_decide(NULL, "/", 1, NULL);
  assert(verdict.status == VERGER_STATUS_NULL_POINTER && verdict.effect == VERGER_EFFECT_DISALLOW);
  assert(verdict.reason == VERGER_REASON_NOT_ASKED && verdict.pattern.len == 0);
  assert(verger_policy_rule_count(NULL) == 0 && !verger_policy_rule(NULL, 0, NULL));
  assert(verger_groups(NULL, &error) == NULL && verger_sitemaps(NULL, NULL) == NULL);
  assert(verger_events_new(NULL, &error) == NULL && !verger_events_next(NULL, NULL));
  assert(!verger_records_next(NULL, NULL) && !verger_explain_json(NULL, NULL, "/", 1, NULL, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(verger_crawl_delay(NULL, NULL, NULL, NULL) == VERGER_STATUS_NULL_POINTER);
  assert(!verger_target_path("/", 1, VERGER_DIALECT_RFC9309, NULL, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER && !verger_is_product_token(NULL, 0));
  assert(verger_pacing_new(NULL, NULL, &error) == NULL && error.status == VERGER_STATUS_NULL_POINTER);
  assert(!verger_pacing_crawl_delay(NULL, NULL, NULL) && !verger_pacing_request_rate(NULL, 0, NULL));
  assert(!verger_pacing_visit_time(NULL, 0, NULL) && verger_pacing_visit_time_count(NULL) == 0);
  assert(verger_pacing_request_rate_count(NULL) == 0 && !verger_pacing_is_welcome(NULL, 0));
  assert(verger_pacing_wait_milliseconds(NULL, 0) == UINT64_MAX);
  assert(verger_content_signal_for(NULL, NULL, NULL, NULL) == VERGER_STATUS_NULL_POINTER);
  assert(verger_signal_pairs_new(NULL, NULL, NULL) == NULL && !verger_signal_pairs_next(NULL, NULL));
  verger_pacing_free(NULL);
  verger_signal_pairs_free(NULL);
  verger_robots_free(NULL);
  verger_crawler_free(NULL);
  verger_policy_free(NULL);
  verger_records_free(NULL);
  verger_events_free(NULL);
  verger_buffer_free(NULL);
}

static void lengths_that_are_none_are_refused(void) {
  const size_t too_long[] = {(size_t)PTRDIFF_MAX + 1, SIZE_MAX};
  verger_error error;
  for (size_t i = 0; i < 2; i++) {
    assert(verger_parse(BODY, too_long[i], VERGER_DIALECT_GOOGLE, &error) == NULL);
    assert(error.status == VERGER_STATUS_TOO_LONG);
    assert(!verger_allowed("", 0, "a", 1, "/", too_long[i], VERGER_DIALECT_GOOGLE, &error));
    assert(error.status == VERGER_STATUS_TOO_LONG);
    const verger_text text = {"a", too_long[i]};
    assert(verger_crawler_new(&text, 1, VERGER_DIALECT_GOOGLE, &error) == NULL);
    assert(error.status == VERGER_STATUS_TOO_LONG);
    assert(verger_crawler_union(&text, too_long[i], VERGER_DIALECT_GOOGLE, &error) == NULL);
    assert(error.status == VERGER_STATUS_TOO_LONG);
  }
  /* So many bytes would be a length, so many texts are none. */
  const verger_text text = {"a", 1};
  assert(verger_crawler_new(&text, PTRDIFF_MAX, VERGER_DIALECT_GOOGLE, &error) == NULL);
  assert(error.status == VERGER_STATUS_TOO_LONG);
}

static void what_cannot_be_asked_has_its_code_and_is_not_allowed(void) {
  verger_error error;
  const verger_text not_a_token = {"Googlebot/2.1", 13}, token = {"Googlebot", 9};
  assert(verger_crawler_new(&not_a_token, 1, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NOT_A_TOKEN && strstr(error.message, "`Googlebot`") != NULL);
  assert(verger_crawler_union(&token, 1, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NO_UNION && strstr(error.message, "google") != NULL);
  assert(!verger_allowed("", 0, "a", 1, "no url", 6, VERGER_DIALECT_RFC9309, &error));
  assert(error.status == VERGER_STATUS_NOT_A_TARGET);
  /* The message goes on after a NUL. */
  assert(!verger_allowed("", 0, "a", 1, "no\0url", 6, VERGER_DIALECT_RFC9309, &error));
  assert(strstr(error.message, "`no\\x00url` is neither") != NULL);
  static const char *const NO_AUTHORITY[] = {"http://h:99999/a", "http://a b/", "http://@/a", "foo:///a"};
  verger_robots *robots = verger_parse("", 0, VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *a = crawler("a");
  verger_policy *policy = verger_policy_new(robots, a, NULL);
  for (size_t i = 0; i < 4; i++) {
    const char *url = NO_AUTHORITY[i];
    const size_t len = strlen(url);
    assert(verger_policy_allowed(policy, "http://h/a", 10, NULL));
    assert(!verger_policy_allowed(policy, url, len, &error));
    assert(error.status == VERGER_STATUS_NOT_A_TARGET);
    assert(verger_policy_decide(policy, url, len, NULL).status == VERGER_STATUS_NOT_A_TARGET);
    assert(!verger_allowed("", 0, "a", 1, url, len, VERGER_DIALECT_RFC9309, NULL));
    assert(verger_allowed("", 0, "a", 1, url, len, VERGER_DIALECT_GOOGLE, NULL));
  }
  assert(verger_policy_allowed(policy, "/a b", 4, NULL));
  verger_policy_free(policy);
  verger_crawler_free(a);
  verger_robots_free(robots);
  const verger_verdict none =
      verger_decide("", 0, "a/1", 3, "/", 1, VERGER_DIALECT_RFC9309, &error);
  assert(none.status == VERGER_STATUS_NOT_A_TOKEN && error.status == none.status);
  assert(none.effect == VERGER_EFFECT_DISALLOW && none.reason == VERGER_REASON_NOT_ASKED);
  assert(!verger_allowed("", 0, "a", 1, "/", 1, 4, &error));
  assert(error.status == VERGER_STATUS_UNKNOWN_DIALECT);
  assert(verger_allowed("", 0, "a", 1, "no url", 6, VERGER_DIALECT_GOOGLE, &error));
  assert(error.status == VERGER_STATUS_OK && error.message[0] == 0);
  assert(verger_crawler_of_header("curl/8", 6, &error) == NULL);
  assert(error.status == VERGER_STATUS_UNKNOWN_CRAWLER);
}

static void objects_are_freed_in_any_order(void) {
  verger_robots *robots = verger_parse(BODY, strlen(BODY), VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *a = crawler("a");
  uint64_t milliseconds = 0;
  assert(verger_crawl_delay(robots, a, &milliseconds, NULL) == VERGER_STATUS_OK);
  assert(milliseconds == 1500);
  verger_policy *policy = verger_policy_new(robots, a, NULL);
  verger_records *sitemaps = verger_sitemaps(robots, NULL);
  verger_events *events = verger_events_new(robots, NULL);
  verger_robots_free(robots);
  verger_crawler_free(a);
  const verger_verdict verdict = verger_policy_decide(policy, "/x/y", 4, NULL);
  assert(verdict.effect == VERGER_EFFECT_DISALLOW && verdict.line == 2 && verdict.group_line == 1);
  assert(verdict.pattern.len == 2 && memcmp(verdict.pattern.data, "/x", 2) == 0);
  verger_record record;
  assert(!verger_records_next(sitemaps, NULL) && !verger_events_next(events, NULL));
  assert(verger_records_next(sitemaps, &record) && record.value.len == 11 && record.line == 4);
  assert(memcmp(record.value.data, "https://e/s", 11) == 0);
  assert(!verger_records_next(sitemaps, &record) && !verger_records_next(sitemaps, &record));
  size_t count = 0;
  verger_event event;
  while (verger_events_next(events, &event)) count++;
  assert(count == 10 && !verger_events_next(events, &event)); /* 2 ends, 4 lines and what is in them */
  verger_events_free(events);
  verger_records_free(sitemaps);
  verger_policy_free(policy);
}

static void pacing_has_values_lines_and_windows(void) {
  static const char body[] =
      "User-agent: a\nCrawl-delay: 2\nRequest-rate: 1/10m 1300-1659\nRequest-rate: 3/10\n"
      "Visit-time: 2300-0845\n";
  verger_robots *robots = verger_parse(body, strlen(body), VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *a = crawler("a"), *b = crawler("b");
  verger_error error;
  verger_pacing *pacing = verger_pacing_new(robots, a, &error);
  verger_pacing *none = verger_pacing_new(robots, b, NULL);
  assert(error.status == VERGER_STATUS_OK);
  verger_robots_free(robots);
  verger_crawler_free(a);
  verger_crawler_free(b);
  uint64_t milliseconds = 0;
  uint32_t line = 0;
  assert(verger_pacing_crawl_delay(pacing, &milliseconds, &line));
  assert(milliseconds == 2000 && line == 2);
  milliseconds = line = 0;
  assert(verger_pacing_crawl_delay(pacing, &milliseconds, NULL) && milliseconds == 2000);
  assert(verger_pacing_crawl_delay(pacing, NULL, &line) && line == 2);
  assert(verger_pacing_crawl_delay(pacing, NULL, NULL));
  verger_request_rate rate;
  assert(verger_pacing_request_rate_count(pacing) == 2);
  assert(verger_pacing_request_rate(pacing, 0, &rate) && rate.requests == 1 && rate.seconds == 600);
  assert(rate.interval_milliseconds == 600000 && rate.line == 3);
  assert(rate.window.first_minute == 780 && rate.window.last_minute == 1019);
  assert(verger_pacing_request_rate(pacing, 1, &rate) && rate.interval_milliseconds == 3334);
  assert(rate.window.first_minute == 0 && rate.window.last_minute == 1439 && rate.line == 4);
  assert(!verger_pacing_request_rate(pacing, 2, &rate));
  verger_visit_time visit;
  assert(verger_pacing_visit_time_count(pacing) == 1 && verger_pacing_visit_time(pacing, 0, &visit));
  assert(visit.window.first_minute == 1380 && visit.window.last_minute == 525 && visit.line == 5);
  assert(!verger_pacing_visit_time(pacing, 1, &visit));
  /* 1,800,000,000 is 08:00 in UTC. */
  assert(verger_pacing_wait_milliseconds(pacing, 1800000000) == 3334);
  assert(verger_pacing_wait_milliseconds(pacing, 1800000000 + 5 * 3600) == 600000);
  assert(verger_pacing_is_welcome(pacing, 1800000000 + 45 * 60 + 59));
  assert(!verger_pacing_is_welcome(pacing, 1800000000 + 46 * 60));
  assert(!verger_pacing_crawl_delay(none, &milliseconds, &line));
  assert(verger_pacing_request_rate_count(none) == 0 && verger_pacing_visit_time_count(none) == 0);
  assert(verger_pacing_wait_milliseconds(none, 0) == 0 && verger_pacing_is_welcome(none, 0));
  verger_pacing_free(none);
  verger_pacing_free(pacing);
}

static void content_signals_are_given_by_use_and_by_pair(void) {
  static const char body[] =
      "User-agent: a\nContent-Signal: Search=yes, ai-train=no\nContent-Signal: search=NO, use=full\n";
  verger_robots *robots = verger_parse(body, strlen(body), VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *a = crawler("a"), *b = crawler("b");
  verger_content_signal signal;
  verger_error error;
  assert(verger_content_signal_for(robots, a, &signal, &error) == VERGER_STATUS_OK);
  assert(signal.search == VERGER_SIGNAL_NO && signal.ai_train == VERGER_SIGNAL_NO);
  assert(signal.ai_input == VERGER_SIGNAL_UNSTATED && error.status == VERGER_STATUS_OK);
  assert(verger_content_signal_for(robots, b, &signal, &error) == VERGER_STATUS_ABSENT);
  assert(signal.search == VERGER_SIGNAL_UNSTATED && error.status == VERGER_STATUS_OK);
  verger_signal_pairs *pairs = verger_signal_pairs_new(robots, a, NULL);
  verger_robots_free(robots);
  verger_crawler_free(a);
  verger_crawler_free(b);
  verger_signal_pair pair;
  assert(!verger_signal_pairs_next(pairs, NULL));
  assert(verger_signal_pairs_next(pairs, &pair) && pair.signal == VERGER_SIGNAL_YES && pair.line == 2);
  assert(pair.key.len == 6 && memcmp(pair.key.data, "Search", 6) == 0);
  assert(verger_signal_pairs_next(pairs, &pair) && verger_signal_pairs_next(pairs, &pair));
  assert(pair.signal == VERGER_SIGNAL_NO && pair.line == 3);
  assert(verger_signal_pairs_next(pairs, &pair) && pair.signal == VERGER_SIGNAL_UNSTATED);
  assert(pair.value.len == 4 && memcmp(pair.value.data, "full", 4) == 0);
  assert(!verger_signal_pairs_next(pairs, &pair) && !verger_signal_pairs_next(pairs, &pair));
  verger_signal_pairs_free(pairs);
}

static void an_explanation_is_a_line_of_json(void) {
  verger_robots *robots = verger_parse(BODY, strlen(BODY), VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *known = verger_crawler_known("gptbot", 6, VERGER_DIALECT_RFC9309, NULL);
  static const char HEADER[] = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)";
  verger_crawler *of_header = verger_crawler_of_header(HEADER, strlen(HEADER), NULL);
  verger_crawler *crawlers[] = {crawler("a"), known, of_header};
  for (size_t i = 0; i < 3; i++) {
    verger_buffer json;
    verger_error error;
    assert(crawlers[i] != NULL);
    assert(verger_explain_json(robots, crawlers[i], "https://e/x", 11, &json, &error));
    const char *allowed = i == 0 ? "\"allowed\":false" : "\"allowed\":true";
    char *text = strndup(json.data, json.len);
    assert(json.data[0] == '{' && json.data[json.len - 1] == '\n');
    assert(strstr(text, allowed) && strstr(text, "\"schema\":\"verger.check/1\""));
    assert(strstr(text, "\"other_dialects\"") && strstr(text, "\"candidates\""));
    free(text);
    verger_buffer_free(&json);
    assert(json.data == NULL && json.len == 0);
    assert(!verger_explain_json(robots, crawlers[i], "x", 1, &json, &error) && json.data == NULL);
    assert(error.status == VERGER_STATUS_NOT_A_TARGET);
    verger_crawler_free(crawlers[i]);
  }
  verger_robots_free(robots);
}

/* The number of lines that a question has, which is freed. */
static size_t lines_of(verger_buffer *json) {
  size_t lines = 0;
  for (size_t i = 0; i < json->len; i++) lines += json->data[i] == '\n';
  assert(json->len == 0 || json->data[json->len - 1] == '\n');
  verger_buffer_free(json);
  return lines;
}

static void questions_of_an_owner_have_their_codes_and_defaults(void) {
  verger_buffer json;
  verger_error error;
  const size_t len = strlen(BODY);
  assert(verger_who_json(BODY, len, NULL, &json, &error) && lines_of(&json) > 100);
  const verger_owner_question zeros = {0};
  assert(verger_diff_json(BODY, len, NULL, 0, &zeros, &json, &error) && lines_of(&json) == 2);
  assert(verger_parse_json(BODY, len, NULL, 0, &zeros, &json, &error) && lines_of(&json) == 1);
  assert(verger_lint_json(BODY, len, "x", 1, NULL, 0, NULL, 0, &json, &error));
  assert(strncmp(json.data + 26, "\"file\":\"x\"", 10) == 0 && lines_of(&json) == 1);
  assert(verger_history_json(NULL, 0, "https://e/", 10, 0, UINT64_MAX, true, true, &json, &error));
  assert(json.data == NULL && json.len == 0 && error.status == VERGER_STATUS_OK);
  const verger_text googlebot = {"googlebot", 9};
  const verger_owner_question by_operator = {
      .dialect = VERGER_DIALECT_AS_OPERATOR, .agents = &googlebot, .agent_count = 1};
  assert(verger_who_json(BODY, len, &by_operator, &json, &error));
  assert(memmem(json.data, json.len, "\"dialect\":\"google\"", 18) && lines_of(&json) == 1);
  assert(!verger_parse(BODY, len, VERGER_DIALECT_AS_OPERATOR, &error));
  assert(error.status == VERGER_STATUS_UNKNOWN_DIALECT);
  static const struct {
    const char *agent, *site;
    uint32_t dialect;
    int32_t status;
    const char *said;
  } WRONG[] = {{"a/1", "", 0, VERGER_STATUS_NOT_A_TOKEN, "`a/1`"},
               {"@ai-trian", "", 0, VERGER_STATUS_UNKNOWN_CRAWLER, "`@ai-trian` is neither"},
               {"@openai", "", 0, VERGER_STATUS_SEVERAL_CRAWLERS, "`@openai`"},
               {"a", "mailto:x", 0, VERGER_STATUS_NOT_A_SITE, ""},
               {"a", "", 9, VERGER_STATUS_UNKNOWN_DIALECT, ""}};
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    const verger_text agent = {WRONG[i].agent, strlen(WRONG[i].agent)};
    const verger_owner_question question = {.dialect = WRONG[i].dialect,
                                            .agents = &agent,
                                            .agent_count = 1,
                                            .site = {WRONG[i].site, strlen(WRONG[i].site)}};
    assert(!verger_parse_json(BODY, len, NULL, 0, &question, &json, &error) && json.data == NULL);
    assert(error.status == WRONG[i].status && error.message[0] != 0);
    assert(strstr(error.message, WRONG[i].said));
  }
  const verger_owner_question no_agents = {.agent_count = 1};
  assert(!verger_who_json(BODY, len, &no_agents, &json, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(!verger_who_json(NULL, 1, NULL, &json, &error) && !verger_who_json("", 0, NULL, NULL, NULL));
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(!verger_lint_json("", 0, "", 0, "", 0, "lint = 1", 8, &json, &error));
  assert(error.status == VERGER_STATUS_BAD_SETTINGS);
  const char *HEAD = "HTTP/1.1 200 OK\nX-Robots-Tag: noindex\n";
  const size_t head_len = strlen(HEAD);
  assert(verger_page_json(BODY, len, "/x", 2, HEAD, head_len, "<p>", 3, 0, NULL, &json, &error));
  assert(memmem(json.data, json.len, "\"indexable\":false", 17) && lines_of(&json) == 1);
  assert(verger_page_json(BODY, len, "/x", 2, NULL, 0, NULL, 0, 0, NULL, &json, &error));
  assert(memmem(json.data, json.len, "\"not-fetched\"", 13) && lines_of(&json) == 1);
  assert(!verger_page_json(BODY, len, "x", 1, HEAD, head_len, NULL, 0, 0, NULL, &json, &error));
  assert(error.status == VERGER_STATUS_NOT_A_TARGET);
  assert(!verger_page_json(BODY, len, "/x", 2, "<p>", 3, NULL, 0, 0, NULL, &json, &error));
  assert(error.status == VERGER_STATUS_NOT_A_HEAD && json.data == NULL);
  assert(!verger_page_json(BODY, len, "/x", 2, HEAD, head_len, NULL, 1, 0, NULL, &json, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(!verger_history_json("x", 1, "https://e/", 10, 0, 1, false, false, &json, &error));
  assert(error.status == VERGER_STATUS_NOT_AN_EXPORT);
  assert(!verger_history_json("", 0, "x:", 2, 0, 1, false, false, &json, &error));
  assert(error.status == VERGER_STATUS_NOT_A_SITE);
}

int main(void) {
  null_is_the_empty_text_and_nothing_else();
  lengths_that_are_none_are_refused();
  what_cannot_be_asked_has_its_code_and_is_not_allowed();
  objects_are_freed_in_any_order();
  pacing_has_values_lines_and_windows();
  content_signals_are_given_by_use_and_by_pair();
  an_explanation_is_a_line_of_json();
  questions_of_an_owner_have_their_codes_and_defaults();
  assert(strcmp(verger_version(), VERGER_VERSION) == 0);
  printf("contract: 8 passed, 0 failed\n");
  return 0;
}
