//! Identifiers that code must not use, in all crates or in crates without IO.

use super::finding::Finding;
use super::imports::named_paths;
use super::source::Source;
use crate::workspace::lies_in;

/// Clocks, and collections with a random order. An `Instant` as an argument is allowed.
const OUTSIDE_WORLD: [&str; 3] = ["elapsed", "HashMap", "HashSet"];

/// Crates without access to the outside world.
const SANS_IO: &str = "crates/verger/src/ crates/verger-extensions/src/ crates/verger-crawlers/src/ \
    crates/verger-access/src/ crates/verger-answer/src/ crates/verger-compare/src/ \
    crates/verger-lint/src/";

/// The command prints answers of libraries, so it serializes nothing.
const COMMAND: &str = "crates/verger-cli/src/";

/// Reports ignored tests.
pub(super) fn left_over(path: &str, text: &str) -> Vec<Finding> {
    let lines = text.lines().zip(1..);
    let ignored = lines.filter(|(line, _)| line.trim_start().starts_with("#[ignore"));
    let finding = |(_, number)| {
        Finding::new(
            path,
            number,
            "`#[ignore]` is not allowed: run or remove the test",
        )
    };
    ignored.map(finding).collect()
}

/// Reports forbidden identifiers in one file.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut found = |line, word: &str, sentence| {
        let sentence = format!("`{word}` {sentence}");
        findings.push(Finding::new(&source.path, line, sentence));
    };
    let tokens = source.tokens().iter();
    if source.path.starts_with(COMMAND) {
        let sentence = "serialization belongs in a library: the command only prints";
        for token in tokens.filter(|it| it.text == "Serialize") {
            found(token.first_line, &token.text, sentence);
        }
    } else if lies_in(&source.path, SANS_IO) {
        let sentence = "depends on the outside world or on a random order";
        for token in tokens.filter(|it| OUTSIDE_WORLD.contains(&it.text.as_str())) {
            found(token.first_line, &token.text, sentence);
        }
        for path in named_paths(&source.product) {
            let segments: Vec<&str> = path.segments.iter().map(String::as_str).collect();
            match segments[..] {
                [.., clock @ ("Instant" | "SystemTime"), "now"] => {
                    found(path.line, &format!("{clock}::now"), sentence);
                }
                ["std", module @ ("env" | "fs" | "net"), ..] => {
                    found(path.line, &format!("std::{module}"), sentence);
                }
                _ => {}
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
        let count = |text: &str| left_over("a.rs", text).len();
        assert_eq!(count("#[ignore = \"slow\"]\nfn a() {}\n"), 1);
        assert_eq!(count("    #[ignore]\n    fn a() {}\n"), 1);
        assert_eq!(count("// #[ignore]\nconst A: &str = \"#[ignore]\";\n"), 0);
    }

    #[test]
    fn what_is_serialized_is_found_in_the_command_alone() {
        let derived = "/// A.\n#[derive(Debug, Serialize)]\nstruct Shape;\n";
        assert_eq!(count("crates/verger-cli/src/a.rs", derived), 1);
        assert_eq!(count("crates/verger-owner/src/a.rs", derived), 0);
        let by_hand = "impl serde::Serialize for Shape {}\n";
        assert_eq!(count("crates/verger-cli/src/a.rs", by_hand), 1);
        let in_tests = "#[cfg(test)]\nmod tests {\n    use serde::Serialize;\n}\n";
        assert_eq!(count("crates/verger-cli/src/a.rs", in_tests), 0);
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
