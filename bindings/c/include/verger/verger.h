/* Verger's C ABI: whether a crawler may fetch a URL, and why.
 *
 * Generated from bindings/c/src by `cargo xtask c --header`. Edit that instead. Needs C99 or C++11: `-std=c89` refuses
 * the `//` comments.
 *
 * - A text is a pointer and a length. It may contain NUL. A null pointer with length 0 is the empty
 *   text. *Text errors* are VERGER_STATUS_NULL_POINTER for a null pointer with another length, and
 *   VERGER_STATUS_TOO_LONG for a length over PTRDIFF_MAX.
 * - verger_robots, verger_crawler, verger_policy and verger_pacing are immutable, and any number of
 *   threads may use one. Use a cursor (verger_records, verger_events, verger_signal_pairs) in one
 *   thread at a time.
 * - The caller owns a returned object that has a `_free` function. Objects may be freed in any
 *   order, but not used afterwards. All `_free` functions accept a null pointer.
 * - Returned texts live as long as the object that the function documents.
 * - `error` may be null. Otherwise, each call sets it to its outcome.
 * - Functions that return `bool` return false on failure: what cannot be checked is not allowed.
 * - Calls share no state except the registry of known crawlers, which is loaded at its first use.
 *   The library does not read files or use the network. verger_history_json starts a thread, whose
 *   stack size RUST_MIN_STACK sets.
 */


#ifndef VERGER_VERGER_H
#define VERGER_VERGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header. verger_version() returns that of the library. */
#define VERGER_VERSION "0.1.0"


// Size of a message in bytes, including the final NUL.
#define VERGER_MESSAGE_SIZE 256

// The outcome of a call. Errors are negative.
enum verger_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The call succeeded.
  VERGER_STATUS_OK = 0,
  // The call succeeded, but there is nothing to return.
  VERGER_STATUS_ABSENT = 1,
  // A required pointer is null.
  VERGER_STATUS_NULL_POINTER = -1,
  // A length or count is over PTRDIFF_MAX.
  VERGER_STATUS_TOO_LONG = -2,
  // The number is not a verger_dialect.
  VERGER_STATUS_UNKNOWN_DIALECT = -3,
  // A name is not a product token. Never in VERGER_DIALECT_GOOGLE.
  VERGER_STATUS_NOT_A_TOKEN = -4,
  // A URL is neither absolute nor a path, its host cannot be queried, or it contains a tab or
  // line end. Never in VERGER_DIALECT_GOOGLE.
  VERGER_STATUS_NOT_A_TARGET = -5,
  // No name was given.
  VERGER_STATUS_NO_NAMES = -6,
  // A header, purpose or operator names no crawler of the registry.
  VERGER_STATUS_UNKNOWN_CRAWLER = -7,
  // The dialect does not support unions of names. Only VERGER_DIALECT_GOOGLE does.
  VERGER_STATUS_NO_UNION = -8,
  // There is not enough memory for the body.
  VERGER_STATUS_OUT_OF_MEMORY = -9,
  // A bug in the library. The call did nothing, and the process can continue.
  VERGER_STATUS_INTERNAL = -10,
  // A URL does not belong to a site. `https://example.com` and its pages do.
  VERGER_STATUS_NOT_A_SITE = -11,
  // A name means several crawlers, but the query takes one.
  VERGER_STATUS_SEVERAL_CRAWLERS = -12,
  // The lint settings are not a valid verger.toml, or name an unknown lint.
  VERGER_STATUS_BAD_SETTINGS = -13,
  // The text is not the output of `verger store export`.
  VERGER_STATUS_NOT_AN_EXPORT = -14,
  // The text is not the head of an HTTP response.
  VERGER_STATUS_NOT_A_HEAD = -15,
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
  // The file does not mention it: neither granted nor refused.
  VERGER_SIGNAL_UNSTATED = 0,
  // `no`: refused.
  VERGER_SIGNAL_NO = 1,
  // `yes`: granted.
  VERGER_SIGNAL_YES = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_signal verger_signal;
#else
typedef uint32_t verger_signal;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The `RobotsParseHandler` call that an event corresponds to.
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

// Whether a rule or verdict allows or disallows.
enum verger_effect
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // The target may not be fetched.
  VERGER_EFFECT_DISALLOW = 0,
  // The target may be fetched.
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
  // The call failed, so nothing was decided.
  VERGER_REASON_NOT_ASKED = 0,
  // A rule decides.
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

