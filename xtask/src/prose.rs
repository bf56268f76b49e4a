//! `cargo xtask prose`: counts grammar that reads like a translation, for each crate and each page.
//!
//! `data/prose_hits.txt` holds the counts. They may fall and never rise: `cargo xtask tidy` compares them with the
//! tree, and `cargo xtask prose` writes lower ones. A hit is a place to look at. Quotations keep their words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use regex_lite::Regex;

use crate::generated::Generated;
use crate::workspace::Tree;

const COUNTS: &str = "xtask/data/prose_hits.txt";
const HEAD: &str = "# Hits of `cargo xtask prose` for each crate and page. They may only fall.\n";

/// A pattern, and the words after which a hit is good English.
struct Pattern {
    regex: Regex,
    unless_next: &'static [&'static str],
}

/// The patterns. A line end counts as a space.
fn patterns() -> Result<Vec<Pattern>, String> {
    const QUESTION: &[&str] = &[
        "is", "are", "does", "do", "did", "can", "will", "about", "to",
    ];
    const LIST: [(&str, &[&str]); 8] = [
        // A clause as a noun: "What is too much is refused".
        (
            r"(?:^|[.;:!?]\s+|[,(]\s*|\band |\bor |\bof |\bfrom |\bby |\bto |\bis |\bsays? )[Ww]hat (\w+)",
            QUESTION,
        ),
        (
            r"(?:^|[.;]\s+)What (?:is|are|was|has|can|it|a|the|this|no) ",
            &[],
        ),
        // "where" for "if" and "when".
        (
            r"\b[Ww]here (?:it|they|this|that|there|no|one|a|an|the|its|he|each|all|none) ",
            &[],
        ),
        // A negated noun: "is no error".
        (r"\b(?:is|are|was|were|be|makes?|made) (?:no|none)\b", &[]),
        // "Of several, the worst counts".
        (
            r"(?:^|[.;]\s+)Of [^.,;]{2,60}(?:,| the | a | only | is | are )",
            &[],
        ),
        // A chain of pronouns: "those that", "one of which".
        (
            r"\b(?:those|that|one) (?:that|of which|which|with which) |\bthe former\b|\bone of (?:it|them)\b|\bof it\b",
            &[],
        ),
        // "So many at most" for "Maximum number of".
        (r"\bSo (?:many|much|long) ", &[]),
        (r"\boctets?\b", &[]),
    ];
    let pattern = |(regex, unless_next): (&str, &'static [&'static str])| {
        let regex = Regex::new(regex).map_err(|error| error.to_string())?;
        Ok(Pattern { regex, unless_next })
    };
    LIST.into_iter().map(pattern).collect()
}

impl Pattern {
    fn hits(&self, text: &str) -> usize {
        let is_hit = |next: Option<&str>| {
            next.is_none_or(|next| !self.unless_next.contains(&next) && !next.starts_with("happen"))
        };
        let found = self.regex.captures_iter(text);
        found
            .filter(|found| is_hit(found.get(1).map(|word| word.as_str())))
            .count()
    }
}

/// Returns the file with the counts, none of them higher than before.
pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let tree = Tree::of_workspace()?;
    let (before, now) = (committed(&tree)?, count(&tree)?);
    let mut text = HEAD.to_owned();
    for (key, hits) in now.iter().filter(|(_, hits)| **hits > 0) {
        let hits = before.get(key).map_or(*hits, |before| *before.min(hits));
        let _ = writeln!(text, "{key} {hits}");
    }
    Ok(vec![Generated::whole(COUNTS, text)])
}

/// Returns a sentence for each crate or page whose count differs from the committed one.
pub(crate) fn differences(tree: &Tree) -> Result<Vec<(String, String)>, String> {
    let (before, now) = (committed(tree)?, count(tree)?);
    let mut sentences = Vec::new();
    for (key, hits) in &now {
        let before = before.get(key).copied().unwrap_or(0);
        if *hits > before {
            let sentence = format!(
                "awkward phrases: {hits}, up from {before}, see the patterns in `xtask/src/prose.rs`"
            );
            sentences.push((key.clone(), sentence));
        }
    }
    if sentences.is_empty()
        && now
            .iter()
            .any(|(key, hits)| before.get(key).unwrap_or(&0) != hits)
    {
        let sentence = "counts have fallen: run `cargo xtask prose`".to_owned();
        sentences.push((COUNTS.to_owned(), sentence));
    }
    Ok(sentences)
}

