//! Words that no code may use, or no code of the crates without IO.

use super::finding::Finding;
use super::imports::named_paths;
use super::source::{Source, tokens};

/// A clock, what reads one, and collections whose order is chance. An `Instant` as an argument is
/// none of them.
const OUTSIDE_WORLD: [&str; 4] = ["SystemTime", "elapsed", "HashMap", "HashSet"];

/// The environment, files and the network, as modules of `std`.
const OUTSIDE_MODULES: [&str; 3] = ["env", "fs", "net"];

/// The crates that know nothing of the outside world.
const SANS_IO: [&str; 7] = [
    "crates/verger/src/",
    "crates/verger-extensions/src/",
    "crates/verger-crawlers/src/",
    "crates/verger-access/src/",
    "crates/verger-answer/src/",
    "crates/verger-compare/src/",
    "crates/verger-lint/src/",
];

/// The words of one file that should not be there.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let found = |line, word: &str, sentence| {
        Finding::new(&source.path, line, format!("`{word}` {sentence}"))
    };
    for attribute in tokens(&source.file).windows(3) {
        if attribute
            .iter()
            .map(|token| &token.text)
            .eq(["#", "[", "ignore"])
        {
            findings.push(found(attribute[0].first_line, "#[ignore]", "is left over"));
        }
    }
    if SANS_IO.iter().any(|crate_| source.path.starts_with(crate_)) {
        let sentence = "reaches for the outside world, or for an order that is chance";
        for token in tokens(&source.product) {
            if OUTSIDE_WORLD.contains(&token.text.as_str()) {
                findings.push(found(token.first_line, &token.text, sentence));
            }
        }
        for path in named_paths(&source.product) {
            if let [.., kind, now] = path.segments.as_slice()
                && kind == "Instant"
                && now == "now"
            {
                findings.push(found(path.line, "Instant::now", sentence));
            }
            if let [first, second, ..] = path.segments.as_slice()
                && first == "std"
                && OUTSIDE_MODULES.contains(&second.as_str())
            {
                findings.push(found(path.line, &format!("std::{second}"), sentence));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        let source = Source::new(path, text).unwrap_or_else(|finding| panic!("{finding}"));
        findings(&source).len()
    }

    #[test]
    fn tests_that_are_not_run_are_found_in_code_only() {
        assert_eq!(count("a.rs", "#[ignore = \"slow\"]\nfn a() {}\n"), 1);
        assert_eq!(
            count("a.rs", "// #[ignore]\nconst A: &str = \"#[ignore]\";\n"),
            0
        );
    }

    #[test]
    fn the_outside_world_is_found_in_crates_without_io() {
        let text = "use std::collections::HashMap;\nfn a(instant: Instants) {}\n";
        assert_eq!(count("crates/verger/src/a.rs", text), 1);
        assert_eq!(count("crates/verger-cli/src/a.rs", text), 0);
        let tree = "use std::{fmt, fs::File};\nfn a() { std::env::args(); }\n";
        assert_eq!(count("crates/verger/src/a.rs", tree), 2);
        let clock = "fn a(until: Instant) { std::time::Instant::now() < until; until.elapsed() }\n";
        assert_eq!(count("crates/verger/src/a.rs", clock), 2);
        let tests = "#[cfg(test)]\nmod tests { use std::fs::File; }\n";
        assert_eq!(count("crates/verger/src/a.rs", tests), 0);
    }
}
