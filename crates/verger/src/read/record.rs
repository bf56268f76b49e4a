//! Reads one line: the record that it holds, or why it does not hold one (RFC 9309 2.2 and 2.2.4).

use verger_simd::ByteSet;

use crate::compare::byte_search::find_member;
use crate::dialect::{
    ControlByte, KeySpelling, LenientLines, LineLimit, MissingColon, OtherRecords, Reading,
    WhiteSpace,
};
use crate::limits::GOOGLE_LINE_BYTES_MAX;
use crate::read::line_text::NOT_PLAIN;
use crate::read::usual_key::{UsualKey, usual_key};
use crate::read::white_space::{is_space_or_tab, trimmed_range};
use crate::span::{Span, offset};
use crate::verdict::Effect;

/// The kind of a record, from its key.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    /// `User-agent`: names a crawler. R9309-2.2.1-1.
    UserAgent,
    /// `Allow`: a rule. R9309-2.2.2-1.
    Allow,
    /// `Disallow`: a rule. R9309-2.2.2-1.
    Disallow,
    /// `Sitemap`: an absolute URL, independent of groups. SM-1.
    Sitemap,
    /// `Crawl-delay`: the delay between two requests, in seconds. V-75.
    CrawlDelay,
    /// `Request-rate`: a number of documents per time. V-76.
    RequestRate,
    /// `Visit-time`: a window within the day. V-77.
    VisitTime,
    /// `Host`: the preferred mirror. V-78.
    Host,
    /// `Clean-param`: query parameters that do not change a page. V-79.
    CleanParam,
    /// `Noindex`: never official, and unused since 2019. V-80.
    Noindex,
    /// `Content-Signal`: permitted uses of the content. CS-1.
    ContentSignal,
    /// `Content-Usage`: the IETF AIPREF preferences. AA-1.
    ContentUsage,
    /// `License`: the URL of an RSL licence. RSL-1.
    License,
    /// Any other key.
    Other,
}

/// The other records that Verger recognizes, by key. R9309-2.2.4-1.
const OTHER_RECORDS: [(&str, RecordKind); 10] = [
    ("sitemap", RecordKind::Sitemap),
    ("crawl-delay", RecordKind::CrawlDelay),
    ("request-rate", RecordKind::RequestRate),
    ("visit-time", RecordKind::VisitTime),
    ("host", RecordKind::Host),
    ("clean-param", RecordKind::CleanParam),
    ("noindex", RecordKind::Noindex),
    ("content-signal", RecordKind::ContentSignal),
    ("content-usage", RecordKind::ContentUsage),
    ("license", RecordKind::License),
];

/// Google: the keys that its library reads, in its order. A key matches if it starts with one.
const GOOGLE_KEYS: [(&str, RecordKind, KeyForm); 12] = [
    ("user-agent", RecordKind::UserAgent, KeyForm::Defined),
    ("useragent", RecordKind::UserAgent, KeyForm::Misspelt),
    ("user agent", RecordKind::UserAgent, KeyForm::Misspelt),
    ("allow", RecordKind::Allow, KeyForm::Defined),
    ("disallow", RecordKind::Disallow, KeyForm::Defined),
    ("dissallow", RecordKind::Disallow, KeyForm::Misspelt),
    ("dissalow", RecordKind::Disallow, KeyForm::Misspelt),
    ("disalow", RecordKind::Disallow, KeyForm::Misspelt),
    ("diasllow", RecordKind::Disallow, KeyForm::Misspelt),
    ("disallaw", RecordKind::Disallow, KeyForm::Misspelt),
    ("sitemap", RecordKind::Sitemap, KeyForm::Defined),
    ("site-map", RecordKind::Sitemap, KeyForm::Misspelt),
];

impl RecordKind {
    #[inline]
    pub(crate) fn of_usual(key: UsualKey) -> Self {
        match key.effect {
            Some(Effect::Allow) => Self::Allow,
            Some(Effect::Disallow) => Self::Disallow,
            None => Self::UserAgent,
        }
    }

    /// Returns whether this is an allow or disallow line, which ends a run of user-agent lines.
    #[must_use]
    pub const fn is_rule(self) -> bool {
        matches!(self, Self::Allow | Self::Disallow)
    }

    /// Returns the key in its documented spelling and lower case, or `None` for
    /// [`RecordKind::Other`].
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::UserAgent => Some("user-agent"),
            Self::Allow => Some("allow"),
            Self::Disallow => Some("disallow"),
            Self::Other => None,
            other => OTHER_RECORDS
                .iter()
                .find(|(_, kind)| *kind == other)
                .map(|(key, _)| *key),
        }
    }
}

