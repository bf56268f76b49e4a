/* Verger's C ABI: whether a crawler may fetch a URL, and why.
 *
 * Generated from bindings/c/src by `cargo xtask c --header`; edit that. It takes C99 or C++11.
 *
 * - Every text is a pointer and a length: `const char *` for bytes, NUL included. A null pointer of
 *   length 0 is the empty text; a null pointer of another length is refused, and so is a length over
 *   PTRDIFF_MAX (VERGER_STATUS_NULL_POINTER, VERGER_STATUS_TOO_LONG).
 * - verger_robots, verger_crawler, verger_policy and verger_pacing never change: any number of threads may
 *   use one at once. A cursor (verger_records, verger_events, verger_signal_pairs) is for one thread at a
 *   time.
 * - What a function returns that ends in `_free` of its own belongs to the caller. All `_free` functions
 *   take a null pointer. An object must not be used after it was freed; apart from that, objects
 *   may be freed in any order.
 * - Texts that come out live as long as the object that the function says.
 * - `error` may be null. Else it says after each call whether the call succeeded, and why not.
 * - Functions that answer `bool` answer false where they fail: what cannot be asked is not allowed.
 * - No call leaves a state to the next. What a process keeps is the registry of known crawlers, from its
 *   first use on. Nothing is read from files or the network; `verger_history_json` starts a thread, whose
 *   stack RUST_MIN_STACK may set.
 */


#ifndef VERGER_VERGER_H
#define VERGER_VERGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version that this header belongs to; verger_version() is that of the library. */
#define VERGER_VERSION "0.1.0"


// Bytes of a message, the NUL at its end included.
#define VERGER_MESSAGE_SIZE 256

// What came of a call. Errors are negative.
enum verger_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It succeeded.
  VERGER_STATUS_OK = 0,
  // It succeeded: there is none of what was asked for.
  VERGER_STATUS_ABSENT = 1,
  // A pointer is null that must not be.
  VERGER_STATUS_NULL_POINTER = -1,
  // A length or a number of texts is over PTRDIFF_MAX.
  VERGER_STATUS_TOO_LONG = -2,
  // The number is not that of a dialect.
  VERGER_STATUS_UNKNOWN_DIALECT = -3,
  // A name is not a product token; never in VERGER_DIALECT_GOOGLE.
  VERGER_STATUS_NOT_A_TOKEN = -4,
  // A URL is neither absolute nor a path, its host cannot be asked, or it has a TAB or a line end; never in
  // VERGER_DIALECT_GOOGLE.
  VERGER_STATUS_NOT_A_TARGET = -5,
  // No name was given.
  VERGER_STATUS_NO_NAMES = -6,
  // A header, or an `@` and a purpose or an operator, names no crawler of the registry.
  VERGER_STATUS_UNKNOWN_CRAWLER = -7,
  // The dialect has no union of names; VERGER_DIALECT_GOOGLE alone has.
  VERGER_STATUS_NO_UNION = -8,
  // There is not enough memory for the body.
  VERGER_STATUS_OUT_OF_MEMORY = -9,
  // A defect of the library. The process may go on, the call did nothing.
  VERGER_STATUS_INTERNAL = -10,
  // A URL is not that of a site: `https://example.com`, or a page of it.
  VERGER_STATUS_NOT_A_SITE = -11,
  // A name means several crawlers where the question is about one.
  VERGER_STATUS_SEVERAL_CRAWLERS = -12,
  // The settings of lints are no verger.toml, or name a lint that there is not.
  VERGER_STATUS_BAD_SETTINGS = -13,
  // The text is not one that `verger store export` writes.
  VERGER_STATUS_NOT_AN_EXPORT = -14,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_status verger_status;
#else
typedef int32_t verger_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Whether a use of the content is granted.
enum verger_signal
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Nothing is said about it: neither granted nor refused.
  VERGER_SIGNAL_UNSTATED = 0,
  // `no`: it is refused.
  VERGER_SIGNAL_NO = 1,
  // `yes`: it is granted.
  VERGER_SIGNAL_YES = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_signal verger_signal;