// How a group applies to the crawler.
enum verger_named_by
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // No group applies.
  VERGER_NAMED_BY_NOTHING = 0,
  // A user-agent line of the group names it.
  VERGER_NAMED_BY_TOKEN = 1,
  // No group names it, and this group is for `*`.
  VERGER_NAMED_BY_STAR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_named_by verger_named_by;
#else
typedef uint32_t verger_named_by;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The kind of a record.
enum verger_record_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A user-agent line of a group.
  VERGER_RECORD_KIND_USER_AGENT = 0,
  // An allow rule of a group.
  VERGER_RECORD_KIND_ALLOW = 1,
  // A disallow rule of a group.
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

// The document by which a body is read.
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
  // Only in verger_owner_question: each known crawler as its operator reads, and every other one
  // by RFC 9309.
  VERGER_DIALECT_AS_OPERATOR = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum verger_dialect verger_dialect;
#else
typedef uint32_t verger_dialect;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// The crawler to answer for. Immutable.
typedef struct verger_crawler verger_crawler;

// A cursor over events.
typedef struct verger_events verger_events;

// When and how fast a crawler may send requests, by the groups that apply to it. Does not affect
// verdicts. Immutable, and independent of the robots.txt and the crawler.
typedef struct verger_pacing verger_pacing;

// The rules of one robots.txt for one crawler. Parse once, query often. Immutable, and independent
// of the robots.txt and the crawler.
typedef struct verger_policy verger_policy;

// A cursor over records.
typedef struct verger_records verger_records;

// A robots.txt. Immutable.
typedef struct verger_robots verger_robots;

// A cursor over the pairs of `Content-Signal` lines.
typedef struct verger_signal_pairs verger_signal_pairs;

// Text that belongs to the caller, who frees it with verger_buffer_free.
typedef struct {
  // The first byte. Null if there is nothing to free.
  char *data;
  // Number of bytes.
  size_t len;
} verger_buffer;

// Uses of the content, by the `Content-Signal` lines of the groups that apply to a crawler. If
// they contradict each other, the use is refused.
typedef struct {
  // `search`: a search index with links and short excerpts.
  verger_signal search;
  // `ai-input`: input for a model that answers.
  verger_signal ai_input;
  // `ai-train`: training or tuning of models.
  verger_signal ai_train;
} verger_content_signal;

// The outcome of the last call that it was passed to. It belongs to the caller, and contains no
// pointers.
typedef struct {
  // The status.
  verger_status status;
  // NUL-terminated UTF-8, truncated if longer, empty on success. NUL in a quoted text is written
  // `\x00`.
  char message[VERGER_MESSAGE_SIZE];
} verger_error;

// Borrowed bytes. Inputs belong to the caller, outputs to an object.
typedef struct {
  // The first byte. May be null if `len` is 0.
  const char *data;
  // Number of bytes.
  size_t len;
} verger_text;

// One `key=value` of a `Content-Signal` line.
typedef struct {
  // The key as written, never empty.
  verger_text key;
  // The value as written. Both texts live as long as the cursor.
  verger_text value;
  // The value as a signal. VERGER_SIGNAL_UNSTATED unless it is `yes` or `no`.
  verger_signal signal;
  // The line number, counted from 1.
  uint32_t line;
} verger_signal_pair;

// Properties of a line. The names are those of Google's library.
typedef struct {
  // It contains only white space.
  bool is_empty;
  // It contains a `#`.
  bool has_comment;
  // It contains only a comment.
  bool is_comment;
  // It has a key and a separator.
  bool has_directive;
  // Its key is an accepted misspelling.
  bool is_acceptable_typo;
  // It exceeds the library's maximum length.
  bool is_line_too_long;
  // It has white space instead of a colon.
  bool is_missing_colon_separator;
} verger_line_metadata;

// A parse event.
typedef struct {
  // What happened.
  verger_event_kind kind;
  // The line, counted from 1. 0 for VERGER_EVENT_KIND_START and VERGER_EVENT_KIND_END.
  uint32_t line;
  // The key as written, for VERGER_EVENT_KIND_UNKNOWN_ACTION.
  verger_text action;
  // The value, escaped like the library does. Both texts live until the next event.
  verger_text value;
  // The properties, for VERGER_EVENT_KIND_LINE_METADATA.
  verger_line_metadata metadata;
} verger_event;

