//! Words that may stand in no code, or not in that of the sans-IO crates.

use super::finding::Finding;
use super::source::Source;

/// Left over from work in progress.
const UNFINISHED: [&str; 4] = ["todo!", "unimplemented!", "dbg!", "#[ignore"];

/// A clock, the environment, files, the network, and collections whose order is chance.
const OUTSIDE_WORLD: [&str; 8] = [
    "std::time",
    "SystemTime",
    "Instant",
    "std::env",
    "std::fs",
    "std::net",
    "HashMap",
    "HashSet",
];

/// The crates that know nothing of the outside world.
const SANS_IO: [&str; 5] = [
    "crates/verger/src/",
    "crates/verger-crawlers/src/",
    "crates/verger-access/src/",
    "crates/verger-compare/src/",
    "crates/verger-lint/src/",
];

/// The words of one file that should not be there.
pub(super) fn findings(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for word in UNFINISHED {
        findings.extend(find(source, &source.code, word, "is left over"));
    }
    if SANS_IO.iter().any(|crate_| source.path.starts_with(crate_)) {
        for word in OUTSIDE_WORLD {
            let sentence = "reaches for the outside world, or for an order that is chance";
            findings.extend(find(source, &source.product_code, word, sentence));
        }
    }
    findings
}

fn find(source: &Source, code: &str, word: &str, sentence: &str) -> Vec<Finding> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .filter(|(offset, _)| {
            let before = code[..*offset].chars().next_back();
            let after = code[offset + word.len()..].chars().next();
            let starts_a_word = word.starts_with('#') || !before.is_some_and(is_word);
            let ends_a_word = !word.ends_with(is_word) || !after.is_some_and(is_word);
            starts_a_word && ends_a_word
        })
        .map(|(offset, _)| {
            let line = source.line_of(offset);
            Finding::new(&source.path, line, format!("`{word}` {sentence}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        findings(&Source::new(path, text)).len()
    }

    #[test]
    fn unfinished_work_is_found_in_code_only() {
        assert_eq!(count("a.rs", "fn a() {\n    todo!()\n}\n"), 1);
        assert_eq!(count("a.rs", "#[ignore = \"slow\"]\nfn a() {}\n"), 1);
        assert_eq!(count("a.rs", "// todo!()\nconst A: &str = \"dbg!\";\n"), 0);
    }

    #[test]
    fn the_outside_world_is_found_in_sans_io_crates() {
        let text = "use std::collections::HashMap;\nfn a(instant: Instants) {}\n";
        assert_eq!(count("crates/verger/src/a.rs", text), 1);
        assert_eq!(count("crates/verger-cli/src/a.rs", text), 0);
        let tests = "#[cfg(test)]\nmod tests { use std::time::Duration; }\n";
        assert_eq!(count("crates/verger/src/a.rs", tests), 0);
    }
}
