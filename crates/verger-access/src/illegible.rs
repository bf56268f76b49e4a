//! `Illegible`: why a body says nothing that a crawler can read, although it was sent as the file. V-45.

use std::fmt;
use std::str::FromStr;

use verger::dialect::EncodingMismatch;
use verger::{DiagnosticKind, Dialect, NotUtf8, Reading, RobotsTxt};
use verger_simd::{FirstByteSet, any_line};

use crate::unknown_code::UnknownCode;

/// Why the body of a success is not legible. It is a fact, from which a profile draws conclusions. V-45.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Illegible {
    /// An HTML page in which no reading finds a rule for any crawler: a bot challenge, a login form, or a "not found"
    /// page that is sent with 200. A rule before the first user-agent line does not count. Scripts often have lines
    /// such as `allowCookies: true`, which the most lenient reading takes for a rule.
    Page,
    /// HTML in which only lines with tags (`User-agent: *<br>`, `Disallow: /<br>`) look like rules.
    TaggedLines,
    /// UTF-16 with a byte order mark. A profile may decode it ([`EncodingMismatch::Bridge`]).
    Utf16,
    /// UTF-32 with a byte order mark.
    Utf32,
    /// Compressed data with a signature ([`DiagnosticKind::Compressed`]).
    Compressed,
    /// NUL bytes, as in UTF-16 without a byte order mark. Or control bytes in a body that is not UTF-8 and in which no
    /// reading finds a rule, as in data that was compressed with Brotli.
    Binary,
}

/// A reading that finds a rule whenever any other reading does: it accepts misspelt keys and missing colons, and
/// decodes UTF-16.
const MOST_LENIENT: Reading =
    Reading::new(Dialect::Google).with_encoding_mismatch(EncodingMismatch::Bridge);

impl Illegible {
    /// All variants.
    pub const ALL: &'static [Self] = &[
        Self::Page,
        Self::TaggedLines,
        Self::Utf16,
        Self::Utf32,
        Self::Compressed,
        Self::Binary,
    ];

    /// Returns why a body is not legible, or `None` if it is.
    #[must_use]
    pub fn of(body: &[u8]) -> Option<Self> {
        let rules = |html| Rules::of(body, html);
        if looks_like_html(body) {
            match rules(true) {
                Rules::None => return Some(Self::Page),
                Rules::Tagged => return Some(Self::TaggedLines),
                Rules::Clean => {}
            }
        }
        if matches!(body, [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..]) {
            return Some(Self::Utf32);
        }
        let (has_nul, is_utf8) = (body.contains(&0), str::from_utf8(body).is_ok());
        // No compressed body is UTF-8 without a NUL.
        if has_nul || !is_utf8 {
            let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
            let found = robots.body_diagnostics().find_map(|it| match it.kind {
                DiagnosticKind::Compressed => Some(Self::Compressed),
                DiagnosticKind::NotUtf8(NotUtf8::Utf16LittleEndian | NotUtf8::Utf16BigEndian) => {
                    Some(Self::Utf16)
                }
                _ => None,
            });
            let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\x0B\x0C\r\x1B".contains(byte);
            let is_odd = || body.iter().any(is_control) && rules(false) == Rules::None;
            if found.is_some() || has_nul || is_odd() {
                return found.or(Some(Self::Binary));
            }
        }
        (body.contains(&b'<') && rules(false) == Rules::Tagged).then_some(Self::TaggedLines)
    }

    /// Returns whether the body is text, which a person can read.
    pub(crate) const fn is_text(self) -> bool {
        matches!(self, Self::Page | Self::TaggedLines)
    }

    /// Returns a short name for programs, such as `utf-16`. [`FromStr`] reads it back.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::TaggedLines => "tagged-lines",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
            Self::Compressed => "compressed",
            Self::Binary => "binary",
        }
    }
}

impl FromStr for Illegible {
    type Err = UnknownCode;

    /// Parses the result of [`Illegible::as_str`].
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|why| why.as_str() == name);
        found.ok_or_else(|| UnknownCode::of("reason"))
    }
}

impl fmt::Display for Illegible {
    /// Writes what the server sent instead of the file: `an HTML page that has no rules`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Page => "an HTML page that has no rules",
            Self::TaggedLines => "HTML that has rules only on lines with tags",
            Self::Utf16 => "a body in UTF-16",
            Self::Utf32 => "a body in UTF-32",
            Self::Compressed => "compressed data instead of text",
            Self::Binary => "binary data instead of text",
        })
    }
}

/// The rules that the most lenient reading finds for any crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rules {
    None,
    /// Every rule, or every user-agent line above it, has a tag.
    Tagged,
    Clean,
}

