//! Finds the product names in a User-Agent header.
//!
//! A header is prose with products in it: `Mozilla/5.0 (compatible; ExampleBot/0.1;
//! +https://example.com/bot)`. It is split into words at white space, parentheses, `;`, `,` and
//! quotes, and at `+`, which some logs write instead of a space. A word may name a crawler unless
//! it is
//!
//! - a contact: a URL, a mail address, a host name after `+`, or a host name with a path
//! - a likeness: the word after `like` (`like Gecko`, `like TwitterBot`)
//! - an app in which a person reads: a word that starts with `[` (`[Pinterest/iOS]`)
//!
//! In the remaining words, a `/` starts a version.

use std::fmt;
use std::ops::Range;

/// Words that browsers put into their headers and crawlers copy.
const BROWSER_WORDS: [&str; 39] = [
    "android",
    "applewebkit",
    "build",
    "chrome",
    "compatible",
    "cpu",
    "crios",
    "cros",
    "edg",
    "edge",
    "firefox",
    "fxios",
    "gecko",
    "intel",
    "ipad",
    "iphone",
    "khtml",
    "like",
    "linux",
    "mac",
    "macintosh",
    "mobile",
    "mozilla",
    "msie",
    "nexus",
    "opera",
    "opr",
    "os",
    "presto",
    "rv",
    "safari",
    "samsungbrowser",
    "trident",
    "version",
    "win64",
    "windows",
    "wow64",
    "x11",
    "x86_64",
];

/// The value of a User-Agent header. It is not a product token, but it may name one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserAgentHeader {
    text: String,
    /// The text in ASCII lower case, with spaces instead of `+` and of all words that name nothing.
    claims: String,
}

impl UserAgentHeader {
    /// Parses the value of a header. Any text is valid.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut claims = String::with_capacity(text.len());
        for word in words(text).filter(|word| !word.is_claim) {
            claims.push_str(&text[claims.len()..word.range.start]);
            claims.extend(std::iter::repeat_n(' ', word.range.len()));
        }
        claims.push_str(&text[claims.len()..]);
        Self {
            text: text.to_owned(),
            claims: claims.to_ascii_lowercase().replace('+', " "),
        }
    }

    /// Returns the header as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the product names in the header, as written and in order: the part of each word
    /// before its version. Contacts, likenesses, bare versions and the words of browsers
    /// (`Mozilla`, `compatible`, `Safari`) are left out.
    ///
    /// The names are candidates. The header of a browser may still yield a device name.
    pub fn product_names(&self) -> impl Iterator<Item = &str> {
        words(&self.text)
            .filter(|word| word.is_claim)
            .filter_map(|word| {
                let word = &self.text[word.range];
                let name = word.split('/').next().unwrap_or(word);
                let name = name
                    .trim_matches(|c: char| !is_name_char(c))
                    .trim_end_matches('.');
                (is_product_name(name)).then_some(name)
            })
    }

    /// Returns the place of `name`, given in ASCII lower case, if the header claims it as a whole
    /// name and not as a version.
    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        let mut places = self.claims.match_indices(name).map(|(start, _)| start);
        places.find(|&start| {
            let before = self.claims[..start].chars().next_back();
            let mut after = self.claims[start + name.len()..].chars();
            let ends = match after.next() {
                // A full stop ends a name unless the name continues after it.
                Some('.') => !after.next().is_some_and(is_name_char),
                Some(next) => !is_name_char(next),
                None => true,
            };
            ends && !before.is_some_and(|c| is_name_char(c) || c == '/')
        })
    }
}

impl fmt::Display for UserAgentHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A word of a header, and whether it may name a crawler.
struct Word {
    range: Range<usize>,
    is_claim: bool,
}

/// Returns the words of a header in order.
fn words(text: &str) -> impl Iterator<Item = Word> {
    let mut previous: Option<Range<usize>> = None;
    chunks(text)
        .flat_map(move |chunk| words_of_chunk(text, chunk))
        .map(move |mut word| {
            if let Some(previous) = &previous {
                let between = &text[previous.end..word.range.start];
                let is_gap = between.chars().all(|c| c == '+' || c.is_ascii_whitespace());
                if is_gap && text[previous.clone()].eq_ignore_ascii_case("like") {
                    word.is_claim = false;
                }
            }
            previous = Some(word.range.clone());
            word
        })
}

/// Returns the runs between separators. `+` is not a separator here.
fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_separator = |c: char| {
        c.is_ascii_whitespace() || matches!(c, '(' | ')' | ';' | ',' | '"' | '\'' | '<' | '>')
    };
    text.split(is_separator)
        .filter(|chunk| !chunk.is_empty())
        .map(move |chunk| {
            let start = chunk.as_ptr().addr() - text.as_ptr().addr();
            start..start + chunk.len()
        })
}

/// Splits a chunk at `+`, except that a URL extends to the end of its chunk.
fn words_of_chunk(text: &str, chunk: Range<usize>) -> Vec<Word> {
    let url_start =
        url_start(&text[chunk.clone()]).map_or(chunk.end, |offset| chunk.start + offset);
    let mut words = Vec::new();
    let mut start = chunk.start;
    for piece in text[chunk.start..url_start].split('+') {
        let range = start..start + piece.len();
        start = range.end + 1;
        if !piece.is_empty() {
            let follows_plus = text[..range.start].ends_with('+');
            let is_claim = !is_contact(piece, follows_plus) && !piece.starts_with('[');
            words.push(Word { range, is_claim });
        }
    }
    if url_start < chunk.end {
        words.push(Word {
            range: url_start..chunk.end,
            is_claim: false,
        });
    }
    words
}

/// Returns where a URL starts in a chunk: at the scheme of the first `://`, or at a leading `www.`
/// or `mailto:`.
fn url_start(chunk: &str) -> Option<usize> {
    if let Some(colon) = chunk.find("://") {
        let scheme = chunk[..colon]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        return Some(colon - scheme);
    }
    let bare = chunk.trim_start_matches('+');
    let begins = |prefix: &str| {
        bare.get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    (begins("www.") || begins("mailto:")).then_some(chunk.len() - bare.len())
}

fn is_contact(word: &str, follows_plus: bool) -> bool {
    if word.contains('@') {
        return true;
    }
    match word.split_once('/') {
        Some((host, path)) => is_host(host) && !is_version(path),
        None => follows_plus && is_host(word),
    }
}

/// Returns whether the text looks like a host name: labels of letters, digits and hyphens, the last
/// of at least two letters.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.rsplit_once('.').is_some_and(|(labels, top)| {
        labels.split('.').all(is_label)
            && top.len() >= 2
            && top.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// Returns whether the text looks like a version: `1.0`, `v1.4.8`.
fn is_version(text: &str) -> bool {
    let digits = text.strip_prefix(['v', 'V']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Returns whether a word is a product name and not a version or a word of browsers.
fn is_product_name(name: &str) -> bool {
    let letters = name.bytes().filter(u8::is_ascii_alphabetic).count();
    letters >= 2
        && name.chars().all(is_name_char)
        && !BROWSER_WORDS
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word))
}