fn committed(tree: &Tree) -> Result<BTreeMap<String, usize>, String> {
    if !tree.has(COUNTS) {
        return Ok(BTreeMap::new());
    }
    let text = tree.utf8(COUNTS)?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let (key, hits) = line.rsplit_once(' ')?;
        Some((key.to_owned(), hits.parse().ok()?))
    };
    Ok(lines.filter_map(read).collect())
}

fn count(tree: &Tree) -> Result<BTreeMap<String, usize>, String> {
    let patterns = patterns()?;
    let mut counts = BTreeMap::new();
    for file in tree.files() {
        let is_test = file.contains("/tests/") || file.starts_with("fuzz/");
        // The patterns themselves are examples of what they find.
        if is_test || file.starts_with("testdata/") || file == "xtask/src/prose.rs" {
            continue;
        }
        let Some(text) = tree.text(file)?.and_then(|text| prose(file, &text)) else {
            continue;
        };
        let hits: usize = patterns.iter().map(|pattern| pattern.hits(&text)).sum();
        *counts.entry(key(file)).or_default() += hits;
    }
    Ok(counts)
}

/// Returns the crate, the binding, the page or the folder that a file counts for.
fn key(file: &str) -> String {
    let is_page = file
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "md");
    let mut parts = file.split('/');
    match (parts.next(), parts.next()) {
        (Some(folder @ ("crates" | "bindings")), Some(name)) => format!("{folder}/{name}"),
        (Some(folder), Some(_)) if !is_page => folder.to_owned(),
        _ => file.to_owned(),
    }
}

/// Returns the comments of a source file or the text of a page, or `None` for other files.
fn prose(file: &str, text: &str) -> Option<String> {
    let (_, ending) = file.rsplit_once('.')?;
    let mut prose = String::new();
    let mut is_inside = false;
    for line in text.lines() {
        let line = line.trim();
        let words = match ending {
            "md" => {
                let is_fence = line.starts_with("```");
                is_inside ^= is_fence;
                (!is_fence && !is_inside).then_some(line)
            }
            "rs" => line
                .strip_prefix("//")
                .map(|it| it.trim_start_matches(['/', '!'])),
            "ts" => ["/**", "*", "//"]
                .iter()
                .find_map(|start| line.strip_prefix(start)),
            "rb" => line.strip_prefix('#'),
            "py" | "pyi" => {
                let quotes = line.matches("\"\"\"").count();
                let was_inside = is_inside;
                is_inside ^= quotes % 2 == 1;
                let is_docstring = was_inside || quotes > 0;
                is_docstring
                    .then_some(line)
                    .or_else(|| line.strip_prefix('#'))
            }
            _ => return None,
        };
        match words {
            Some(words) => {
                prose.push_str(words.trim());
                prose.push(' ');
            }
            // Text on both sides of code is not one sentence.
            None if !prose.ends_with(". ") => prose.push_str(". "),
            None => {}
        }
    }
    Some(prose)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(text: &str) -> usize {
        let patterns = patterns().unwrap();
        patterns.iter().map(|pattern| pattern.hits(text)).sum()
    }

    #[test]
    fn odd_constructions_are_counted_and_good_english_is_not() {
        for odd in [
            "What is too much is refused.",
            "It says what the file has.",
            "Fails where the store is away.",
            "A note is no error.",
            "It is short. Of several, the worst counts.",
            "those that it has",
            "So many hosts at most.",
            "512 octets",
        ] {
            assert!(hits(odd) > 0, "{odd}");
        }
        for good in [
            "It explains and what happens next.",
            "Returns an error if the store fails.",
            "A note is not an error.",
            "The most severe of them is used.",
            "Maximum number of hosts.",
        ] {
            assert_eq!(hits(good), 0, "{good}");
        }
    }

    #[test]
    fn comments_and_pages_are_read_and_code_is_not() {
        let rust = prose("a.rs", "/// One\n/// two.\nfn what_is() {}\n// Three.\n");
        assert_eq!(rust.unwrap(), "One two. Three. ");
        let page = prose("a.md", "One\n```\nwhat\n```\ntwo\n").unwrap();
        assert_eq!(page, "One . two ");
        let python = prose("a.py", "\"\"\"One\ntwo.\"\"\"\nx = 1\n# Three.\n").unwrap();
        assert_eq!(python, "\"\"\"One two.\"\"\" . Three. ");
        assert_eq!(prose("a.toml", "x"), None);
    }

    #[test]
    fn a_file_counts_for_its_crate_or_page() {
        let keys = [
            "crates/verger/src/a.rs",
            "docs/guide/site.md",
            "xtask/src/a.rs",
            "README.md",
        ];
        let expected = ["crates/verger", "docs/guide/site.md", "xtask", "README.md"];
        assert_eq!(keys.map(key), expected);
    }
}