/// How a recognized key is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyForm {
    /// The key is spelled as documented. In `google` it may go on after that.
    Defined,
    /// The key is a misspelling that the reading accepts.
    Misspelt,
}

/// The separator between a key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Separator {
    /// A colon.
    Colon,
    /// Google: white space between exactly two words.
    WhiteSpace,
}

/// A line with a record: its key and value, without surrounding white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLine {
    pub(crate) kind: RecordKind,
    pub(crate) key_form: KeyForm,
    pub(crate) separator: Separator,
    pub(crate) key: Span,
    pub(crate) value: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineContent {
    Blank,
    Comment,
    Record(RecordLine),
    /// Neither. The line is ignored.
    Invalid(InvalidLine),
}

/// Why a line that is not blank holds no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidLine {
    /// The line has no colon.
    NoSeparator,
    /// The line has no key before the colon.
    EmptyKey,
    /// The line has a control byte other than TAB before any comment. R9309-3-3.
    ControlByte,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineReading {
    pub(crate) content: LineContent,
    pub(crate) comment: Option<Span>,
    /// Bytes dropped after a NUL or at the line limit.
    pub(crate) dropped: Option<Span>,
}

fn usual_record(key_start: u32, key: UsualKey, value: Span) -> RecordLine {
    RecordLine {
        kind: RecordKind::of_usual(key),
        key_form: KeyForm::Defined,
        separator: Separator::Colon,
        key: Span::new(key_start, key_start + offset(key.bytes) - 1),
        value,
    }
}

/// Reads the line at `span` of `body`. [`read_any_line`] is the reference.
pub(crate) fn read_line(body: &[u8], span: Span, reading: &Reading) -> LineReading {
    let is_plain = span.len() <= offset(GOOGLE_LINE_BYTES_MAX)
        && find_member(span.of(body), &NOT_PLAIN).is_none();
    if !is_plain {
        return read_any_line(body, span, reading);
    }
    LineReading {
        content: read_content(body, span, reading).unwrap_or(LineContent::Blank),
        comment: None,
        dropped: None,
    }
}

/// Reads any line, including those with a comment or a control byte.
#[inline(never)]
fn read_any_line(body: &[u8], span: Span, reading: &Reading) -> LineReading {
    let (kept, too_long) = within_line_limit(span, reading.line_limit);
    let (kept, after_nul) = up_to_nul(body, kept, reading.control_byte);
    let bytes = kept.of(body);
    let hash = memchr::memchr(b'#', bytes);
    let before_comment = sub_span(kept, 0, hash.unwrap_or(bytes.len()));
    let comment = hash.map(|hash| sub_span(kept, hash, bytes.len()));
    let content = if is_spoilt(before_comment.of(body), reading.control_byte) {
        LineContent::Invalid(InvalidLine::ControlByte)
    } else {
        let without_content = match comment {
            Some(_) => LineContent::Comment,
            None => LineContent::Blank,
        };
        read_content(body, before_comment, reading).unwrap_or(without_content)
    };
    LineReading {
        content,
        comment,
        dropped: after_nul.or(too_long),
    }
}

static CONTROL: ByteSet = ByteSet::new(
    b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F",
);

fn is_spoilt(bytes: &[u8], control: ControlByte) -> bool {
    match control {
        ControlByte::NulEndsTheLine => false,
        ControlByte::SpoilsTheLine => find_member(bytes, &CONTROL).is_some(),
    }
}

fn within_line_limit(span: Span, limit: LineLimit) -> (Span, Option<Span>) {
    let bytes_max = crate::span::offset(GOOGLE_LINE_BYTES_MAX);
    match limit {
        LineLimit::Bytes16663 if span.len() > bytes_max => {
            let cut = span.start + bytes_max;
            (Span { end: cut, ..span }, Some(Span { start: cut, ..span }))
        }
        LineLimit::Bytes16663 | LineLimit::None => (span, None),
    }
}

fn up_to_nul(body: &[u8], span: Span, control: ControlByte) -> (Span, Option<Span>) {
    let nul = match control {
        ControlByte::NulEndsTheLine => memchr::memchr(0, span.of(body)),
        ControlByte::SpoilsTheLine => None,
    };
    match nul {
        Some(nul) => {
            let before = sub_span(span, 0, nul);
            (before, Some(Span::new(before.end, span.end)))
        }
        None => (span, None),
    }
}

