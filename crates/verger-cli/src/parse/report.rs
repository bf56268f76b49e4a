//! A line for each line, as Google's `RobotsParsingReporter` has it (`reporting_robots.h`),
//! schema `verger.report/1`.

use std::io::{self, Write};

use serde::Serialize;
use verger::{Line, LineKind, LineMetadata, RecordKind, RobotsTxt};

use crate::palette::{FAINT, HEADING};

const SCHEMA: &str = "verger.report/1";

/// Keys that Google's reporter knows and its parser does not use.
const UNUSED_KEYS: [&str; 12] = [
    "clean-param",
    "content-signal",
    "content-usage",
    "crawl-delay",
    "domain",
    "host",
    "noarchive",
    "nofollow",
    "noindex",
    "request-rate",
    "revisit-after",
    "visit-time",
];

/// What is said about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Report {
    schema: &'static str,
    dialect: &'static str,
    /// User-agent, allow, disallow and sitemap lines.
    valid_directives: usize,
    /// All other lines with a directive.
    unused_directives: usize,
    lines: Vec<ReportedLine>,
}

/// What is said about a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the library's own names, field by field"
)]
struct ReportedLine {
    line: u32,
    tag: Tag,
    is_empty: bool,
    has_comment: bool,
    is_comment: bool,
    has_directive: bool,
    is_acceptable_typo: bool,
    is_line_too_long: bool,
    is_missing_colon_separator: bool,
}

/// What a line is taken for; lines without a directive are unknown too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Tag {
    Unknown,
    #[serde(rename = "User-agent")]
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    Unused,
}

impl Report {
    pub(super) fn of(robots: &RobotsTxt) -> Self {
        let lines: Vec<_> = robots.lines().map(|line| ReportedLine::of(&line)).collect();
        let directives = lines.iter().filter(|line| line.has_directive);
        let (unused, valid): (Vec<_>, Vec<_>) =
            directives.partition(|line| matches!(line.tag, Tag::Unknown | Tag::Unused));
        Self {
            schema: SCHEMA,
            dialect: robots.dialect().as_str(),
            valid_directives: valid.len(),
            unused_directives: unused.len(),
            lines,
        }
    }

    /// Writes it for readers.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{HEADING}  line  tag         flags{HEADING:#}")?;
        for line in &self.lines {
            let (number, tag) = (line.line, line.tag.as_str());
            let flags = line.flags().join(", ");
            if flags.is_empty() {
                writeln!(output, "{number:>6}  {tag}")?;
            } else {
                writeln!(output, "{number:>6}  {tag:<10}  {FAINT}{flags}{FAINT:#}")?;
            }
        }
        writeln!(output, "\nvalid directives:  {}", self.valid_directives)?;
        writeln!(output, "unused directives: {}", self.unused_directives)
    }
}

impl ReportedLine {
    fn of(line: &Line<'_>) -> Self {
        let LineMetadata {
            is_empty,
            has_comment,
            is_comment,
            has_directive,
            is_acceptable_typo,
            is_line_too_long,
            is_missing_colon_separator,
        } = line.metadata();
        Self {
            line: line.number().get(),
            tag: Tag::of(line),
            is_empty,
            has_comment,
            is_comment,
            has_directive,
            is_acceptable_typo,
            is_line_too_long,
            is_missing_colon_separator,
        }
    }

    fn flags(&self) -> Vec<&'static str> {
        let flags = [
            (self.is_empty, "empty"),
            (self.is_comment, "comment"),
            (self.has_directive, "directive"),
            (self.has_comment && !self.is_comment, "with comment"),
            (self.is_acceptable_typo, "typo"),
            (self.is_missing_colon_separator, "missing colon"),
            (self.is_line_too_long, "too long"),
        ];
        let set = flags.into_iter().filter(|(is_set, _)| *is_set);
        set.map(|(_, flag)| flag).collect()
    }
}

impl Tag {
    fn of(line: &Line<'_>) -> Self {
        let LineKind::Record(record) = line.kind() else {
            return Self::Unknown;
        };
        match record.kind() {
            RecordKind::UserAgent => Self::UserAgent,
            RecordKind::Allow => Self::Allow,
            RecordKind::Disallow => Self::Disallow,
            RecordKind::Sitemap => Self::Sitemap,
            _ => {
                let key = record.key();
                let mut unused = UNUSED_KEYS.iter();
                if unused.any(|unused| key.eq_ignore_ascii_case(unused.as_bytes())) {
                    Self::Unused
                } else {
                    Self::Unknown
                }
            }
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown",
            Self::UserAgent => "User-agent",
            Self::Allow => "Allow",
            Self::Disallow => "Disallow",
            Self::Sitemap => "Sitemap",
            Self::Unused => "Unused",
        }
    }
}
