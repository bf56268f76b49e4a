//! `Diagnostic`: something that a reading ignored, cut, or read differently than written.
//!
//! Diagnostics report what *this reading* did. They do not judge whether a file is correct, or
//! whether it does what its owner intended.

use core::fmt;

use crate::clause::Clause;
use crate::compare::pattern_value::{UnusablePattern, check_usable};
use crate::dialect::{AgentList, AgentValue};
use crate::group_match::{agent_values, token_of};
use crate::read::encoding::{self, NotUtf8};
use crate::read::line;
use crate::read::lines::{Line, LineKind};
use crate::read::record::{
    InvalidLine, KeyForm, RecordKind, Separator, google_kind_of, is_read_leniently,
};
use crate::read::robots_txt::{Group, Record, RobotsTxt};
use crate::span::{LineNumber, Span};

/// Something that this reading ignored, cut, or read differently than written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic<'r> {
    /// The affected line, or `None` for the body as a whole.
    pub line: Option<LineNumber>,
    /// The affected bytes.
    pub span: Span,
    /// What happened.
    pub kind: DiagnosticKind<'r>,
}

/// The kinds of diagnostics.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticKind<'r> {
    /// The body is not UTF-8. R9309-2.3-2, G-fmt-4.
    NotUtf8(NotUtf8),
    /// A byte order mark was skipped. V-19.
    ByteOrderMarkSkipped,
    /// The body is compressed data (gzip, zlib, zstd, bzip2, xz, LZ4, compress, ZIP), not text. Brotli
    /// has no signature. R9309-2.3.1.5-1.
    Compressed,
    /// The body has a NUL in its first 8,000 bytes, as binary data does, and is not recognized as
    /// UTF-16. R9309-2.3.1.5-1.
    LooksBinary,
    /// The body is an HTML page. Its lines were read anyway. G-fmt-3, K96-4.2-1.
    LooksLikeHtml,
    /// The body is longer than the limit. R9309-2.5-1, G-fmt-5.
    BodyCut,
    /// The line was ignored. R9309-2.3.1.5-1.
    InvalidLine(InvalidLine),
    /// The end of the line was dropped, after a NUL or at the line limit.
    LineCut,
    /// The key is a misspelling that this reading accepts. V-16.
    MisspeltKeyRead(RecordKind),
    /// The key is not a defined one, but Google's library would read it as one. V-16.
    MisspeltKeyIgnored(RecordKind),
    /// White space was read as the missing colon. V-15.
    MissingColonRead,
    /// The line is a record of this kind only because the reading is lenient
    /// ([`LenientLines`](crate::dialect::LenientLines)). D00-2.2-15.
    LineReadLeniently(RecordKind),
    /// A rule before any user-agent line, or after the end of its record, was ignored.
    /// R9309-2.2.2-17.
    RuleOutsideGroup,
    /// The pattern cannot match anything, because it starts with neither `/` nor `*`. V-33.
    PatternWithoutSlash,
    /// The user-agent line was cut at a byte that a token cannot have. V-7.
    AgentCut {
        /// The token that was read.
        token: &'r [u8],
    },
    /// The user-agent line names no crawler. V-5.
    AgentNamesNoCrawler,
    /// The user-agent line lists several names, but only the first was read. RFC erratum 8895.
    AgentListNotRead,
    /// The user-agent lines have no rule, so they are not a record. K96-3.3-2.
    NotARecord,
}

impl DiagnosticKind<'_> {
    /// Returns a short name for programs, such as `rule-outside-group`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        self.name_and_clause().0
    }

    /// Returns the clause behind this diagnostic.
    #[must_use]
    pub const fn clause(&self) -> Clause {
        Clause::new(self.name_and_clause().1)
    }

    const fn name_and_clause(&self) -> (&'static str, &'static str) {
        match self {
            Self::NotUtf8(_) => ("not-utf8", "R9309-2.3-2"),
            Self::ByteOrderMarkSkipped => ("byte-order-mark-skipped", "V-19"),
            Self::Compressed => ("compressed", "R9309-2.3.1.5-1"),
            Self::LooksBinary => ("looks-binary", "R9309-2.3.1.5-1"),
            Self::LooksLikeHtml => ("looks-like-html", "R9309-2.3.1.5-1"),
            Self::BodyCut => ("body-cut", "R9309-2.5-1"),
            Self::InvalidLine(InvalidLine::NoSeparator) => ("no-separator", "R9309-2.3.1.5-1"),
            Self::InvalidLine(InvalidLine::EmptyKey) => ("empty-key", "R9309-2.2-5"),
            Self::InvalidLine(InvalidLine::ControlByte) => ("control-byte", "R9309-3-3"),
            Self::LineCut => ("line-cut", "GL-line-3"),
            Self::MisspeltKeyRead(kind) => {
                let is_of_google = kind.is_rule() || matches!(kind, RecordKind::UserAgent);
                (
                    "misspelt-key-read",
                    if is_of_google { "GL-key-4" } else { "V-18" },
                )
            }
            Self::MisspeltKeyIgnored(_) => ("misspelt-key-ignored", "V-16"),
            Self::MissingColonRead => ("missing-colon-read", "GL-key-2"),
            Self::LineReadLeniently(_) => ("line-read-leniently", "D00-2.2-15"),
            Self::RuleOutsideGroup => ("rule-outside-group", "R9309-2.2.2-17"),
            Self::PatternWithoutSlash => ("pattern-without-slash", "V-33"),
            Self::AgentCut { .. } => ("agent-cut", "V-7"),
            Self::AgentNamesNoCrawler => ("agent-names-no-crawler", "V-5"),
            Self::AgentListNotRead => ("agent-list-not-read", "R9309-erratum-8895"),
            Self::NotARecord => ("not-a-record", "K96-3.3-2"),
        }
    }
}