#else
typedef uint32_t verger_signal;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which call of Google's `RobotsParseHandler` an event is.
enum verger_event_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // `HandleRobotsStart`.
  VERGER_EVENT_KIND_START = 0,
  // `HandleUserAgent`.
  VERGER_EVENT_KIND_USER_AGENT = 1,
  // `HandleAllow`.
  VERGER_EVENT_KIND_ALLOW = 2,
  // `HandleDisallow`.
  VERGER_EVENT_KIND_DISALLOW = 3,
  // `HandleSitemap`.
  VERGER_EVENT_KIND_SITEMAP = 4,
  // `HandleUnknownAction`.
  VERGER_EVENT_KIND_UNKNOWN_ACTION = 5,
  // `ReportLineMetadata`, after the line's own event.
  VERGER_EVENT_KIND_LINE_METADATA = 6,
  // `HandleRobotsEnd`.
  VERGER_EVENT_KIND_END = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_event_kind verger_event_kind;
#else
typedef uint32_t verger_event_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a rule or a verdict does.
enum verger_effect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The target may not be accessed.
  VERGER_EFFECT_DISALLOW = 0,
  // The target may be accessed.
  VERGER_EFFECT_ALLOW = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_effect verger_effect;
#else
typedef uint32_t verger_effect;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Why a verdict allows or disallows.
enum verger_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // There is no verdict: the call failed.
  VERGER_REASON_NOT_ASKED = 0,
  // A rule matches and takes precedence.
  VERGER_REASON_RULE = 1,
  // A group applies to the crawler, and none of its rules matches: allowed.
  VERGER_REASON_NO_RULE = 2,
  // No group applies to the crawler: allowed.
  VERGER_REASON_NO_GROUP = 3,
  // The target is `/robots.txt` itself: allowed.
  VERGER_REASON_ROBOTS_TXT = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_reason verger_reason;
#else
typedef uint32_t verger_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// How the crawler came to its group.
enum verger_named_by
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No group applies to it.
  VERGER_NAMED_BY_NOTHING = 0,
  // A user-agent line of the group names it.
  VERGER_NAMED_BY_TOKEN = 1,
  // No group names it, and this one is for `*`.
  VERGER_NAMED_BY_STAR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_named_by verger_named_by;
#else
typedef uint32_t verger_named_by;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What a record is.
enum verger_record_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A user-agent line of a group.
  VERGER_RECORD_KIND_USER_AGENT = 0,
  // A rule of a group.
  VERGER_RECORD_KIND_ALLOW = 1,
  // A rule of a group.
  VERGER_RECORD_KIND_DISALLOW = 2,
  // The URL of a sitemap.
  VERGER_RECORD_KIND_SITEMAP = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_record_kind verger_record_kind;
#else
typedef uint32_t verger_record_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// Which document a body is read by.
enum verger_dialect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // RFC 9309.
  VERGER_DIALECT_RFC9309 = 0,
  // google/robotstxt, bit for bit.
  VERGER_DIALECT_GOOGLE = 1,
  // The draft of July 2019.
  VERGER_DIALECT_DRAFT2019 = 2,
  // The draft of November 1996.
  VERGER_DIALECT_KOSTER1996 = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_dialect verger_dialect;
#else
typedef uint32_t verger_dialect;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The crawler that questions are about. It never changes.
typedef struct verger_crawler verger_crawler;

// A cursor over events.
typedef struct verger_events verger_events;

// How fast and when the groups that apply to a crawler ask it to send requests. It changes no verdict.
// It never changes, and needs neither the robots.txt nor the crawler any more.
typedef struct verger_pacing verger_pacing;

// The rules of one robots.txt for one crawler: parse once, ask as often as you like. It never
// changes, and needs neither the robots.txt nor the crawler any more.
typedef struct verger_policy verger_policy;

