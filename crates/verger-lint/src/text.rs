//! Bytes of a body in messages.

use std::fmt::Write;

use verger::legible;
use verger_crawlers::KnownCrawler;

/// Maximum number of characters that a message quotes.
const CHARACTERS_MAX: usize = 60;

/// Returns the bytes in backticks, shortened, as [`legible`] shows them.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    // A character has at most four bytes, so the rest need not be decoded.
    let start = &bytes[..bytes.len().min(4 * CHARACTERS_MAX + 4)];
    let text = String::from_utf8_lossy(start);
    let (shown, more) = match text.char_indices().nth(CHARACTERS_MAX) {
        Some((end, _)) => (&text[..end], "…"),
        None => (&*text, ""),
    };
    format!("`{}{more}`", legible(shown.as_bytes()))
}

/// Returns the first names of a list and the number of others: `a, b and 3 more`.
pub(crate) fn listed<'n>(names: impl Iterator<Item = &'n str>, shown: usize) -> String {
    let names: Vec<&str> = names.collect();
    let mut text = names[..names.len().min(shown)].join(", ");
    if names.len() > shown {
        let _ = write!(text, " and {} more", names.len() - shown);
    }
    text
}

/// Returns the first product tokens in registry order, and the number of others.
pub(crate) fn listed_crawlers(mut crawlers: Vec<&KnownCrawler>, shown: usize) -> String {
    crawlers.sort_by_key(|it| it.place());
    listed(crawlers.iter().map(|it| it.own_token().as_str()), shown)
}

/// Crawlers of the search engines with the most readers.
const LARGEST: [&str; 2] = ["bingbot", "googlebot"];

/// Returns how many of the largest search engines are among some crawlers.
pub(crate) fn largest_among(crawlers: &[&KnownCrawler]) -> usize {
    let is_among = |name: &&&str| crawlers.iter().any(|it| it.name() == **name);
    LARGEST.iter().filter(is_among).count()
}

/// Returns whether all of the largest search engines are among some crawlers.
pub(crate) fn are_largest(crawlers: &[&KnownCrawler]) -> bool {
    largest_among(crawlers) == LARGEST.len()
}

/// Returns the letters and digits of a name in lower case, without separators.
pub(crate) fn letters_of(name: &[u8]) -> Vec<u8> {
    let is_letter = |it: &u8| !matches!(it, b'-' | b'_' | b' ' | b'\t');
    let letters = name.iter().copied().filter(is_letter);
    letters.map(|it| it.to_ascii_lowercase()).collect()
}

/// Returns whether one letter is missing, added or different, or two neighbours are swapped.
pub(crate) fn differ_by_one_letter(one: &[u8], other: &[u8]) -> bool {
    let same_start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same_start..], &other[same_start..]);
    match (one, other) {
        ([_], []) | ([], [_]) => true,
        ([a, b, rest @ ..], [c, d, end @ ..]) if a == d && b == c && rest == end => true,
        ([_, rest @ ..], [_, end @ ..]) => rest == end || rest == other || end == one,
        _ => false,
    }
}

/// Returns whether two letters are missing, added or different.
pub(crate) fn differ_by_two_letters(one: &[u8], other: &[u8]) -> bool {
    let same_start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same_start..], &other[same_start..]);
    let (Some((_, rest)), Some((_, end))) = (one.split_first(), other.split_first()) else {
        return one.len().max(other.len()) == 2;
    };
    let pairs = [(rest, end), (rest, other), (one, end)];
    pairs
        .iter()
        .any(|(one, other)| differ_by_one_letter(one, other))
}

/// Returns the first position of `needle`, ignoring ASCII case.
pub(crate) fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len().max(1))
        .position(|window| window.eq_ignore_ascii_case(needle))
}

/// Returns whether a text contains one of several parts, ignoring ASCII case.
pub(crate) fn has_any(text: &[u8], parts: &[&str]) -> bool {
    let mut parts = parts.iter();
    parts.any(|part| find_ignoring_case(text, part.as_bytes()).is_some())
}

/// Returns whether a letter beyond ASCII was encoded in UTF-8, read as Latin-1, and encoded again: `é`
/// became `Ã©`.
pub(crate) fn is_encoded_twice(text: &[u8]) -> bool {
    let is_letter = |it: &[u8]| matches!(it, [0xC3, 0x82..=0x9F, 0xC2, 0x80..=0xBF]);
    text.windows(4).any(is_letter)
}

/// Tags of template engines: the start of a tag, and the text that must follow on the line.
const TAGS: [(&str, &str); 7] = [
    ("{%", "%}"),
    ("{{", "}}"),
    ("{#", "#}"),
    ("${", "}"),
    ("<%", "%>"),
    ("<?=", "?>"),
    ("<?php", "<?php"),
];

/// Returns whether a tag of a template engine may begin with a byte.
pub(crate) fn begins_tag(byte: u8) -> bool {
    matches!(byte, b'{' | b'<' | b'$')
}

/// Returns the position of the first tag of a template engine. A second tag of the same kind is not
/// searched for its end.
pub(crate) fn template_tag(text: &[u8]) -> Option<usize> {
    let mut open = TAGS.to_vec();
    let places = (0..text.len()).filter(|at| begins_tag(text[*at]));
    for (at, rest) in places.map(|at| (at, &text[at..])) {
        let begins = |(start, _): &mut (&str, &str)| {
            let written = rest.get(..start.len());
            written.is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
        };
        let mut begun = open.extract_if(.., begins);
        if begun.any(|(_, end)| find_ignoring_case(rest, end.as_bytes()).is_some()) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_short_and_harmless() {
        assert_eq!(quoted(b"/a\x1b[0m"), "`/a\\x1b[0m`");
        assert_eq!(quoted(b"\xff"), "`\u{fffd}`");
        assert_eq!(quoted("\u{202e}".as_bytes()), "`\\u{202e}`");
        assert_eq!(quoted("é".repeat(100).as_bytes()).chars().count(), 63);
    }

    #[test]
    fn letters_that_were_encoded_twice_are_told_apart() {
        assert!(is_encoded_twice("/caf\u{c3}\u{a9}".as_bytes()));
        assert!(!is_encoded_twice("/caf\u{e9}".as_bytes()));
        assert!(!is_encoded_twice("/\u{e4}\u{f6}\u{a9}".as_bytes()));
    }

    #[test]
    fn a_long_list_is_counted() {
        assert_eq!(listed(["a", "b"].into_iter(), 2), "a, b");
        assert_eq!(listed(["a", "b", "c"].into_iter(), 1), "a and 2 more");
    }
}