impl Rules {
    /// Finds the rules of a body. Paths may have a `<`, except on a page of HTML. Names never do.
    fn of(body: &[u8], is_html: bool) -> Self {
        if !may_name_crawlers(body) {
            return Self::None;
        }
        let is_clean = |value: &[u8]| !value.contains(&b'<');
        let robots = RobotsTxt::parse(body, MOST_LENIENT);
        let of_groups = robots.groups().filter(verger::Group::has_rules);
        let of_groups = of_groups.map(|group| {
            let mut agents = group.user_agents();
            let mut rules = group.rules();
            let has_clean_rule = !is_html || rules.any(|rule| is_clean(rule.pattern()));
            if has_clean_rule && agents.any(|agent| is_clean(agent.value())) {
                Self::Clean
            } else {
                Self::Tagged
            }
        });
        of_groups.max().unwrap_or(Self::None)
    }
}

/// Returns whether a body is an HTML page: its first byte after white space is `<`.
pub(crate) fn looks_like_html(body: &[u8]) -> bool {
    first_bytes(body).is_some_and(|first| is_html(&RobotsTxt::parse(first, MOST_LENIENT)))
}

/// Returns the bytes that show whether a body is an HTML page: up to the first `<`, or all of them after a whole or
/// partial byte order mark. Returns `None` if any other byte comes first, except white space and bytes of a mark or a
/// UTF-16 character. Then the body is not an HTML page in any reading.
fn first_bytes(body: &[u8]) -> Option<&[u8]> {
    let passed_over = b" \t\n\x0C\r\0\xEF\xBB\xBF\xFE\xFF";
    let first = body.iter().position(|byte| !passed_over.contains(byte));
    let first = first.filter(|&at| body[at] == b'<')?;
    let start = &body[..=first];
    Some(if start.is_ascii() { start } else { body })
}

/// Returns whether any line may be a user-agent line in the most lenient reading. Most pages have none, and need not be
/// parsed.
fn may_name_crawlers(body: &[u8]) -> bool {
    const FIRST_BYTES: FirstByteSet = FirstByteSet::new(b"u \t\x0B\x0C");
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C);
    let starts_as_key = |line: &[u8]| {
        let start = line.iter().position(|byte| !is_white(byte));
        let key = start.and_then(|start| line[start..].get(..4));
        key.is_some_and(|it| it.eq_ignore_ascii_case(b"user"))
    };
    let is_bridged = matches!(body, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    is_bridged || any_line(body, &FIRST_BYTES, starts_as_key)
}