// A cursor over records.
typedef struct verger_records verger_records;

// A robots.txt. It never changes.
typedef struct verger_robots verger_robots;

// A cursor over the pairs of `Content-Signal` lines.
typedef struct verger_signal_pairs verger_signal_pairs;

// A text that belongs to the caller, who frees it with verger_buffer_free.
typedef struct {
  // The first byte; null where there is nothing to free.
  char *data;
  // How many bytes there are.
  size_t len;
} verger_buffer;

// What the `Content-Signal` lines of the groups that apply to a crawler say about uses of the content.
// Where they contradict each other a refusal counts.
typedef struct {
  // `search`: an index, with links and short excerpts.
  verger_signal search;
  // `ai-input`: input of a model that answers.
  verger_signal ai_input;
  // `ai-train`: training or tuning of models.
  verger_signal ai_train;
} verger_content_signal;

// What came of the last call that was given it. It belongs to the caller, and holds no pointer.
typedef struct {
  // A verger_status.
  verger_status status;
  // UTF-8, ends with NUL, and is cut where it is longer; empty where the call succeeded. A NUL of what it repeats
  // is written `\x00`.
  char message[VERGER_MESSAGE_SIZE];
} verger_error;

// Bytes that belong to another: to the caller where they go in, to an object where they come out.
typedef struct {
  // The first byte; may be null where `len` is 0.
  const char *data;
  // How many there are.
  size_t len;
} verger_text;

// One `key=value` of a `Content-Signal` line.
typedef struct {
  // The key as written, never empty.
  verger_text key;
  // The value as written. Both texts live as long as the cursor.
  verger_text value;
  // The value as a signal; VERGER_SIGNAL_UNSTATED where it is neither `yes` nor `no`.
  verger_signal signal;
  // The line number, counted from 1.
  uint32_t line;
} verger_signal_pair;

// What Google's library says about a line. The names are the library's.
typedef struct {
  // It has nothing but white space.
  bool is_empty;
  // It has a `#`.
  bool has_comment;
  // It has nothing but a comment.
  bool is_comment;
  // It has a key and a separator.
  bool has_directive;
  // Its key is one of the accepted misspellings.
  bool is_acceptable_typo;
  // It is longer than the library reads.
  bool is_line_too_long;
  // It has white space instead of a colon.
  bool is_missing_colon_separator;
} verger_line_metadata;

// One event.
typedef struct {
  // Which.
  verger_event_kind kind;
  // The line, counted from 1; 0 of VERGER_EVENT_KIND_START and VERGER_EVENT_KIND_END.
  uint32_t line;
  // The key as written, of VERGER_EVENT_KIND_UNKNOWN_ACTION.
  verger_text action;
  // The value, escaped as the library hands it out. Both texts live until the next event.
  verger_text value;
  // Of VERGER_EVENT_KIND_LINE_METADATA.
  verger_line_metadata metadata;
} verger_event;

// Which crawlers a question about whole files is about, and how the files are read. A question that is all
// zeros has all defaults, and so has a null pointer.
//
// The functions that take one, and those that end in `_json` beside them, are in a library that was built
// with the feature `owner`, as it is by default. Each answers with JSON Lines, of which docs/json.md of the
// repository has the keys; free `*json` with verger_buffer_free. It is empty where the function fails.
typedef struct {
  // A verger_dialect.
  uint32_t dialect;
  // Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`.
  const verger_text *agents;
  // How many there are. Without any, verger_who_json and verger_diff_json are about all known crawlers in
  // use and those that the files name.
  size_t agent_count;
  // A URL of the site that has the files; empty for https://example.com.
  verger_text site;
  // After how many states a question of verger_who_json or verger_diff_json is given up; 0 for four million.
  uint64_t max_states;
} verger_owner_question;

