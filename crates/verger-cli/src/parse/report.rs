//! A line for each line, as Google's `RobotsParsingReporter` has it (`reporting_robots.h`),
//! schema `verger.report/1`.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use verger::{Line, LineKind, LineMetadata, RecordKind, RobotsTxt};

use super::file_name::FileName;
use super::walked::Walked;
use crate::palette::{FAINT, HEADING};

const SCHEMA: &str = "verger.report/1";

/// Columns of the number of a line.
const NUMBER_COLUMNS: usize = 6;

/// Columns from a tag to the flags behind it.
const TAG_COLUMNS: usize = 12;

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

/// What is said about a file: it is walked as the report is written.
pub(super) struct Report<'r> {
    robots: &'r RobotsTxt,
}

/// A report as a line of JSON.
pub(super) struct ReportInFile<'f, 'r> {
    report: &'f Report<'r>,
    file: &'f FileName,
}

/// How many lines have a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Directives {
    /// User-agent, allow, disallow and sitemap lines.
    valid: usize,
    /// All other lines with a directive.
    unused: usize,
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

impl<'r> Report<'r> {
    pub(super) fn of(robots: &'r RobotsTxt) -> Self {
        Self { robots }
    }

    /// The report, with the name of its file.
    pub(super) fn in_file<'f>(&'f self, file: &'f FileName) -> ReportInFile<'f, 'r> {
        ReportInFile { report: self, file }
    }

    fn lines(&self) -> impl Iterator<Item = ReportedLine> {
        self.robots.lines().map(|line| ReportedLine::of(&line))
    }

    /// Writes it for readers.
    pub(super) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{HEADING}  line  tag         flags{HEADING:#}")?;
        let faint = [FAINT.render().to_string(), FAINT.render_reset().to_string()];
        let mut directives = Directives::default();
        let mut text = Vec::new();
        for line in self.lines() {
            directives.count(&line);
            text.clear();
            line.write(&mut text, &faint);
            output.write_all(&text)?;
        }
        writeln!(output, "\nvalid directives:  {}", directives.valid)?;
        writeln!(output, "unused directives: {}", directives.unused)
    }
}

impl Serialize for ReportInFile<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report: it, file } = self;
        let mut directives = Directives::default();
        it.lines().for_each(|line| directives.count(&line));
        let mut report = serializer.serialize_map(None)?;
        report.serialize_entry("schema", SCHEMA)?;
        report.serialize_entry("file", file.text())?;
        if let Some(octets) = file.base64() {
            report.serialize_entry("file_base64", octets)?;
        }
        report.serialize_entry("dialect", it.robots.dialect().as_str())?;
        report.serialize_entry("valid_directives", &directives.valid)?;
        report.serialize_entry("unused_directives", &directives.unused)?;
        report.serialize_entry("lines", &Walked(|| it.lines()))?;
        report.end()
    }
}

impl Directives {
    fn count(&mut self, line: &ReportedLine) {
        match line.tag {
            _ if !line.has_directive => {}
            Tag::Unknown | Tag::Unused => self.unused += 1,
            Tag::UserAgent | Tag::Allow | Tag::Disallow | Tag::Sitemap => self.valid += 1,
        }
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

    /// Puts it for readers into `text`; `faint` switches that style on and off.
    ///
    /// A file may have millions of lines, and `write!` takes a quarter of the time of all of them.
    fn write(&self, text: &mut Vec<u8>, faint: &[String; 2]) {
        let tag = self.tag.as_str();
        push_right_aligned(text, self.line);
        text.extend_from_slice(b"  ");
        text.extend_from_slice(tag.as_bytes());
        let mut flags = self.flags().peekable();
        if flags.peek().is_some() {
            text.resize(text.len() + TAG_COLUMNS - tag.len(), b' ');
            text.extend_from_slice(faint[0].as_bytes());
            for (nth, flag) in flags.enumerate() {
                let separator: &[u8] = if nth == 0 { b"" } else { b", " };
                text.extend_from_slice(separator);
                text.extend_from_slice(flag.as_bytes());
            }
            text.extend_from_slice(faint[1].as_bytes());
        }
        text.push(b'\n');
    }

    fn flags(&self) -> impl Iterator<Item = &'static str> {
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
        set.map(|(_, flag)| flag)
    }
}

/// Puts a number into `text`, with blanks before it up to six columns.
fn push_right_aligned(text: &mut Vec<u8>, number: u32) {
    let mut digits = [b' '; 10];
    let mut start = digits.len();
    let mut rest = number;
    while rest > 0 || start == digits.len() {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    text.extend_from_slice(&digits[start.min(digits.len() - NUMBER_COLUMNS)..]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_as_the_formatter_aligns_them() {
        for number in [0, 1, 9, 10, 99_999, 100_000, 999_999, 1_000_000, u32::MAX] {
            let mut text = Vec::new();
            push_right_aligned(&mut text, number);
            assert_eq!(text, format!("{number:>6}").into_bytes());
        }
    }
}
