//! Splits lines into records: comment, separator, key and value.

use super::lines::{Line, before};
use crate::subject::DialectName;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Allow,
    Disallow,
}

/// The content of a line. Values are trimmed, but otherwise as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    UserAgent(Vec<u8>),
    Rule(Effect, Vec<u8>),
    /// Empty, or only spaces and tabs. A line with only a comment is not blank.
    Blank,
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Counted from 1.
    pub(super) line: u32,
    pub(super) content: Content,
}

/// Reads every line. A bad line never stops the rest.                      R9309-2.3.1.5-1
pub(super) fn read(lines: &[Line], dialect: DialectName) -> Vec<Record> {
    read_by(
        lines,
        match dialect {
            DialectName::Google => read_as_google,
            DialectName::Rfc9309 | DialectName::Draft2019 | DialectName::Koster1996 => {
                read_by_grammar
            }
        },
    )
}

/// Reads every line as Google does, except that a blank line stays blank. Outside Google, no line
/// with white space other than spaces and tabs gets here. D00-2.2-15
pub(super) fn read_leniently(lines: &[Line]) -> Vec<Record> {
    read_by(lines, |line| match read_by_grammar(line) {
        Content::Blank => Content::Blank,
        _ => read_as_google(line),
    })
}

fn read_by(lines: &[Line], read_line: fn(&[u8]) -> Content) -> Vec<Record> {
    lines
        .iter()
        .map(|line| Record {
            line: line.number,
            content: read_line(&line.bytes),
        })
        .collect()
}

/// `*WS key *WS ":" *WS value EOL`, keys compared without case.            R9309-2.2-2, K96-3.3-4
fn read_by_grammar(line: &[u8]) -> Content {
    let is_space = |byte: u8| byte == b' ' || byte == b'\t';
    if line.iter().all(|&byte| is_space(byte)) {
        return Content::Blank;
    }
    let Some((key, value)) = split_by_grammar(line) else {
        return Content::Other;
    };
    match key.to_ascii_lowercase().as_slice() {
        b"user-agent" => Content::UserAgent(value.to_vec()),
        b"allow" => Content::Rule(Effect::Allow, value.to_vec()),
        b"disallow" => Content::Rule(Effect::Disallow, value.to_vec()),
        _ => Content::Other,
    }
}

fn split_by_grammar(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_space = |byte: u8| byte == b' ' || byte == b'\t';
    // `#` starts a comment, wherever it is.                           R9309-2.2.3-2
    let text = trimmed(before(line, b'#'), is_space);
    // A line without a colon is not a defined record.                     V-15
    let colon = text.iter().position(|&byte| byte == b':')?;
    let (key, value) = (&text[..colon], &text[colon + 1..]);
    Some((trimmed(key, is_space), trimmed(value, is_space)))
}

/// Returns the key and the value of any record, without surrounding white space.
pub(super) fn key_and_value(line: &[u8], dialect: DialectName) -> Option<(&[u8], &[u8])> {
    if dialect != DialectName::Google {
        return split_by_grammar(line);
    }
    let (key, value) = split_as_google(trimmed(before(line, b'#'), is_ascii_space))?;
    Some((trimmed(key, is_ascii_space), trimmed(value, is_ascii_space)))
}

/// Google: prefixes of keys in this order, including misspellings.
const GOOGLE_KEYS: [(&str, GoogleKey); 10] = [
    ("user-agent", GoogleKey::UserAgent),
    ("useragent", GoogleKey::UserAgent),
    ("user agent", GoogleKey::UserAgent),
    ("allow", GoogleKey::Allow),
    ("disallow", GoogleKey::Disallow),
    ("dissallow", GoogleKey::Disallow),
    ("dissalow", GoogleKey::Disallow),
    ("disalow", GoogleKey::Disallow),
    ("diasllow", GoogleKey::Disallow),
    ("disallaw", GoogleKey::Disallow),
];

#[derive(Clone, Copy)]
enum GoogleKey {
    UserAgent,
    Allow,
    Disallow,
}

/// Google: any ASCII white space, an optional colon, keys by prefix.
fn read_as_google(line: &[u8]) -> Content {
    let text = trimmed(before(line, b'#'), is_ascii_space);
    let Some((key, value)) = split_as_google(text) else {
        return Content::Other;
    };
    let key = trimmed(key, is_ascii_space).to_ascii_lowercase();
    let value = trimmed(value, is_ascii_space).to_vec();
    let known = GOOGLE_KEYS
        .iter()
        .find(|(prefix, _)| key.starts_with(prefix.as_bytes()));
    match known {
        Some((_, GoogleKey::UserAgent)) => Content::UserAgent(value),
        Some((_, GoogleKey::Allow)) => Content::Rule(Effect::Allow, value),
        Some((_, GoogleKey::Disallow)) => Content::Rule(Effect::Disallow, value),
        None => Content::Other,
    }
}