// The crawlers that a query about whole files covers, and how the files are read. A null pointer
// or an all-zero struct means all defaults.
//
// The functions that take it, and verger_lint_json and verger_history_json, require the feature
// `owner`, on by default. They return JSON Lines with the keys in docs/json.md. Free `*json`,
// which is empty on failure, with verger_buffer_free.
typedef struct {
  // A verger_dialect. VERGER_DIALECT_AS_OPERATOR judges each known crawler as its operator reads,
  // as `verger who` does without `--dialect`. 0 is RFC 9309.
  uint32_t dialect;
  // Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`.
  const verger_text *agents;
  // Number of agents. If 0, verger_who_json and verger_diff_json cover all known crawlers in use
  // and all that the files name.
  size_t agent_count;
  // A URL of the site. If empty, https://example.com.
  verger_text site;
  // Maximum number of states to search in verger_who_json and verger_diff_json. If 0, four
  // million.
  uint64_t max_states;
} verger_owner_question;

// A part of the day in UTC, from the start of the first minute to the end of the last. If the
// first is later than the last, it spans midnight.
typedef struct {
  // Minutes since midnight, 0 to 1439.
  uint16_t first_minute;
  // Minutes since midnight, 0 to 1439.
  uint16_t last_minute;
} verger_day_window;

// A maximum request rate.
typedef struct {
  // Number of requests, at least 1.
  uint64_t requests;
  // Number of seconds, at least 1.
  uint64_t seconds;
  // Milliseconds between two requests at this rate, rounded up.
  uint64_t interval_milliseconds;
  // The line number, counted from 1.
  uint32_t line;
  // The part of the day in which it applies, 0 to 1439 for the whole day.
  verger_day_window window;
} verger_request_rate;

// A part of the day in which the crawler is welcome.
typedef struct {
  // The line number, counted from 1.
  uint32_t line;
  // The part of the day.
  verger_day_window window;
} verger_visit_time;

// A verdict, and why. `pattern` lives as long as the policy or body that was queried. Nothing
// needs to be freed.
typedef struct {
  // VERGER_STATUS_OK. Otherwise the call failed, `effect` is VERGER_EFFECT_DISALLOW, and the
  // rest is empty.
  verger_status status;
  // Whether the target may be fetched.
  verger_effect effect;
  // Why.
  verger_reason reason;
  // The line of the deciding rule, counted from 1, or 0 if no rule decides.
  uint32_t line;
  // The path-pattern of that rule as written, without surrounding white space.
  verger_text pattern;
  // The first line of the group that applies, the first if several do. 0 if none does.
  uint32_t group_line;
  // How that group applies to the crawler.
  verger_named_by named_by;
} verger_verdict;

// A rule.
typedef struct {
  // Whether it allows or disallows.
  verger_effect effect;
  // The line number, counted from 1.
  uint32_t line;
  // The path-pattern as written, without surrounding white space. It lives as long as the
  // policy.
  verger_text pattern;
} verger_rule;

// A record.
typedef struct {
  // The kind.
  verger_record_kind kind;
  // The line number, counted from 1.
  uint32_t line;
  // Index of its group in file order. 0 for a sitemap.
  uint32_t group;
  // The value as written, without surrounding white space. It lives as long as the cursor.
  verger_text value;
} verger_record;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Frees the text and empties `*buffer`, so freeing it again is safe.
void verger_buffer_free(verger_buffer *buffer);

// Gets the uses of the content that the file grants or refuses to a crawler. They do not affect
// verdicts.
//
// Returns VERGER_STATUS_OK, or VERGER_STATUS_ABSENT with all uses VERGER_SIGNAL_UNSTATED if no
// line applies. On failure, returns the error and does not write `*signal`.
verger_status verger_content_signal_for(const verger_robots *robots,
                                        const verger_crawler *crawler,
                                        verger_content_signal *signal,
                                        verger_error *error);

// Returns a cursor over all pairs that apply to a crawler, including unknown keys, in file order.
//
// Returns null if a pointer is null. Free it with verger_signal_pairs_free.
verger_signal_pairs *verger_signal_pairs_new(const verger_robots *robots,
                                             const verger_crawler *crawler,
                                             verger_error *error);

// Gets the next pair. Returns false at the end, or without moving the cursor if a pointer is null.
bool verger_signal_pairs_next(verger_signal_pairs *pairs, verger_signal_pair *pair);