fn read_content(body: &[u8], span: Span, reading: &Reading) -> Option<LineContent> {
    let line = trim(body, span, reading.white_space);
    if line.is_empty() {
        return None;
    }
    let window = body[line.start as usize..].first_chunk();
    // A key must not extend past the line limit.
    let usual = window.and_then(usual_key);
    if let Some(key) = usual.filter(|key| key.bytes <= line.len() as usize) {
        let behind_colon = sub_span(line, key.bytes, line.len() as usize);
        let value = trim(body, behind_colon, reading.white_space);
        return Some(LineContent::Record(usual_record(line.start, key, value)));
    }
    let Some((at, separator)) = separator(line.of(body), reading.missing_colon) else {
        return Some(LineContent::Invalid(InvalidLine::NoSeparator));
    };
    let key = trim(body, sub_span(line, 0, at), reading.white_space);
    if key.is_empty() {
        return Some(LineContent::Invalid(InvalidLine::EmptyKey));
    }
    let after = sub_span(line, at + 1, line.len() as usize);
    let (kind, key_form) = kind_of(key.of(body), reading);
    Some(LineContent::Record(RecordLine {
        kind,
        key_form,
        separator,
        key,
        value: trim(body, after, reading.white_space),
    }))
}

/// Number of bytes that nearly every key and its colon fit in.
const KEY_BYTES_USUALLY: usize = 16;

/// Finds the separator in a trimmed, non-empty line.
fn separator(line: &[u8], missing_colon: MissingColon) -> Option<(usize, Separator)> {
    // Keys are short, so a byte-by-byte search finds the colon sooner. Other lines are long.
    let (first, after) = line.split_at(line.len().min(KEY_BYTES_USUALLY));
    let colon = first.iter().position(|&byte| byte == b':');
    let colon = colon.or_else(|| Some(first.len() + memchr::memchr(b':', after)?));
    if let Some(colon) = colon {
        return Some((colon, Separator::Colon));
    }
    match missing_colon {
        MissingColon::NoRecord => None,
        MissingColon::TwoWords => {
            let is_gap = |byte: &u8| is_space_or_tab(*byte);
            let gap = line.iter().position(is_gap)?;
            let second_word = line[gap..].iter().skip_while(|byte| is_gap(byte));
            (!second_word.into_iter().any(is_gap)).then_some((gap, Separator::WhiteSpace))
        }
    }
}

fn kind_of(key: &[u8], reading: &Reading) -> (RecordKind, KeyForm) {
    if reading.key_spelling == KeySpelling::GooglePrefixes
        && let Some(google) = google_kind_of(key)
    {
        return google;
    }
    let (defined, kind) = match key.len() {
        5 => ("allow", RecordKind::Allow),
        8 => ("disallow", RecordKind::Disallow),
        _ => ("user-agent", RecordKind::UserAgent),
    };
    if key.eq_ignore_ascii_case(defined.as_bytes()) {
        return (kind, KeyForm::Defined);
    }
    other_record(key, reading.other_records)
}

/// Returns whether a line is this record only because lenient lines are read. Without the option it
/// is an unknown record or invalid.
pub(crate) fn is_read_leniently(
    key: &[u8],
    kind: RecordKind,
    separator: Separator,
    reading: &Reading,
) -> bool {
    let strict = reading.with_lenient_lines(LenientLines::AsTheDialectSays);
    let has_no_colon =
        separator == Separator::WhiteSpace && strict.missing_colon == MissingColon::NoRecord;
    kind != RecordKind::Other && (has_no_colon || kind_of(key, &strict).0 != kind)
}

/// Returns the kind that Google's library reads from the key, if any.
pub(crate) fn google_kind_of(key: &[u8]) -> Option<(RecordKind, KeyForm)> {
    if !matches!(
        key.first(),
        Some(b'u' | b'U' | b'a' | b'A' | b'd' | b'D' | b's' | b'S')
    ) {
        return None;
    }
    GOOGLE_KEYS
        .iter()
        .find(|(prefix, _, _)| starts_with_ignoring_case(key, prefix.as_bytes()))
        .map(|&(_, kind, form)| (kind, form))
}

fn other_record(key: &[u8], spelling: OtherRecords) -> (RecordKind, KeyForm) {
    for (defined, kind) in OTHER_RECORDS {
        if key.eq_ignore_ascii_case(defined.as_bytes()) {
            return (kind, KeyForm::Defined);
        }
        if spelling == OtherRecords::Lenient && letters_of(key).eq(letters_of(defined.as_bytes())) {
            return (kind, KeyForm::Misspelt);
        }
    }
    (RecordKind::Other, KeyForm::Defined)
}

