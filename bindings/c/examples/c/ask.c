/* Parses once, and queries several URLs.
 *
 *     cc ask.c $(pkg-config --cflags --libs verger) -o ask
 */
#include <stdio.h>
#include <string.h>
#include <verger/verger.h>

int main(void) {
  static const char body[] =
      "User-agent: *\n"
      "Disallow: /private/\n"
      "Allow: /private/press/\n";
  const verger_text agent = {"ExampleBot", 10};
  verger_error error;

  verger_robots *robots = verger_parse(body, strlen(body), VERGER_DIALECT_RFC9309, &error);
  verger_crawler *crawler = verger_crawler_new(&agent, 1, VERGER_DIALECT_RFC9309, &error);
  verger_policy *policy = verger_policy_new(robots, crawler, &error);
  if (policy == NULL) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }

  static const char *const urls[] = {"https://example.com/", "https://example.com/private/x",
                                     "https://example.com/private/press/1"};
  for (size_t i = 0; i < 3; i++) {
    const verger_verdict verdict = verger_policy_decide(policy, urls[i], strlen(urls[i]), &error);
    printf("%s %s", verdict.effect == VERGER_EFFECT_ALLOW ? "allow   " : "disallow", urls[i]);
    if (verdict.reason == VERGER_REASON_RULE) {
      printf(" by line %u, %.*s", verdict.line, (int)verdict.pattern.len, verdict.pattern.data);
    }
    printf("\n");
  }

  verger_policy_free(policy);
  verger_crawler_free(crawler);
  verger_robots_free(robots);
  return 0;
}