// Frees a cursor.
void verger_signal_pairs_free(verger_signal_pairs *pairs);

// Returns a crawler with product tokens in lookup order. The groups that name the first matching
// token apply, or those for `*` if no token matches. In VERGER_DIALECT_GOOGLE, any text is a name.
// Elsewhere, each must be a product token, or `*` for a crawler that no group names.
//
// Returns null on failure: VERGER_STATUS_NO_NAMES, VERGER_STATUS_NOT_A_TOKEN,
// VERGER_STATUS_UNKNOWN_DIALECT, or a text error. Free it with verger_crawler_free.
verger_crawler *verger_crawler_new(const verger_text *names,
                                   size_t name_count,
                                   uint32_t dialect,
                                   verger_error *error);

// Returns a crawler with all these names at once, like the vector of user agents in Google's
// library. All groups that name any of them apply as one. Requires VERGER_DIALECT_GOOGLE.
//
// Returns null on failure: VERGER_STATUS_NO_UNION in another dialect, or VERGER_STATUS_NO_NAMES.
// If the body was read in another dialect, a policy looks up the names in order.
verger_crawler *verger_crawler_union(const verger_text *names,
                                     size_t name_count,
                                     uint32_t dialect,
                                     verger_error *error);

// Returns the known crawler with a registry name (`googlebot-news`) and the product tokens that
// its operator documents. Other names are treated as in verger_crawler_new.
//
// Returns null on failure, as verger_crawler_new does.
verger_crawler *verger_crawler_known(const char *name,
                                     size_t name_len,
                                     uint32_t dialect,
                                     verger_error *error);

// Returns the known crawler that a `User-Agent` header names. A header is a claim, not a proof.
//
// Returns null on failure: VERGER_STATUS_UNKNOWN_CRAWLER if it names none, or a text error.
verger_crawler *verger_crawler_of_header(const char *header,
                                         size_t header_len,
                                         verger_error *error);

// Frees a crawler. Its policies remain valid.
void verger_crawler_free(verger_crawler *crawler);

// Returns a cursor over the events that Google's library would report, in order. Parse the file in
// VERGER_DIALECT_GOOGLE.
//
// Returns null if `robots` is null. Free it with verger_events_free.
verger_events *verger_events_new(const verger_robots *robots, verger_error *error);

// Gets the next event. Returns false at the end, or without moving the cursor if a pointer is
// null.
bool verger_events_next(verger_events *events, verger_event *event);

// Frees a cursor.
void verger_events_free(verger_events *events);

// Explains an answer as a line of JSON (schema `verger.check/1`): the verdict, all matching rules,
// and the dialects that answer differently. Reads the body four more times.
//
// Returns false on failure: VERGER_STATUS_NOT_A_TARGET, or a text error. Free `*json`,
// which is empty on failure, with verger_buffer_free.
bool verger_explain_json(const verger_robots *robots,
                         const verger_crawler *crawler,
                         const char *url,
                         size_t url_len,
                         verger_buffer *json,
                         verger_error *error);

// Returns how much of a site each crawler may fetch, and which lines decide: a line of
// `verger.who/1` for each crawler.
//
// Returns false on failure: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_NOT_A_TOKEN,
// VERGER_STATUS_UNKNOWN_CRAWLER, VERGER_STATUS_NOT_A_SITE, or a text error.
bool verger_who_json(const char *body,
                     size_t body_len,
                     const verger_owner_question *question,
                     verger_buffer *json,
                     verger_error *error);

// Returns what a change means for each crawler: a line of `verger.diff/1` for each change, then a
// summary.
//
// Returns false on failure, as verger_who_json does.
bool verger_diff_json(const char *old_body,
                      size_t old_body_len,
                      const char *new_body,
                      size_t new_body_len,
                      const verger_owner_question *question,
                      verger_buffer *json,
                      verger_error *error);

// Lists the contents and ignored lines of a file: a line of `verger.parse/1`. With one agent,
// also what applies to that crawler. `name` is the file's name in the answer, `-` if empty.
//
// Returns false on failure, as verger_who_json does, or with VERGER_STATUS_SEVERAL_CRAWLERS.
bool verger_parse_json(const char *body,
                       size_t body_len,
                       const char *name,
                       size_t name_len,
                       const verger_owner_question *question,
                       verger_buffer *json,
                       verger_error *error);