/// Google: the first colon separates. Without one, the first run of spaces and tabs does, if it has
/// exactly two words around it.
fn split_as_google(text: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(colon) = text.iter().position(|&byte| byte == b':') {
        return Some((&text[..colon], &text[colon + 1..]));
    }
    let is_separator = |&byte: &u8| byte == b' ' || byte == b'\t';
    let words: Vec<&[u8]> = text
        .split(is_separator)
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        [key, value] => Some((key, value)),
        _ => None,
    }
}

/// Google: space, TAB, LF, VT, FF and CR.
pub(super) fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r')
}

fn trimmed(bytes: &[u8], is_space: impl Fn(u8) -> bool) -> &[u8] {
    let Some(start) = bytes.iter().position(|&byte| !is_space(byte)) else {
        return &[];
    };
    let end = bytes.iter().rposition(|&byte| !is_space(byte));
    &bytes[start..=end.expect("one byte is no space")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(line: &str, dialect: DialectName) -> Content {
        let line = Line {
            number: 1,
            bytes: line.as_bytes().to_vec(),
        };
        read(&[line], dialect)[0].content.clone()
    }

    fn disallow(value: &str) -> Content {
        Content::Rule(Effect::Disallow, value.as_bytes().to_vec())
    }

    fn allow(value: &str) -> Content {
        Content::Rule(Effect::Allow, value.as_bytes().to_vec())
    }

    fn user_agent(value: &str) -> Content {
        Content::UserAgent(value.as_bytes().to_vec())
    }

    #[test]
    fn white_space_may_stand_around_key_colon_and_value() {
        for dialect in DialectName::ALL {
            assert_eq!(content(" \tDisAllow : /a b\t", dialect), disallow("/a b"));
            assert_eq!(content("USER-agent:x", dialect), user_agent("x"));
            assert_eq!(content("allow:/a#b", dialect), allow("/a"));
            assert_eq!(content("Disallow:  # none", dialect), disallow(""));
            assert_eq!(content("Crawl-delay: 5", dialect), Content::Other);
            assert_eq!(content(": /a", dialect), Content::Other);
            assert_eq!(content("Disallow:: /x", dialect), disallow(": /x"));
        }
    }

    #[test]
    fn misspelt_keys_longer_keys_and_missing_colons_count_in_google_alone() {
        let lines = [
            ("Disalow: /a", disallow("/a")),
            ("dissallow: /a", disallow("/a")),
            ("Disallowed: /a", disallow("/a")),
            ("Disallow /a:b", disallow("b")),
            ("Allow-from: /a", allow("/a")),
            ("useragent: x", user_agent("x")),
            ("user agent: x", user_agent("x")),
            ("User-agents x", user_agent("x")),
            ("disallow \t /x # c", disallow("/x")),
            ("\u{b}disallow:\u{c}/x\u{b}", disallow("/x")),
        ];
        for (line, expected) in lines {
            assert_eq!(content(line, DialectName::Google), expected, "{line:?}");
            assert_eq!(content(line, DialectName::Rfc9309), Content::Other);
        }
        for line in [
            "disallow /x /y",
            "user agent x",
            "disallow/x",
            "disallo: /",
            "alow: /",
        ] {
            assert_eq!(
                content(line, DialectName::Google),
                Content::Other,
                "{line:?}"
            );
        }
    }

    #[test]
    fn lenient_lines_count_as_they_do_for_google() {
        for (line, expected) in [
            ("Disalow: /a", disallow("/a")),
            ("Disallowed /a", disallow("/a")),
            ("User-agent x", user_agent("x")),
            ("Disallow: /a b", disallow("/a b")),
            ("disallow /x /y", Content::Other),
            (" \t", Content::Blank),
            ("# c", Content::Other),
        ] {
            let bytes = line.as_bytes().to_vec();
            let read = read_leniently(&[Line { number: 1, bytes }]);
            assert_eq!(read[0].content, expected, "{line:?}");
        }
    }

    #[test]
    fn a_blank_line_holds_spaces_and_tabs_alone() {
        assert_eq!(content("", DialectName::Koster1996), Content::Blank);
        assert_eq!(content(" \t", DialectName::Koster1996), Content::Blank);
        assert_eq!(content(" # c", DialectName::Koster1996), Content::Other);
    }
}
