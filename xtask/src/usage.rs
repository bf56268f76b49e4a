//! One line of usage for each command.

pub(crate) const USAGE: &str = "\
usage: cargo xtask <command>
  test                        the tests of the workspace
  bindings                    the tests of the bindings: ruby, python and c
  ruby                        the gem in bindings/ruby, built, installed and tested
  python                      the package in bindings/python, built, installed and tested
  python --fuzz <n>           its laws on what atheris makes up, for so many seconds
  spark                       its module verger.spark, tested on Spark; needs Java
  js                          the npm package in bindings/js, built and tested
  js --package                the same package, built only
  js --corpus <dir> --files <n>  the same, and it answers about real files as the command does
  c [--all]                   the C library in bindings/c and its examples, built and tested
  c --header                  its header, bindings/c/include/verger/verger.h
  c --install <dir>           the C library under a directory such as /usr/local
  c --sanitize <n>            random calls for so many seconds under each sanitizer and valgrind
  tidy                        the project's rules
  clauses                     requirements that no case and no test cites
  api [--check]               what each crate makes public, api/*.txt
  crawlers [--check]          the table of the registry of known crawlers
  crawlers --stale <n>d       entries of the registry whose source was read so long ago
  requirements [--check]      docs/reference/requirements.md, docs/reference/choices.md and their sentences
  cases                       the case files as JSON Lines
  differences [--check]       the table of docs/reference/dialects.md
  origin [--check]            the table of docs/origin.md
  prose                       lower counts of odd grammar, xtask/data/prose_hits.txt
  fuzz --seconds <n>          every fuzz target for so long; needs nightly and cargo-fuzz
  fuzz --bulk --seconds <n>   those of verger-bulk, which CI does not run: they take minutes to build
  conformance <dir> [--list]  the suites of other parsers and Google's verdicts
  corpus <dir>                real files, and a sample of Google's verdicts about them
  interfaces <dir>            2,000 of these files (--files N) through each command that answers";
