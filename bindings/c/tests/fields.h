/* The questions of `cargo xtask c`, and the answers: records of fields. A record is the number of its
 * fields and a line end, then each field: its length, `:`, its bytes and a line end. */
#ifndef VERGER_TESTS_FIELDS_H
#define VERGER_TESTS_FIELDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 64

typedef struct field {
  char *data; /* NULL where len is 0, so that null pointers are met everywhere */
  size_t len;
} field;

typedef struct record {
  field fields[FIELDS_MAX];
  size_t count;
} record;

static void fields_fail(const char *what) {
  fprintf(stderr, "fields: %s\n", what);
  exit(2);
}

static void record_free(record *it) {
  for (size_t i = 0; i < it->count; i++) free(it->fields[i].data);
  it->count = 0;
}

/* Each field is a block of memory of its own, so that a sanitizer sees which code reads past it. */
static int record_read(record *it, FILE *from) {
  record_free(it);
  size_t count;
  if (fscanf(from, "%zu", &count) != 1) return 0;
  if (count > FIELDS_MAX || fgetc(from) != '\n') fields_fail("no record");
  for (size_t i = 0; i < count; i++) {
    size_t len;
    if (fscanf(from, "%zu", &len) != 1 || fgetc(from) != ':') fields_fail("no field");
    char *data = len == 0 ? NULL : (char *)malloc(len);
    if (len != 0 && (data == NULL || fread(data, 1, len, from) != len)) fields_fail("cut");
    if (fgetc(from) != '\n') fields_fail("no line end");
    it->fields[i].data = data;
    it->fields[i].len = len;
    it->count = i + 1;
  }
  return 1;
}

static int field_is(const field *it, const char *text) {
  return it->len == strlen(text) && (it->len == 0 || memcmp(it->data, text, it->len) == 0);
}

static void field_write(FILE *to, const char *data, size_t len) {
  fprintf(to, "%zu:", len);
  if (len != 0) fwrite(data, 1, len, to);
  fputc('\n', to);
}

#endif