// Finds probable mistakes: a line of `verger.lint/1`. The file is read by RFC 9309, and compared
// with the other dialects. `site` is a URL of the site, `settings` the text of a verger.toml, and
// either may be empty. `name` is the file's name in the answer, `-` if empty.
//
// Returns false on failure: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_BAD_SETTINGS, or a text
// error.
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

// Returns whether crawlers may fetch and index a page: robots.txt, the response and its directives
// together, as a line of `verger.check/1` with the key `page` for each crawler. Nothing is fetched.
//
// `body` is the robots.txt of the site, `url` the URL of the page. `head` is the head of the
// response as `curl --include` prints it, and `html` the page as it was received, of which the
// first MiB is read. If `head` is empty, the status is 200. If only `html` is empty, the state of an
// HTML page is unknown unless a header decides. If both are empty, the page counts as not fetched.
// Dates of `unavailable_after` are compared with `at`, in seconds since 1970. Without agents, the
// answer is for a crawler that no group names.
//
// Returns false on failure, as verger_who_json does, or with VERGER_STATUS_NOT_A_TARGET or
// VERGER_STATUS_NOT_A_HEAD.
bool verger_page_json(const char *body,
                      size_t body_len,
                      const char *url,
                      size_t url_len,
                      const char *head,
                      size_t head_len,
                      const char *html,
                      size_t html_len,
                      uint64_t at,
                      const verger_owner_question *question,
                      verger_buffer *json,
                      verger_error *error);

// Returns the recorded history of a URL's site, from the output of `verger store export`: a line
// of `verger.history/1` for each snapshot, oldest first, or nothing. `with_lines` adds the changed
// lines, `with_facts` other facts about each request and response. Includes times from `since`
// until before `until`, in seconds since 1970. UINT64_MAX means no end.
//
// Returns false on failure: VERGER_STATUS_NOT_A_SITE, VERGER_STATUS_NOT_AN_EXPORT, or a text
// error.
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

// Returns the pacing for a crawler.
//
// Returns null if a pointer is null. Free it with verger_pacing_free.
verger_pacing *verger_pacing_new(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 verger_error *error);

// Frees a pacing.
void verger_pacing_free(verger_pacing *pacing);

// Gets the delay between two requests in milliseconds, and its line. If there are several, the
// largest. Returns false if none applies. Either output pointer may be null.
bool verger_pacing_crawl_delay(const verger_pacing *pacing, uint64_t *milliseconds, uint32_t *line);

// Returns the number of request rates.
size_t verger_pacing_request_rate_count(const verger_pacing *pacing);

// Gets the request rate with that index in file order. Returns false past the last one.
bool verger_pacing_request_rate(const verger_pacing *pacing,
                                size_t number,
                                verger_request_rate *rate);

// Returns the number of visit times. If 0, the crawler is always welcome.
size_t verger_pacing_visit_time_count(const verger_pacing *pacing);

// Gets the visit time with that index in file order. Returns false past the last one.
bool verger_pacing_visit_time(const verger_pacing *pacing,
                              size_t number,
                              verger_visit_time *visit_time);

// Returns the milliseconds to wait between two requests at a time in seconds since 1970, to obey
// the delay and all request rates of that minute of the day in UTC. 0 if none applies.
//
// Returns UINT64_MAX if `pacing` is null.
uint64_t verger_pacing_wait_milliseconds(const verger_pacing *pacing, uint64_t unix_seconds);

// Returns whether the crawler is welcome at a time in seconds since 1970: in any of the visit
// times, or always without any. Only the minute of the day in UTC matters.
//
// Returns false if `pacing` is null.
bool verger_pacing_is_welcome(const verger_pacing *pacing, uint64_t unix_seconds);

// Returns the rules that apply to a crawler. Make the crawler in the dialect of the robots.txt.
//
// Returns null if a pointer is null. Free it with verger_policy_free.
verger_policy *verger_policy_new(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 verger_error *error);

// Frees a policy and its patterns.
void verger_policy_free(verger_policy *policy);

// Returns whether the crawler may fetch a URL, which is absolute or starts with `/`.
//
// Returns false also on failure: VERGER_STATUS_NOT_A_TARGET, or a text error.
bool verger_policy_allowed(const verger_policy *policy,
                           const char *url,
                           size_t url_len,
                           verger_error *error);