// A part of the day in UTC, from the start of its first minute to the end of its last one. Where the
// first is later than the last, it runs over midnight.
typedef struct {
  // Minutes since midnight, 0 to 1439.
  uint16_t first_minute;
  // As `first_minute`.
  uint16_t last_minute;
} verger_day_window;

// How many requests a crawler may send in a time.
typedef struct {
  // How many, at least 1.
  uint64_t requests;
  // In how many seconds, at least 1.
  uint64_t seconds;
  // The milliseconds between two requests at this rate, rounded up.
  uint64_t interval_milliseconds;
  // The line number, counted from 1.
  uint32_t line;
  // The part of the day to which the rate is bound; 0 to 1439 for the whole day.
  verger_day_window window;
} verger_request_rate;

// A part of the day in which a crawler is welcome.
typedef struct {
  // The line number, counted from 1.
  uint32_t line;
  // The part of the day.
  verger_day_window window;
} verger_visit_time;

// The answer to one question, and why. It holds no memory but `pattern`, which lives as long as the
// policy, or the body, that was asked.
typedef struct {
  // VERGER_STATUS_OK; else the call failed, `effect` is VERGER_EFFECT_DISALLOW and the rest is empty.
  verger_status status;
  // Whether the target may be accessed.
  verger_effect effect;
  // Why.
  verger_reason reason;
  // The line of the rule that decides, counted from 1; 0 where no rule does.
  uint32_t line;
  // The path-pattern of that rule as written, without white space around it.
  verger_text pattern;
  // The first line of the group that applies, of several the first; 0 where none does.
  uint32_t group_line;
  // Whether that group names the crawler.
  verger_named_by named_by;
} verger_verdict;

// A rule.
typedef struct {
  // What it does.
  verger_effect effect;
  // The line number, counted from 1.
  uint32_t line;
  // The path-pattern as written, without white space around it. It lives as long as the policy.
  verger_text pattern;
} verger_rule;

// A record.
typedef struct {
  // What it is.
  verger_record_kind kind;
  // The line number, counted from 1.
  uint32_t line;
  // The number of its group, counted from 0 in file order; of a sitemap 0.
  uint32_t group;
  // Its value as written, without white space around it. It lives as long as the cursor.
  verger_text value;
} verger_record;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Frees a text, and leaves `*buffer` empty, so that it may be freed twice.
void verger_buffer_free(verger_buffer *buffer);

// What the file says to a crawler about uses of the content. It changes no verdict.
//
// VERGER_STATUS_OK, or VERGER_STATUS_ABSENT where no line says anything, all uses being
// VERGER_SIGNAL_UNSTATED then; else what is wrong, and `*signal` is not written.
verger_status verger_content_signal_for(const verger_robots *robots,
                                        const verger_crawler *crawler,
                                        verger_content_signal *signal,
                                        verger_error *error);

// All pairs that the file has for a crawler, unknown keys included, in file order.
//
// Null where a pointer is. Free it with verger_signal_pairs_free.
verger_signal_pairs *verger_signal_pairs_new(const verger_robots *robots,
                                             const verger_crawler *crawler,
                                             verger_error *error);

// The next pair; false where there is none any more, or where a pointer is null:
// then the cursor does not move.
bool verger_signal_pairs_next(verger_signal_pairs *pairs, verger_signal_pair *pair);

// Frees a cursor.
void verger_signal_pairs_free(verger_signal_pairs *pairs);

// The crawler of product tokens in order: the groups of the first one that any group names apply, and
// those for `*` where no group names one. In VERGER_DIALECT_GOOGLE every text is a name; elsewhere
// each is a product token, or `*` for a crawler that no group names.
//
// Null where it fails: VERGER_STATUS_NO_NAMES, VERGER_STATUS_NOT_A_TOKEN,
// VERGER_STATUS_UNKNOWN_DIALECT, and as for all texts. Free it with verger_crawler_free.
verger_crawler *verger_crawler_new(const verger_text *names,
                                   size_t name_count,
                                   uint32_t dialect,
                                   verger_error *error);