fn is_html(robots: &RobotsTxt) -> bool {
    let mut of_body = robots.body_diagnostics();
    of_body.any(|diagnostic| diagnostic.kind == DiagnosticKind::LooksLikeHtml)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_html_is_no_page_in_the_most_lenient_reading() {
        let bytes = b"\xEF\xBB\xBF\xFE\xFF\0 \n\x0B<a\x80";
        let marked = b"\xEF\xBB\xBF<\x80";
        assert!(!looks_like_html(marked), "it is bridged, mark and all");
        let mut bodies = vec![Vec::new()];
        for _ in 0..4 {
            let longer = bodies.iter().flat_map(|body: &Vec<u8>| {
                let of_byte = |byte: &u8| [body.as_slice(), &[*byte]].concat();
                bytes.iter().map(of_byte)
            });
            bodies = longer.collect();
            let page = |body: &&Vec<u8>| is_html(&RobotsTxt::parse(body.as_slice(), MOST_LENIENT));
            let pages: Vec<&Vec<u8>> = bodies.iter().filter(page).collect();
            assert!(!pages.is_empty());
            assert_eq!(pages.iter().find(|page| first_bytes(page).is_none()), None);
            let is_page = |body: &Vec<u8>| looks_like_html(body);
            assert_eq!(
                bodies.iter().filter(|body| is_page(body)).count(),
                pages.len()
            );
        }
    }

    #[test]
    fn a_page_without_rules_is_html_and_has_no_rule_in_any_group() {
        for page in [
            "<html>",
            "\n \t<!DOCTYPE html><title>Just a moment...</title>",
            "\u{FEFF}\n<p>Disallow: /x</p>",
            "<html>\nDisallow: /\n",
            "<script>\nallowCookies: true,\nallow cookies\n</script>",
            "<pre>\nUser-agent: *\n</pre>",
            "<?xml version='1.0'?>",
        ] {
            assert_eq!(
                Illegible::of(page.as_bytes()),
                Some(Illegible::Page),
                "{page}"
            );
            let utf16 = page.trim_start_matches('\u{FEFF}').encode_utf16();
            let utf16 = std::iter::once(0xFEFF).chain(utf16);
            let utf16: Vec<u8> = utf16.flat_map(u16::to_be_bytes).collect();
            assert_eq!(Illegible::of(&utf16), Some(Illegible::Page), "{page}");
        }
        for body in [
            "",
            "\n",
            "Not found",
            "# <html>",
            "User-agent: *\nDisallow: /\n<html>",
            "User-agent: *\nDisallow: /<id>/\n",
            "<pre>\nUser-agent: *\nDisallow:\n</pre>",
            "<pre>\nuseragent *\ndisalow /x\n</pre>",
            "<\r\t \x0CUSER agent: x\r allow: /",
            "{\"error\": \"not found\"}",
        ] {
            assert_eq!(Illegible::of(body.as_bytes()), None, "{body}");
            let html = looks_like_html(body.as_bytes());
            assert_eq!(html, body.starts_with('<'), "{body}");
        }
    }

    /// V-45.
    #[test]
    fn rules_on_lines_with_tags_are_none() {
        for body in [
            "<HTML>\nUser-agent: *<BR>\nDisallow: /<BR>\n",
            "<pre>\nUser-agent: *\nDisallow: /<br>\n</pre>",
            "<p>\nUser-agent: *<br>\nDisallow: /\n",
            "User-agent: *<br />\nDisallow: /<br />\n",
            "User-agent: *</p>\nDisallow: /\n",
        ] {
            let why = Illegible::of(body.as_bytes());
            assert_eq!(why, Some(Illegible::TaggedLines), "{body}");
        }
        for body in [
            "<p>\nUser-agent: *\nDisallow: /a<br>\nDisallow: /b\n",
            "<p>\nUser-agent: *<br>\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n",
            "User-agent: *<br>\nUser-agent: *\nDisallow: /a\n",
        ] {
            assert_eq!(Illegible::of(body.as_bytes()), None, "{body}");
        }
    }

    /// V-45.
    #[test]
    fn other_encodings_and_data_are_not_legible() {
        let rules = "User-agent: *\nDisallow: /\n";
        let utf16 = |mark: &str, unit: fn(u16) -> [u8; 2]| {
            let units = mark.encode_utf16().chain(rules.encode_utf16());
            units.flat_map(unit).collect::<Vec<u8>>()
        };
        let utf32 = |mark: &str, unit: fn(u32) -> [u8; 4]| {
            let units = mark.chars().chain(rules.chars()).map(u32::from);
            units.flat_map(unit).collect::<Vec<u8>>()
        };
        let mark = "\u{FEFF}";
        for (body, why) in [
            (utf16(mark, u16::to_le_bytes), Illegible::Utf16),
            (utf16(mark, u16::to_be_bytes), Illegible::Utf16),
            (utf32(mark, u32::to_le_bytes), Illegible::Utf32),
            (utf32(mark, u32::to_be_bytes), Illegible::Utf32),
            (utf16("", u16::to_le_bytes), Illegible::Binary),
            (utf16("", u16::to_be_bytes), Illegible::Binary),
            (utf32("", u32::to_le_bytes), Illegible::Binary),
            (b"\x1F\x8B\x08\0\0".to_vec(), Illegible::Compressed),
            (b"\x28\xB5\x2F\xFD\x24".to_vec(), Illegible::Compressed),
            (b"x\x9C\x0B-N-".to_vec(), Illegible::Compressed),
            (b"PK\x03\x04\x14\0".to_vec(), Illegible::Compressed),
            // Brotli has no signature.
            (b"\x8B\x05\x80User-agent\xC1".to_vec(), Illegible::Binary),
            (vec![0; 100], Illegible::Binary),
            ([rules.as_bytes(), b"\0"].concat(), Illegible::Binary),
        ] {
            assert_eq!(Illegible::of(&body), Some(why), "{}", body.escape_ascii());
        }
        for body in [
            [rules.as_bytes(), b"Disallow: /caf\xE9\x01\n"].concat(),
            b"# caf\xE9\n".to_vec(),
            b"\xEF\xBB\xBF# a mark\n".to_vec(),
            b"\x1B[0m\x01".to_vec(),
        ] {
            assert_eq!(Illegible::of(&body), None, "{}", body.escape_ascii());
        }
    }

    #[test]
    fn a_reason_comes_back_from_its_name() {
        for &why in Illegible::ALL {
            assert_eq!(why.as_str().parse(), Ok(why));
        }
        assert!("".parse::<Illegible>().is_err());
    }
}
