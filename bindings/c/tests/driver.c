/* Answers the questions of `cargo xtask c` through the C ABI: reads records, writes one for each. What
 * is asked in several ways must have one answer; where it has not, the answer says so. */
#include <inttypes.h>
#include <time.h>
#include <verger/verger.h>

#include "fields.h"

static const char *const DIALECTS[] = {"rfc9309", "google", "draft2019", "koster1996"};

static uint32_t dialect_of(const field *name) {
  for (uint32_t i = 0; i < 4; i++) {
    if (field_is(name, DIALECTS[i])) return i;
  }
  fields_fail("no dialect");
  return 0;
}

static verger_crawler *crawler_of(const record *it, size_t first, uint32_t dialect,
                                  verger_error *error) {
  verger_text names[FIELDS_MAX];
  size_t count = 0;
  for (size_t i = first; i < it->count; i++, count++) {
    names[count].data = it->fields[i].data;
    names[count].len = it->fields[i].len;
  }
  return verger_crawler_new(names, count, dialect, error);
}

static void answer(const char *text) {
  printf("1\n");
  field_write(stdout, text, strlen(text));
}

static const char *reason_name(verger_reason reason) {
  switch (reason) {
    case VERGER_REASON_NO_RULE: return "no-rule";
    case VERGER_REASON_NO_GROUP: return "no-group";
    case VERGER_REASON_ROBOTS_TXT: return "robots-txt";
    default: return "?";
  }
}

/* Whether the answer of one pass is the verdict of the policy. */
static int is_same(const verger_verdict *one, const verger_verdict *other) {
  return one->status == other->status && one->effect == other->effect &&
         one->reason == other->reason && one->line == other->line &&
         one->pattern.len == other->pattern.len &&
         (one->pattern.len == 0 ||
          memcmp(one->pattern.data, other->pattern.data, one->pattern.len) == 0) &&
         one->group_line == other->group_line && one->named_by == other->named_by;
}

/* Whether every way to ask agrees with the verdict. */
static int agrees(const record *it, uint32_t dialect, const verger_crawler *crawler,
                  const verger_policy *policy, const verger_verdict *verdict) {
  const field *body = &it->fields[2], *url = &it->fields[3], *agent = &it->fields[4];
  const bool allowed = verdict->effect == VERGER_EFFECT_ALLOW;
  if (verger_policy_allowed(policy, url->data, url->len, NULL) != allowed) return 0;
  if (verger_allowed_for(body->data, body->len, crawler, url->data, url->len, dialect, NULL) !=
      allowed)
    return 0;
  const verger_verdict of_crawler = verger_decide_for(body->data, body->len, crawler, url->data,
                                                      url->len, dialect, NULL);
  if (!is_same(&of_crawler, verdict)) return 0;
  if (it->count != 5) return 1;
  const verger_verdict of_name = verger_decide(body->data, body->len, agent->data, agent->len,
                                               url->data, url->len, dialect, NULL);
  return is_same(&of_name, verdict) &&
         verger_allowed(body->data, body->len, agent->data, agent->len, url->data, url->len, dialect,
                        NULL) == allowed;
}

/* The rule that decides is one of the policy's. */
static int has_rule(const verger_policy *policy, const verger_verdict *verdict) {
  const size_t count = verger_policy_rule_count(policy);
  verger_rule rule;
  if (verger_policy_rule(policy, count, &rule)) return 0;
  for (size_t i = 0; i < count; i++) {
    if (verger_policy_rule(policy, i, &rule) && rule.line == verdict->line &&
        rule.effect == verdict->effect && rule.pattern.len == verdict->pattern.len &&
        memcmp(rule.pattern.data, verdict->pattern.data, rule.pattern.len) == 0)
      return 1;
  }
  return 0;
}