// The crawler of all these names at once, as Google's library takes a vector of user agents: the
// groups that name any of them apply, as one. VERGER_DIALECT_GOOGLE alone has it.
//
// Null where it fails: VERGER_STATUS_NO_UNION in another dialect, VERGER_STATUS_NO_NAMES. A policy of
// a body that was read in another dialect takes the names in order.
verger_crawler *verger_crawler_union(const verger_text *names,
                                     size_t name_count,
                                     uint32_t dialect,
                                     verger_error *error);

// The crawler of a name in the registry of known crawlers (`googlebot-news`), with the product tokens
// that its operator documents; any other name is taken as by verger_crawler_new.
//
// Null where it fails: as verger_crawler_new.
verger_crawler *verger_crawler_known(const char *name,
                                     size_t name_len,
                                     uint32_t dialect,
                                     verger_error *error);

// The known crawler that a `User-Agent` header names. A header is a claim, not a proof.
//
// Null where it fails: VERGER_STATUS_UNKNOWN_CRAWLER where it names none, and as for all texts.
verger_crawler *verger_crawler_of_header(const char *header,
                                         size_t header_len,
                                         verger_error *error);

// Frees a crawler. Policies that were made for it stay.
void verger_crawler_free(verger_crawler *crawler);

// What Google's library would report of the file, in order. Parse it in VERGER_DIALECT_GOOGLE.
//
// Null where `robots` is. Free it with verger_events_free.
verger_events *verger_events_new(const verger_robots *robots, verger_error *error);

// The next event; false where there is none any more, or where a pointer is null:
// then the cursor does not move.
bool verger_events_next(verger_events *events, verger_event *event);

// Frees a cursor.
void verger_events_free(verger_events *events);

// An answer and why, as a line of JSON (schema `verger.check/1`): the verdict, all rules that match, and
// the dialects that answer otherwise. It reads the body four times more.
//
// False where it fails: VERGER_STATUS_NOT_A_TARGET, and as for all texts. Free `*json` with
// verger_buffer_free; it is empty where it fails.
bool verger_explain_json(const verger_robots *robots,
                         const verger_crawler *crawler,
                         const char *url,
                         size_t url_len,
                         verger_buffer *json,
                         verger_error *error);

// How much of the site each crawler may fetch, and by which lines: a line of `verger.who/1` for each crawler.
//
// False where it fails: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_NOT_A_TOKEN,
// VERGER_STATUS_UNKNOWN_CRAWLER, VERGER_STATUS_NOT_A_SITE, and as for all texts.
bool verger_who_json(const char *body,
                     size_t body_len,
                     const verger_owner_question *question,
                     verger_buffer *json,
                     verger_error *error);

// What a change of the file means for each crawler: a line of `verger.diff/1` for each change, and at last
// one about the whole.
//
// False where it fails: as verger_who_json.
bool verger_diff_json(const char *old_body,
                      size_t old_body_len,
                      const char *new_body,
                      size_t new_body_len,
                      const verger_owner_question *question,
                      verger_buffer *json,
                      verger_error *error);

// What the file holds, and what was ignored: a line of `verger.parse/1`. With one agent in the question also
// what applies to that crawler. The file has the name `name` in the answer, and `-` where that is empty.
//
// False where it fails: as verger_who_json, and VERGER_STATUS_SEVERAL_CRAWLERS.
bool verger_parse_json(const char *body,
                       size_t body_len,
                       const char *name,
                       size_t name_len,
                       const verger_owner_question *question,
                       verger_buffer *json,
                       verger_error *error);

