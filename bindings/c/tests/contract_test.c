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
  assert(!verger_records_next(NULL, NULL) && !verger_explain(NULL, NULL, "/", 1, NULL, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER);
  assert(verger_crawl_delay(NULL, NULL, NULL, NULL) == VERGER_STATUS_NULL_POINTER);
  assert(!verger_target_path("/", 1, VERGER_DIALECT_RFC9309, NULL, &error));
  assert(error.status == VERGER_STATUS_NULL_POINTER && !verger_is_product_token(NULL, 0));
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
  /* So many octets would be a length, so many texts are none. */
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

static void an_explanation_is_one_object_of_json(void) {
  verger_robots *robots = verger_parse(BODY, strlen(BODY), VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *known = verger_crawler_known("gptbot", 6, VERGER_DIALECT_RFC9309, NULL);
  static const char HEADER[] = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)";
  verger_crawler *of_header = verger_crawler_of_header(HEADER, strlen(HEADER), NULL);
  verger_crawler *crawlers[] = {crawler("a"), known, of_header};
  for (size_t i = 0; i < 3; i++) {
    verger_buffer json;
    verger_error error;
    assert(crawlers[i] != NULL);
    assert(verger_explain(robots, crawlers[i], "https://e/x", 11, &json, &error));
    const char *allowed = i == 0 ? "\"allowed\":false" : "\"allowed\":true";
    char *text = strndup(json.data, json.len);
    assert(json.data[0] == '{' && json.data[json.len - 1] == '}');
    assert(strstr(text, allowed) && strstr(text, "\"schema\":\"verger.check/1\""));
    assert(strstr(text, "\"other_dialects\"") && strstr(text, "\"candidates\""));
    free(text);
    verger_buffer_free(&json);
    assert(json.data == NULL && json.len == 0);
    assert(!verger_explain(robots, crawlers[i], "x", 1, &json, &error) && json.data == NULL);
    assert(error.status == VERGER_STATUS_NOT_A_TARGET);
    verger_crawler_free(crawlers[i]);
  }
  verger_robots_free(robots);
}

int main(void) {
  null_is_the_empty_text_and_nothing_else();
  lengths_that_are_none_are_refused();
  what_cannot_be_asked_has_its_code_and_is_not_allowed();
  objects_are_freed_in_any_order();
  an_explanation_is_one_object_of_json();
  assert(strcmp(verger_version(), VERGER_VERSION) == 0);
  printf("contract: 5 passed, 0 failed\n");
  return 0;
}