impl fmt::Display for DiagnosticKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8(NotUtf8::Utf16LittleEndian | NotUtf8::Utf16BigEndian) => {
                f.write_str("the file is UTF-16, so no line can be read: use UTF-8")
            }
            Self::NotUtf8(NotUtf8::Bytes { .. }) => {
                f.write_str("some bytes from here on are not UTF-8 and are compared one by one")
            }
            Self::ByteOrderMarkSkipped => f.write_str("a byte order mark was skipped"),
            Self::Compressed => f.write_str("the file is compressed data, not text"),
            Self::LooksBinary => f.write_str(
                "the file has a NUL byte near its start, so it may be binary data, or UTF-16 without \
                 a byte order mark",
            ),
            Self::LooksLikeHtml => {
                f.write_str("the file looks like an HTML page, not a robots.txt file")
            }
            Self::BodyCut => {
                f.write_str("the file is too long, so the rest from here on is ignored")
            }
            Self::InvalidLine(why) => why.fmt(f),
            Self::LineCut => f.write_str("the end of the line was dropped"),
            Self::MisspeltKeyRead(kind) => {
                write!(f, "the key is read as `{}`", kind.key().unwrap_or("other"))
            }
            Self::MisspeltKeyIgnored(kind) => write!(
                f,
                "the key is unknown, so the line is ignored. Google reads it as `{}`",
                kind.key().unwrap_or("other")
            ),
            Self::MissingColonRead => {
                f.write_str("the colon is missing, so white space ends the key")
            }
            Self::LineReadLeniently(kind) => write!(
                f,
                "the line is read as `{}`, and would be ignored without lenient parsing",
                kind.key().unwrap_or("other")
            ),
            Self::RuleOutsideGroup => f.write_str("the rule belongs to no group and is ignored"),
            Self::PatternWithoutSlash => {
                f.write_str("the path starts with neither `/` nor `*` and matches nothing")
            }
            Self::AgentCut { token } => write!(
                f,
                "the rest of the line after `{}` is ignored",
                alloc::string::String::from_utf8_lossy(token)
            ),
            Self::AgentNamesNoCrawler => f.write_str("the line has no product token"),
            Self::AgentListNotRead => f.write_str(
                "a line takes one product token, and the text after the comma is ignored",
            ),
            Self::NotARecord => {
                f.write_str("these user-agent lines have no rules, so they do not form a record")
            }
        }
    }
}

impl fmt::Display for InvalidLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSeparator => "the line has no colon and is ignored",
            Self::EmptyKey => "there is no key before the colon, so the line is ignored",
            Self::ControlByte => "the line contains a control byte and is ignored",
        })
    }
}

impl RobotsTxt {
    /// Returns diagnostics of the body as a whole ([`RobotsTxt::body_diagnostics`]), then line by
    /// line.
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic<'_>> {
        let of_lines = self.lines().flat_map(|line| of_line(self, line));
        self.body_diagnostics().chain(of_lines)
    }

    /// Returns what is unusual about the encoding and format of the body, and where it was cut. It
    /// does not read any line.
    pub fn body_diagnostics(&self) -> impl Iterator<Item = Diagnostic<'_>> {
        let body = self.body();
        let (end, read) = (body.len(), self.bytes_read());
        let mark = line::byte_order_mark_bytes(body, self.reading().byte_order_mark);
        let is_html = body[mark..].trim_ascii_start().starts_with(b"<");
        let is_compressed = encoding::is_compressed(body);
        let (not_utf8, is_utf16) = match encoding::not_utf8(body) {
            None => (None, false),
            Some(kind @ NotUtf8::Bytes { first }) => (Some((kind, first)), false),
            Some(kind) => (Some((kind, 0)), true),
        };
        let is_binary = !is_compressed && !is_utf16 && encoding::has_nul_near_its_start(body);
        [
            (mark > 0).then_some((DiagnosticKind::ByteOrderMarkSkipped, 0, mark)),
            is_compressed.then_some((DiagnosticKind::Compressed, 0, end)),
            is_binary.then_some((DiagnosticKind::LooksBinary, 0, end)),
            not_utf8.map(|(kind, start)| (DiagnosticKind::NotUtf8(kind), start, end)),
            is_html.then_some((DiagnosticKind::LooksLikeHtml, 0, end)),
            (read < end).then_some((DiagnosticKind::BodyCut, read, end)),
        ]
        .into_iter()
        .flatten()
        .map(|(kind, start, end)| Diagnostic {
            line: None,
            span: Span::within(start, end),
            kind,
        })
    }
}