// What the owner of the file probably does not mean: a line of `verger.lint/1`. Every file is read by RFC
// 9309, and the other dialects are compared with it. `site` is a URL of the site that has the file, or empty;
// `settings` the text of a verger.toml, or empty. The file has the name `name` in the answer, and `-` where
// that is empty.
//
// False where it fails: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_BAD_SETTINGS, and as for all texts.
bool verger_lint_json(const char *body,
                      size_t body_len,
                      const char *name,
                      size_t name_len,
                      const char *site,
                      size_t site_len,
                      const char *settings,
                      size_t settings_len,
                      verger_buffer *json,
                      verger_error *error);

// What was seen of the site of a URL, by an export of the store (`verger store export`): a line of
// `verger.history/1` for each snapshot, oldest first; with the lines that changed where `with_lines` is true, and with
// what else was seen of each request and its reply where `with_facts` is. Times are seconds since 1970; `until`
// is not among them, and UINT64_MAX is the end. No line where nothing was seen.
//
// False where it fails: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_NOT_AN_EXPORT, and as for all texts.
bool verger_history_json(const char *export_lines,
                         size_t export_len,
                         const char *url,
                         size_t url_len,
                         uint64_t since,
                         uint64_t until,
                         bool with_lines,
                         bool with_facts,
                         verger_buffer *json,
                         verger_error *error);

// The pacing for a crawler.
//
// Null where a pointer is. Free it with verger_pacing_free.
verger_pacing *verger_pacing_new(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 verger_error *error);

// Frees a pacing.
void verger_pacing_free(verger_pacing *pacing);

// The delay between two requests in milliseconds, and its line number; of several the
// largest. False where there is none. A null pointer for either leaves it out.
bool verger_pacing_crawl_delay(const verger_pacing *pacing, uint64_t *milliseconds, uint32_t *line);

// How many request rates there are.
size_t verger_pacing_request_rate_count(const verger_pacing *pacing);

// The request rate of that number, counted from 0 in file order; false where there are not so many.
bool verger_pacing_request_rate(const verger_pacing *pacing,
                                size_t number,
                                verger_request_rate *rate);

// How many visit times there are; where there are none, the crawler may come at any time.
size_t verger_pacing_visit_time_count(const verger_pacing *pacing);

// The visit time of that number, counted from 0 in file order; false where there are not so many.
bool verger_pacing_visit_time(const verger_pacing *pacing,
                              size_t number,
                              verger_visit_time *visit_time);

// How many milliseconds a crawler waits between two requests that it sends at that time, in seconds
// since 1970, so that it obeys the delay and every rate that applies then; 0 where none does. Only the
// minute of the day counts, in UTC.
//
// UINT64_MAX where `pacing` is null.
uint64_t verger_pacing_wait_milliseconds(const verger_pacing *pacing,
                                         uint64_t unix_seconds);

// Whether the crawler is welcome at that time, in seconds since 1970: in any of the visit times, or
// always where there are none. Only the minute of the day counts, in UTC.
//
// False where `pacing` is null.
bool verger_pacing_is_welcome(const verger_pacing *pacing, uint64_t unix_seconds);

// The rules that apply to a crawler. Make the crawler in the dialect of the robots.txt.
//
// Null where a pointer is. Free it with verger_policy_free.
verger_policy *verger_policy_new(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 verger_error *error);

// Frees a policy, and with it the patterns that it gave out.
void verger_policy_free(verger_policy *policy);

// Whether the crawler may fetch the URL, which is absolute or starts with `/`.
//
// False where it fails too: VERGER_STATUS_NOT_A_TARGET, and as for all texts.
bool verger_policy_allowed(const verger_policy *policy,
                           const char *url,
                           size_t url_len,
                           verger_error *error);

// Whether the crawler may fetch the URL, and why.
//
// Where it fails, the verdict disallows and its `status` says why, as for verger_policy_allowed.
verger_verdict verger_policy_decide(const verger_policy *policy,
                                    const char *url,
                                    size_t url_len,
                                    verger_error *error);

// How many rules the policy has. Rules that are empty or can match nothing are left out.
size_t verger_policy_rule_count(const verger_policy *policy);

