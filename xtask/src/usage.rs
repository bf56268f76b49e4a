//! One line of usage for each command.

pub(crate) const USAGE: &str = "\
usage: cargo xtask <command>
  test                        run the tests of the workspace
  bindings                    test the Ruby, Python and C bindings
  ruby                        build, install and test the gem in bindings/ruby
  python                      build, install and test the package in bindings/python
  python --fuzz <n>           fuzz its invariants with atheris for n seconds
  spark                       test its module verger.spark on Spark (needs Java)
  js                          build and test the npm package in bindings/js
  js --package                build it without tests
  js --corpus <dir> --files <n>  also compare it with the command on n corpus files
  c [--all]                   build and test the C library in bindings/c and its examples
  c --header                  write bindings/c/include/verger/verger.h
  c --install <dir>           install the C library under a directory such as /usr/local
  c --sanitize <n>            make random calls for n seconds under each sanitizer and valgrind
  tidy                        check the project's rules
  clauses                     list requirements that no case or test cites
  api [--check]               write the public API of each crate to api/*.txt
  crawlers [--check]          write the bundled table of known crawlers
  crawlers --stale <n>d       list crawlers whose source was read at least n days ago
  requirements [--check]      write docs/reference/requirements.md, choices.md and their sentences
  cases                       print the case files as JSON Lines
  differences [--check]       write the table of docs/reference/dialects.md
  origin [--check]            write the table of docs/origin.md
  lints [--check]             write docs/lints.md
  prose [--check]             write lower counts of awkward phrases to xtask/data/prose_hits.txt
  fuzz --seconds <n>          run each fuzz target for n seconds (needs nightly and cargo-fuzz)
  fuzz --bulk --seconds <n>   run the targets of verger-bulk, which take minutes to build
  conformance <dir> [--list]  compare with suites of other parsers and Google's verdicts
  corpus <dir>                parse real files and check a sample of Google's verdicts
  interfaces <dir> [--files <n>]  compare each command with the engine on corpus files [default: 2000]";