type Found<'r> = Option<(DiagnosticKind<'r>, Span)>;

fn of_line<'r>(robots: &'r RobotsTxt, line: Line<'r>) -> impl Iterator<Item = Diagnostic<'r>> {
    let cut = line
        .dropped_span()
        .map(|span| (DiagnosticKind::LineCut, span));
    let of_content = match line.kind() {
        LineKind::Blank | LineKind::Comment => [None, None, None],
        LineKind::Invalid(why) => {
            let invalid = (DiagnosticKind::InvalidLine(why), line.span());
            [Some(invalid), None, None]
        }
        LineKind::Record(record) => [
            of_leniency(robots, &record).or_else(|| of_key(&record)),
            of_separator(robots, &record),
            of_value(robots, &line, &record),
        ],
    };
    let number = line.number();
    of_content
        .into_iter()
        .chain([cut])
        .flatten()
        .map(move |(kind, span)| Diagnostic {
            line: Some(number),
            span,
            kind,
        })
}

fn of_leniency<'r>(robots: &'r RobotsTxt, record: &Record<'r>) -> Found<'r> {
    let kind = record.kind();
    is_read_leniently(record.key(), kind, record.separator(), robots.reading())
        .then(|| (DiagnosticKind::LineReadLeniently(kind), record.key_span()))
}

fn of_key<'r>(record: &Record<'r>) -> Found<'r> {
    let kind = if record.key_form() == KeyForm::Misspelt {
        DiagnosticKind::MisspeltKeyRead(record.kind())
    } else if record.kind() == RecordKind::Other {
        DiagnosticKind::MisspeltKeyIgnored(google_kind_of(record.key())?.0)
    } else {
        return None;
    };
    Some((kind, record.key_span()))
}

fn of_separator<'r>(robots: &'r RobotsTxt, record: &Record<'r>) -> Found<'r> {
    let missing =
        record.separator() == Separator::WhiteSpace && of_leniency(robots, record).is_none();
    missing.then_some((DiagnosticKind::MissingColonRead, record.key_span()))
}

fn of_value<'r>(robots: &'r RobotsTxt, line: &Line<'r>, record: &Record<'r>) -> Found<'r> {
    let kind = match record.kind() {
        RecordKind::UserAgent => of_user_agent(robots, record)?,
        RecordKind::Allow | RecordKind::Disallow if line.open_group().is_none() => {
            DiagnosticKind::RuleOutsideGroup
        }
        RecordKind::Allow | RecordKind::Disallow => {
            match check_usable(record.value(), robots.reading().comparison) {
                Err(UnusablePattern::NoLeadingSlash) => DiagnosticKind::PatternWithoutSlash,
                Err(UnusablePattern::Empty) | Ok(()) => return None,
            }
        }
        _ => return None,
    };
    Some((kind, record.value_span()))
}

fn of_user_agent<'r>(robots: &'r RobotsTxt, record: &Record<'r>) -> Option<DiagnosticKind<'r>> {
    let reading = robots.reading();
    let opened = |group: &Group<'_>| group.line() == record.line();
    if record
        .group()
        .filter(opened)
        .is_some_and(|group| !group.is_record())
    {
        return Some(DiagnosticKind::NotARecord);
    }
    let one_name = reading.agent_list == AgentList::OneName;
    let cuts = reading.agent_value != AgentValue::Whole;
    for value in agent_values(record.value(), reading) {
        let token = token_of(value, reading);
        if token.is_empty() {
            return Some(DiagnosticKind::AgentNamesNoCrawler);
        }
        if token.len() < value.len() && cuts {
            return Some(if one_name && value[token.len()..].starts_with(b",") {
                DiagnosticKind::AgentListNotRead
            } else {
                DiagnosticKind::AgentCut { token }
            });
        }
    }
    None
}