// The rule of that number, counted from 0, those that take precedence first; false where there are
// not so many.
bool verger_policy_rule(const verger_policy *policy, size_t number, verger_rule *rule);

// Whether the crawler of one name may fetch the URL, by the body: in one pass, for a
// single question. The name is one as for verger_crawler_new.
//
// False where it fails too: VERGER_STATUS_NOT_A_TOKEN, VERGER_STATUS_NOT_A_TARGET,
// VERGER_STATUS_UNKNOWN_DIALECT, and as for all texts.
bool verger_allowed(const char *body,
                    size_t body_len,
                    const char *agent,
                    size_t agent_len,
                    const char *url,
                    size_t url_len,
                    uint32_t dialect,
                    verger_error *error);

// As verger_allowed, for any crawler.
bool verger_allowed_for(const char *body,
                        size_t body_len,
                        const verger_crawler *crawler,
                        const char *url,
                        size_t url_len,
                        uint32_t dialect,
                        verger_error *error);

// As verger_allowed, with the reason, the rule and the group, in one pass too. The pattern points into
// the body.
//
// Where it fails, the verdict disallows and its `status` says why, as for verger_allowed.
verger_verdict verger_decide(const char *body,
                             size_t body_len,
                             const char *agent,
                             size_t agent_len,
                             const char *url,
                             size_t url_len,
                             uint32_t dialect,
                             verger_error *error);

// As verger_decide, for any crawler.
verger_verdict verger_decide_for(const char *body,
                                 size_t body_len,
                                 const verger_crawler *crawler,
                                 const char *url,
                                 size_t url_len,
                                 uint32_t dialect,
                                 verger_error *error);

// What rules are compared with: path and query of a URL, as the dialect finds them.
//
// False where it fails: VERGER_STATUS_NOT_A_TARGET, VERGER_STATUS_UNKNOWN_DIALECT, and as for all
// texts. Free `*target` with verger_buffer_free; it is empty where it fails.
bool verger_target_path(const char *url,
                        size_t url_len,
                        uint32_t dialect,
                        verger_buffer *target,
                        verger_error *error);

// Whether a text is a product token by RFC 9309's own grammar: letters, `_` and `-`, one at least.
bool verger_is_product_token(const char *text, size_t text_len);

// The version of the library, such as `0.1.0`; it ends with NUL and lives for ever.
const char *verger_version(void);

// The user-agent lines and rules of all groups: of each group in file order first its user-agent
// lines, then its rules.
//
// Null where `robots` is. Free it with verger_records_free.
verger_records *verger_groups(const verger_robots *robots, verger_error *error);

// The sitemaps that the file names, each URL once.
//
// Null where `robots` is. Free it with verger_records_free.
verger_records *verger_sitemaps(const verger_robots *robots, verger_error *error);

// The next record; false where there is none any more, or where a pointer is null:
// then the cursor does not move.
bool verger_records_next(verger_records *records, verger_record *record);

// Frees a cursor.
void verger_records_free(verger_records *records);

// Takes a robots.txt, of which it keeps a copy. Any bytes are one. Policies are read out of the copy in
// one pass; the first other question parses it, and keeps what was parsed beside it.
//
// Null where it fails: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_OUT_OF_MEMORY, and as for all
// texts. Free it with verger_robots_free.
verger_robots *verger_parse(const char *body,
                            size_t body_len,
                            uint32_t dialect,
                            verger_error *error);

// Frees a robots.txt. Policies and cursors that were made of it stay, and so do the texts of cursors
// until they are freed.
void verger_robots_free(verger_robots *robots);

// The delay between two requests, in milliseconds, that the groups which apply to the crawler ask for;
// of several the largest. It changes no verdict.
//
// VERGER_STATUS_OK, or VERGER_STATUS_ABSENT where they ask for none; else what is wrong.
verger_status verger_crawl_delay(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 uint64_t *milliseconds,
                                 verger_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* VERGER_VERGER_H */
