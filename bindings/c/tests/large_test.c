/* Bodies, names and URLs of 2 GB and more: refused, cut, or answered, and never a crash. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <verger/verger.h>

int main(void) {
  /* More than 32 bits signed, all bytes the one zero page of the system. */
  const size_t len = ((size_t)1 << 31) + 4097;
  char *bytes = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  assert(bytes != MAP_FAILED);
  verger_error error;
  for (uint32_t dialect = 0; dialect < 4; dialect++) {
    assert(verger_allowed(bytes, len, "a", 1, "/", 1, dialect, &error));
    assert(error.status == VERGER_STATUS_OK);
  }
  verger_robots *robots = verger_parse(bytes, len, VERGER_DIALECT_GOOGLE, &error);
  assert(robots != NULL || error.status == VERGER_STATUS_OUT_OF_MEMORY);
  verger_robots_free(robots);
  assert(!verger_allowed("", 0, "a", 1, bytes, len, VERGER_DIALECT_RFC9309, &error));
  assert(error.status == VERGER_STATUS_NOT_A_TARGET);
  assert(verger_allowed("", 0, "a", 1, bytes, len, VERGER_DIALECT_GOOGLE, &error));
  const verger_text name = {bytes, len};
  assert(verger_crawler_new(&name, 1, VERGER_DIALECT_RFC9309, &error) == NULL);
  assert(error.status == VERGER_STATUS_NOT_A_TOKEN && strlen(error.message) < sizeof error.message);
  assert(!verger_is_product_token(bytes, len));
  munmap(bytes, len);
  printf("large: 1 passed, 0 failed\n");
  return 0;
}