static void verdict_words(const record *it, uint32_t dialect, const verger_crawler *crawler,
                          const verger_policy *policy, const verger_verdict *verdict) {
  char effect[64], group[64] = "";
  const char *does = verdict->effect == VERGER_EFFECT_ALLOW ? "allow" : "disallow";
  if (verdict->reason == VERGER_REASON_RULE) {
    snprintf(effect, sizeof effect, "%s %" PRIu32, does, verdict->line);
    if (!has_rule(policy, verdict)) {
      answer("the rule is none of the policy");
      return;
    }
  } else {
    snprintf(effect, sizeof effect, "%s %s", does, reason_name(verdict->reason));
  }
  if (verdict->named_by != VERGER_NAMED_BY_NOTHING) {
    snprintf(group, sizeof group, "%" PRIu32 " %s", verdict->group_line,
             verdict->named_by == VERGER_NAMED_BY_TOKEN ? "named" : "star");
  }
  if (!agrees(it, dialect, crawler, policy, verdict)) {
    answer("answers that differ");
    return;
  }
  printf("2\n");
  field_write(stdout, effect, strlen(effect));
  field_write(stdout, group, strlen(group));
}

/* ask, dialect, body, url, agent... -> verdict, group; or one field, what is wrong */
static void ask(const record *it) {
  const uint32_t dialect = dialect_of(&it->fields[1]);
  const field *body = &it->fields[2], *url = &it->fields[3];
  verger_error error;
  verger_crawler *crawler = crawler_of(it, 4, dialect, &error);
  if (crawler == NULL) {
    answer(error.status < 0 && error.message[0] != 0 ? "error" : "an error that says nothing");
    return;
  }
  verger_robots *robots = verger_parse(body->data, body->len, dialect, &error);
  verger_policy *policy = verger_policy_new(robots, crawler, &error);
  verger_robots_free(robots);
  const verger_verdict verdict = verger_policy_decide(policy, url->data, url->len, &error);
  if (verdict.status != error.status) {
    answer("statuses that differ");
  } else if (verdict.status != VERGER_STATUS_OK) {
    answer(verdict.effect == VERGER_EFFECT_DISALLOW ? "error" : "an error that allows");
  } else {
    verdict_words(it, dialect, crawler, policy, &verdict);
  }
  verger_policy_free(policy);
  verger_crawler_free(crawler);
}

/* target, dialect, url -> the target; or no field */
static void target(const record *it) {
  verger_error error;
  verger_buffer path;
  const field *url = &it->fields[2];
  if (verger_target_path(url->data, url->len, dialect_of(&it->fields[1]), &path, &error)) {
    printf("1\n");
    field_write(stdout, path.data, path.len);
  } else {
    printf("0\n");
  }
  verger_buffer_free(&path);
  verger_buffer_free(&path);
}

/* token, text -> whether it is an identifier, whether it is accepted, what is said about it */
static void token(const record *it) {
  const field *text = &it->fields[1];
  verger_error error;
  verger_crawler *crawler = crawler_of(it, 1, VERGER_DIALECT_RFC9309, &error);
  printf("3\n");
  field_write(stdout, verger_is_product_token(text->data, text->len) ? "1" : "0", 1);
  field_write(stdout, crawler != NULL ? "1" : "0", 1);
  field_write(stdout, error.message, strlen(error.message));
  verger_crawler_free(crawler);
}

/* What a cursor gives, as `KIND GROUP VALUE`, after so many records in a first walk. */
static void records(verger_records *counted, verger_records *written) {
  static const char *const KINDS[] = {"agent", "allow", "disallow", "sitemap"};
  verger_record record;
  size_t count = 0;
  while (verger_records_next(counted, &record)) count++;
  printf("%zu\n", count * 3);
  while (verger_records_next(written, &record)) {
    char group[16];
    snprintf(group, sizeof group, "%" PRIu32, record.group);
    field_write(stdout, KINDS[record.kind], strlen(KINDS[record.kind]));
    field_write(stdout, group, strlen(group));
    field_write(stdout, record.value.data, record.value.len);
  }
  verger_records_free(counted);
  verger_records_free(written);
}

/* groups or sitemaps, dialect, body -> the records, three fields each */
static void listing(const record *it, int wants_groups) {
  const field *body = &it->fields[2];
  verger_robots *robots = verger_parse(body->data, body->len, dialect_of(&it->fields[1]), NULL);
  verger_records *first = wants_groups ? verger_groups(robots, NULL) : verger_sitemaps(robots, NULL);
  verger_records *second =
      wants_groups ? verger_groups(robots, NULL) : verger_sitemaps(robots, NULL);
  verger_robots_free(robots);
  records(first, second);
}