/// Iterates over a key in lower case, without hyphens, underscores and white space, which are often
/// misplaced.
fn letters_of(key: &[u8]) -> impl Iterator<Item = u8> + '_ {
    key.iter()
        .filter(|byte| !matches!(byte, b'-' | b'_') && !is_space_or_tab(**byte))
        .map(u8::to_ascii_lowercase)
}

fn starts_with_ignoring_case(key: &[u8], prefix: &[u8]) -> bool {
    key.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn trim(body: &[u8], span: Span, white_space: WhiteSpace) -> Span {
    let (start, end) = trimmed_range(span.of(body), white_space);
    sub_span(span, start, end)
}

fn sub_span(span: Span, start: usize, end: usize) -> Span {
    Span::within(span.start as usize + start, span.start as usize + end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use alloc::format;
    use proptest::prelude::*;
    /// Reads a line by its first bytes and byte by byte, with and without text after it.
    fn assert_is_read_alike(line: &[u8]) {
        let span = Span::within(0, line.len());
        let followed = [line, b"\nAllow: /# \x01".repeat(9).as_slice()].concat();
        for reading in Dialect::ALL.iter().copied().flat_map(strict_and_lenient) {
            for body in [line, &followed] {
                let reference = read_any_line(body, span, &reading);
                assert_eq!(read_line(body, span, &reading), reference);
            }
        }
    }

    fn strict_and_lenient(dialect: Dialect) -> [Reading; 2] {
        let strict = Reading::new(dialect);
        [strict, strict.with_lenient_lines(LenientLines::Read)]
    }

    /// The facts of the reading, with the option off, explain everything that the option changed.
    #[test]
    fn the_option_can_be_taken_back_and_changes_nothing_for_google() {
        for &dialect in Dialect::ALL {
            let [strict, lenient] = strict_and_lenient(dialect);
            assert_eq!(
                lenient.with_lenient_lines(LenientLines::AsTheDialectSays),
                strict
            );
            assert_eq!(lenient.key_spelling, KeySpelling::GooglePrefixes);
            assert_eq!(lenient.missing_colon, MissingColon::TwoWords);
        }
    }

    proptest! {
        /// D00-2.2-15.
        #[test]
        fn lenient_lines_hold_the_records_that_google_finds(
            key in "[ \t]?(?i)(user-?agent|user agent|d(is|iss|ias)?al{1,3}[ao]w|allow|site-?map)(s|ed|-x)?",
            separator in "[ \t]{0,2}:?[ \t]{0,2}|/",
            value in "([a/*$]|[ab]{20}){0,4}[ \t]?(# b)?",
        ) {
            let line = format!("{key}{separator}{value}");
            let span = Span::within(0, line.len());
            let of_google = read_line(line.as_bytes(), span, &Reading::new(Dialect::Google));
            for &dialect in Dialect::ALL {
                let [_, lenient] = strict_and_lenient(dialect);
                assert_eq!(read_line(line.as_bytes(), span, &lenient), of_google, "{line}");
            }
            assert_is_read_alike(line.as_bytes());
        }

        #[test]
        fn the_first_bytes_give_what_is_there(
            key in "(?i)disallow|allow|user-agent|sitemap|disalow|allows",
            value in "[ \t]{0,70}([a/*$%é\u{0}\u{1}\u{b}\u{c}# \t]|[ab]{20}){0,8}",
        ) {
            assert_is_read_alike(format!("{key}:{value}").as_bytes());
            assert_is_read_alike(format!("{key} :{value}").as_bytes());
            assert_is_read_alike(format!(" {key}{value}").as_bytes());
        }
    }

    #[test]
    fn values_of_any_length_are_read_with_white_space_and_oddities_anywhere() {
        for key in ["Disallow", "ALLOW", "user-Agent"] {
            for length in 0..200 {
                let value = "a".repeat(length);
                for odd in ["", " ", "\t", "#", "\0", "\u{1}", "\u{1F}", "\u{7F}", "é"] {
                    assert_is_read_alike(format!("{key}:{odd}{value}").as_bytes());
                    assert_is_read_alike(format!("{key}:{value}{odd}").as_bytes());
                    assert_is_read_alike(format!("{key}: {value}{odd}b ").as_bytes());
                }
                assert_is_read_alike(format!("{key}:{}", " ".repeat(length)).as_bytes());
            }
        }
    }

    #[test]
    fn a_line_at_the_limit_is_read_alike() {
        for length in GOOGLE_LINE_BYTES_MAX - 2..GOOGLE_LINE_BYTES_MAX + 3 {
            for key in ["Disallow", "Allow", "User-agent"] {
                let value = "a".repeat(length - key.len() - 2);
                assert_is_read_alike(format!("{key}: {value}").as_bytes());
            }
        }
    }
}
