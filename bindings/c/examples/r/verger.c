/* Verger for R: .Call("verger_parse_r", body, agent), .Call("verger_decide_r", policy, urls).
 *
 *     PKG_CFLAGS="$(pkg-config --cflags verger)" PKG_LIBS="$(pkg-config --libs verger)" R CMD SHLIB verger.c
 */
/* Otherwise R defines macros such as `error`. */
#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include <verger/verger.h>

static void finalize(SEXP pointer) {
  verger_policy_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

/* Returns a policy that R's garbage collector frees. `body` is a raw vector, `agent` a string. */
SEXP verger_parse_r(SEXP body, SEXP agent) {
  if (TYPEOF(body) != RAWSXP || TYPEOF(agent) != STRSXP || XLENGTH(agent) != 1 ||
      STRING_ELT(agent, 0) == NA_STRING) {
    Rf_error("body must be a raw vector, and agent one string");
  }
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalize, TRUE);
  SEXP name = STRING_ELT(agent, 0);
  const verger_text names = {CHAR(name), (size_t)XLENGTH(name)};
  verger_error error;
  verger_policy *policy = NULL;
  verger_robots *robots = verger_parse((const char *)RAW(body), (size_t)XLENGTH(body),
                                       VERGER_DIALECT_RFC9309, &error);
  if (robots != NULL) {
    verger_crawler *crawler = verger_crawler_new(&names, 1, VERGER_DIALECT_RFC9309, &error);
    if (crawler != NULL) policy = verger_policy_new(robots, crawler, &error);
    verger_crawler_free(crawler);
  }
  verger_robots_free(robots);
  if (policy == NULL) Rf_error("%s", error.message); /* jumps: everything is freed */
  R_SetExternalPtrAddr(pointer, policy);
  UNPROTECT(1);
  return pointer;
}

/* Returns TRUE, FALSE, or NA for an invalid URL. */
SEXP verger_decide_r(SEXP pointer, SEXP urls) {
  const verger_policy *policy = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
  if (policy == NULL || TYPEOF(urls) != STRSXP) Rf_error("expected a policy and a character vector");
  const R_xlen_t count = XLENGTH(urls);
  SEXP answers = PROTECT(Rf_allocVector(LGLSXP, count));
  for (R_xlen_t i = 0; i < count; i++) {
    SEXP url = STRING_ELT(urls, i);
    verger_error error = {.status = VERGER_STATUS_NOT_A_TARGET};
    const bool allowed = url != NA_STRING && verger_policy_allowed(policy, CHAR(url),
                                                                   (size_t)XLENGTH(url), &error);
    LOGICAL(answers)[i] = error.status == VERGER_STATUS_OK ? allowed : NA_LOGICAL;
  }
  UNPROTECT(1);
  return answers;
}

static const R_CallMethodDef METHODS[] = {{"verger_parse_r", (DL_FUNC)verger_parse_r, 2},
                                          {"verger_decide_r", (DL_FUNC)verger_decide_r, 2},
                                          {NULL, NULL, 0}};

void R_init_verger(DllInfo *info) {
  R_registerRoutines(info, NULL, METHODS, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
}