/* delay, body, agent -> milliseconds; or no field */
static void delay(const record *it) {
  const field *body = &it->fields[1];
  verger_robots *robots = verger_parse(body->data, body->len, VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *crawler = crawler_of(it, 2, VERGER_DIALECT_RFC9309, NULL);
  uint64_t milliseconds = 0;
  if (verger_crawl_delay(robots, crawler, &milliseconds, NULL) == VERGER_STATUS_OK) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, milliseconds);
    answer(text);
  } else {
    printf("0\n");
  }
  verger_crawler_free(crawler);
  verger_robots_free(robots);
}

static verger_pacing *pacing_of(const record *it) {
  const field *body = &it->fields[1];
  verger_robots *robots = verger_parse(body->data, body->len, VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *crawler = crawler_of(it, 2, VERGER_DIALECT_RFC9309, NULL);
  verger_pacing *pacing = verger_pacing_new(robots, crawler, NULL);
  verger_crawler_free(crawler);
  verger_robots_free(robots);
  return pacing;
}

/* HHMM-HHMM */
static int window_text(char *to, size_t size, verger_day_window window) {
  return snprintf(to, size, "%02u%02u-%02u%02u", window.first_minute / 60u, window.first_minute % 60u,
                  window.last_minute / 60u, window.last_minute % 60u);
}

/* rates, body, agent -> each rate as `REQUESTS/SECONDSs`, with its window where it has one */
static void rates(const record *it) {
  verger_pacing *pacing = pacing_of(it);
  const size_t count = verger_pacing_request_rate_count(pacing);
  verger_request_rate rate;
  printf("%zu\n", count);
  for (size_t i = 0; verger_pacing_request_rate(pacing, i, &rate); i++) {
    char text[64];
    int len = snprintf(text, sizeof text, "%" PRIu64 "/%" PRIu64 "s", rate.requests, rate.seconds);
    if (rate.window.first_minute != 0 || rate.window.last_minute != 1439) {
      text[len++] = ' ';
      len += window_text(text + len, sizeof text - (size_t)len, rate.window);
    }
    field_write(stdout, text, (size_t)len);
  }
  verger_pacing_free(pacing);
}

/* visits, body, agent -> each window */
static void visits(const record *it) {
  verger_pacing *pacing = pacing_of(it);
  verger_visit_time time;
  printf("%zu\n", verger_pacing_visit_time_count(pacing));
  for (size_t i = 0; verger_pacing_visit_time(pacing, i, &time); i++) {
    char text[16];
    field_write(stdout, text, (size_t)window_text(text, sizeof text, time.window));
  }
  verger_pacing_free(pacing);
}

/* signals, body, agent -> of each pair the key, the value and the signal */
static void signals(const record *it) {
  static const char *const SIGNALS[] = {"", "no", "yes"};
  const field *body = &it->fields[1];
  verger_robots *robots = verger_parse(body->data, body->len, VERGER_DIALECT_RFC9309, NULL);
  verger_crawler *crawler = crawler_of(it, 2, VERGER_DIALECT_RFC9309, NULL);
  verger_signal_pairs *counted = verger_signal_pairs_new(robots, crawler, NULL);
  verger_signal_pairs *written = verger_signal_pairs_new(robots, crawler, NULL);
  verger_robots_free(robots);
  verger_crawler_free(crawler);
  verger_signal_pair pair;
  size_t count = 0;
  while (verger_signal_pairs_next(counted, &pair)) count++;
  printf("%zu\n", count * 3);
  while (verger_signal_pairs_next(written, &pair)) {
    field_write(stdout, pair.key.data, pair.key.len);
    field_write(stdout, pair.value.data, pair.value.len);
    field_write(stdout, SIGNALS[pair.signal], strlen(SIGNALS[pair.signal]));
  }
  verger_signal_pairs_free(counted);
  verger_signal_pairs_free(written);
}

/* A number, and what stands for none. */
static uint64_t number(const field *it, uint64_t none) {
  char text[24];
  if (it->len == 0 || it->len >= sizeof text) return none;
  memcpy(text, it->data, it->len);
  text[it->len] = 0;
  return strtoull(text, NULL, 10);
}

static bool explain(const record *it, verger_buffer *json, verger_error *error) {
  const field *body = &it->fields[3], *url = &it->fields[7];
  const uint32_t dialect = dialect_of(&it->fields[2]);
  verger_robots *robots = verger_parse(body->data, body->len, dialect, error);
  verger_crawler *crawler = crawler_of(it, 12, dialect, error);
  const bool explained = verger_explain_json(robots, crawler, url->data, url->len, json, error);
  verger_crawler_free(crawler);
  verger_robots_free(robots);
  return explained;
}

/* answer, question, dialect or nothing, body, new body, site, settings, url, export, since, until, states, agent...
 * -> the lines of JSON; or what is wrong. With lines where since begins with `+`. A page has its head as site, its HTML
 * as settings, and its time as since. */
static void answer_as_json(const record *it) {
  const field *what = &it->fields[1], *body = &it->fields[3], *new_body = &it->fields[4];
  const field *site = &it->fields[5], *settings = &it->fields[6], *url = &it->fields[7];
  const field *export_lines = &it->fields[8], *since = &it->fields[9], *until = &it->fields[10];
  verger_text agents[FIELDS_MAX];
  for (size_t i = 12; i < it->count; i++) {
    agents[i - 12] = (verger_text){it->fields[i].data, it->fields[i].len};
  }
  const bool is_stated = it->fields[2].len > 0;
  const verger_owner_question question = {.dialect = is_stated ? dialect_of(&it->fields[2])
                                                               : VERGER_DIALECT_AS_OPERATOR,
                                          .agents = agents,
                                          .agent_count = it->count - 12,
                                          .max_states = number(&it->fields[11], 0)};
  verger_buffer json = {NULL, 0};
  verger_error error;
  bool answered = false;
  if (field_is(what, "who"))
    answered = verger_who_json(body->data, body->len, &question, &json, &error);
  else if (field_is(what, "diff"))
    answered = verger_diff_json(body->data, body->len, new_body->data, new_body->len, &question,
                                &json, &error);
  else if (field_is(what, "parse"))
    answered = verger_parse_json(body->data, body->len, NULL, 0, &question, &json, &error);
  else if (field_is(what, "lint"))
    answered = verger_lint_json(body->data, body->len, "-", 1, site->data, site->len, settings->data,
                                settings->len, &json, &error);
  else if (field_is(what, "page"))
    answered = verger_page_json(body->data, body->len, url->data, url->len, site->data, site->len,
                                settings->data, settings->len, (uint64_t)time(NULL), &question,
                                &json, &error);
  else if (field_is(what, "explain"))
    answered = explain(it, &json, &error);
  else if (field_is(what, "history"))
    answered = verger_history_json(export_lines->data, export_lines->len, url->data, url->len,
                                   number(since, 0), number(until, UINT64_MAX),
                                   since->len > 0 && since->data[0] == '+',
                                   field_is(settings, "facts"), &json, &error);
  else
    fields_fail("no question of an owner");
  if (answered) {
    printf("1\n");
    field_write(stdout, json.data, json.len);
  } else {
    answer(error.message);
  }
  verger_buffer_free(&json);
}

int main(void) {
  record it = {.count = 0};
  while (record_read(&it, stdin)) {
    const field *what = &it.fields[0];
    if (field_is(what, "ask")) ask(&it);
    else if (field_is(what, "target")) target(&it);
    else if (field_is(what, "token")) token(&it);
    else if (field_is(what, "groups")) listing(&it, 1);
    else if (field_is(what, "sitemaps")) listing(&it, 0);
    else if (field_is(what, "delay")) delay(&it);
    else if (field_is(what, "rates")) rates(&it);
    else if (field_is(what, "visits")) visits(&it);
    else if (field_is(what, "signals")) signals(&it);
    else if (field_is(what, "answer")) answer_as_json(&it);
    else fields_fail("no question");
  }
  record_free(&it);
  return fflush(stdout) == 0 ? 0 : 2;
}