// Like verger_policy_allowed, but returns the reason, rule and group.
//
// On failure, the verdict disallows and its `status` is the error.
verger_verdict verger_policy_decide(const verger_policy *policy,
                                    const char *url,
                                    size_t url_len,
                                    verger_error *error);

// Returns the number of rules. Rules that are empty or cannot match are left out.
size_t verger_policy_rule_count(const verger_policy *policy);

// Gets the rule with that index by precedence. Returns false past the last one.
bool verger_policy_rule(const verger_policy *policy, size_t number, verger_rule *rule);

// Returns whether the crawler with one name may fetch a URL, in one pass over the body. The name
// is read as in verger_crawler_new.
//
// Returns false also on failure: VERGER_STATUS_NOT_A_TOKEN, VERGER_STATUS_NOT_A_TARGET,
// VERGER_STATUS_UNKNOWN_DIALECT, or a text error.
bool verger_allowed(const char *body,
                    size_t body_len,
                    const char *agent,
                    size_t agent_len,
                    const char *url,
                    size_t url_len,
                    uint32_t dialect,
                    verger_error *error);

// Like verger_allowed, for any crawler.
bool verger_allowed_for(const char *body,
                        size_t body_len,
                        const verger_crawler *crawler,
                        const char *url,
                        size_t url_len,
                        uint32_t dialect,
                        verger_error *error);

// Like verger_allowed, but returns the reason, rule and group. The pattern points into the body.
//
// On failure, the verdict disallows and its `status` is the error.
verger_verdict verger_decide(const char *body,
                             size_t body_len,
                             const char *agent,
                             size_t agent_len,
                             const char *url,
                             size_t url_len,
                             uint32_t dialect,
                             verger_error *error);

// Like verger_decide, for any crawler.
verger_verdict verger_decide_for(const char *body,
                                 size_t body_len,
                                 const verger_crawler *crawler,
                                 const char *url,
                                 size_t url_len,
                                 uint32_t dialect,
                                 verger_error *error);

// Returns the part of a URL that rules are compared with: path and query, as the dialect finds
// them.
//
// Returns false on failure: VERGER_STATUS_NOT_A_TARGET, VERGER_STATUS_UNKNOWN_DIALECT, or a text
// error. Free `*target`, which is empty on failure, with verger_buffer_free.
bool verger_target_path(const char *url,
                        size_t url_len,
                        uint32_t dialect,
                        verger_buffer *target,
                        verger_error *error);

// Returns whether a text matches RFC 9309's grammar of product tokens: one or more letters, `_`
// and `-`.
bool verger_is_product_token(const char *text, size_t text_len);

// Returns the version of the library, such as `0.1.0`. It is NUL-terminated and static.
const char *verger_version(void);

// Returns a cursor over all groups in file order: the user-agent lines of a group, then its rules.
//
// Returns null if `robots` is null. Free it with verger_records_free.
verger_records *verger_groups(const verger_robots *robots, verger_error *error);

// Returns a cursor over the sitemaps that the file names, each URL once.
//
// Returns null if `robots` is null. Free it with verger_records_free.
verger_records *verger_sitemaps(const verger_robots *robots, verger_error *error);

// Gets the next record. Returns false at the end, or without moving the cursor if a pointer is
// null.
bool verger_records_next(verger_records *records, verger_record *record);

// Frees a cursor.
void verger_records_free(verger_records *records);

// Copies a robots.txt. Any bytes are valid. A policy is read from the copy in one pass. The first
// other query parses the copy and keeps the result.
//
// Returns null on failure: VERGER_STATUS_UNKNOWN_DIALECT, VERGER_STATUS_OUT_OF_MEMORY, or a text
// error. Free it with verger_robots_free.
verger_robots *verger_parse(const char *body,
                            size_t body_len,
                            uint32_t dialect,
                            verger_error *error);

// Frees a robots.txt. Its policies, cursors and their texts remain valid.
void verger_robots_free(verger_robots *robots);

// Gets the delay between two requests, in milliseconds, from the groups that apply to the crawler.
// If there are several, the largest. Does not affect verdicts.
//
// Returns VERGER_STATUS_OK, VERGER_STATUS_ABSENT without a delay, or the error.
verger_status verger_crawl_delay(const verger_robots *robots,
                                 const verger_crawler *crawler,
                                 uint64_t *milliseconds,
                                 verger_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* VERGER_VERGER_H */
