//! The events that Google's library reports while it parses, and the metadata of each line
//! (`RobotsParseHandler` in `robots.h`).

use alloc::borrow::Cow;

use crate::compare::bytes;
use crate::read::lines::{Line, LineKind};
use crate::read::record::{KeyForm, RecordKind, Separator};
use crate::read::robots_txt::{Record, RobotsTxt};
use crate::span::LineNumber;

/// A call of Google's `RobotsParseHandler`. The events come in the order of the library's calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseEvent<'r> {
    /// `HandleRobotsStart`.
    Start,
    /// `HandleUserAgent`, `HandleAllow`, `HandleDisallow`, `HandleSitemap`.
    Record {
        /// The line.
        line: LineNumber,
        /// One of `UserAgent`, `Allow`, `Disallow`, `Sitemap`.
        kind: RecordKind,
        /// The value. For rules it is escaped as the library does: non-ASCII bytes as escapes, and
        /// escapes in upper case.
        value: Cow<'r, [u8]>,
    },
    /// `HandleUnknownAction`.
    UnknownAction {
        /// The line.
        line: LineNumber,
        /// The key as written.
        action: &'r [u8],
        /// The value, escaped as rules are.
        value: Cow<'r, [u8]>,
    },
    /// `ReportLineMetadata`, after the line's own event.
    LineMetadata {
        /// The line.
        line: LineNumber,
        /// Its metadata.
        metadata: LineMetadata,
    },
    /// `HandleRobotsEnd`.
    End,
}

/// The library's report about a line, with the library's names.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the library's own struct, field by field, for those who move from it"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineMetadata {
    /// The line is white space only.
    pub is_empty: bool,
    /// The line has a `#`.
    pub has_comment: bool,
    /// The line is a comment only.
    pub is_comment: bool,
    /// The line has a key and a separator.
    pub has_directive: bool,
    /// The key is one of the accepted misspellings.
    pub is_acceptable_typo: bool,
    /// The line has more than [`crate::limits::GOOGLE_LINE_BYTES_MAX`] bytes.
    pub is_line_too_long: bool,
    /// White space replaces the colon.
    pub is_missing_colon_separator: bool,
}

impl Line<'_> {
    /// Returns what Google's library reports about this line.
    #[must_use]
    pub fn metadata(&self) -> LineMetadata {
        let bytes_max = crate::span::offset(crate::limits::GOOGLE_LINE_BYTES_MAX);
        let kind = self.kind();
        let record = self.record();
        LineMetadata {
            is_empty: matches!(kind, LineKind::Blank),
            has_comment: self.comment_span().is_some(),
            is_comment: matches!(kind, LineKind::Comment),
            has_directive: record.is_some(),
            is_acceptable_typo: record.is_some_and(|it| it.key_form() == KeyForm::Misspelt),
            is_line_too_long: self.span().len() > bytes_max,
            is_missing_colon_separator: record
                .is_some_and(|it| it.separator() == Separator::WhiteSpace),
        }
    }
}

impl RobotsTxt {
    /// Returns the events that Google's library would report for this tree, in order. A tree of
    /// another dialect has the lines of that dialect, reported in the same way.
    pub fn parse_events(&self) -> impl Iterator<Item = ParseEvent<'_>> {
        let of_lines = self.lines().flat_map(|line| {
            let record = line.record().map(event_of);
            record.into_iter().chain([ParseEvent::LineMetadata {
                line: line.number(),
                metadata: line.metadata(),
            }])
        });
        [ParseEvent::Start]
            .into_iter()
            .chain(of_lines)
            .chain([ParseEvent::End])
    }
}

fn event_of(record: Record<'_>) -> ParseEvent<'_> {
    let (line, kind) = (record.line(), record.kind());
    let is_kept = matches!(kind, RecordKind::UserAgent | RecordKind::Sitemap);
    let value = if is_kept {
        Cow::Borrowed(record.value())
    } else {
        Cow::Owned(bytes::google_escaped(record.value()))
    };
    if is_kept || kind.is_rule() {
        return ParseEvent::Record { line, kind, value };
    }
    ParseEvent::UnknownAction {
        line,
        action: record.key(),
        value,
    }
}
