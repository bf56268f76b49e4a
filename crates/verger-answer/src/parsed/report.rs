//! A report like that of Google's `RobotsParsingReporter` (`reporting_robots.h`): one item per
//! line.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use verger::{Line, LineKind, LineMetadata, RecordKind, RobotsTxt};

use super::file_name::FileName;
use super::walked::Walked;

const SCHEMA: &str = "verger.report/1";

/// Keys that Google's reporter knows but its parser does not use.
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

/// A report about a file, computed as it is written.
#[derive(Debug)]
pub struct Report<'r> {
    robots: &'r RobotsTxt,
}

/// A report and the name of its file (`verger.report/1` in `docs/json.md`).
#[derive(Debug)]
pub struct ReportInFile<'f, 'r> {
    report: &'f Report<'r>,
    file: &'f FileName,
}

/// Numbers of lines with a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directives {
    /// User-agent, allow, disallow and sitemap lines.
    pub valid: usize,
    /// All other lines with a directive.
    pub unused: usize,
}

/// The report about a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the library's own names, field by field"
)]
pub struct ReportedLine {
    /// Line number, counted from 1.
    pub line: u32,
    tag: Tag,
    is_empty: bool,
    has_comment: bool,
    is_comment: bool,
    has_directive: bool,
    is_acceptable_typo: bool,
    is_line_too_long: bool,
    is_missing_colon_separator: bool,
}

/// The kind of a line. Lines without a directive are also `Unknown`.
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
    /// Creates a report.
    #[must_use]
    pub fn new(robots: &'r RobotsTxt) -> Self {
        Self { robots }
    }

    /// Adds the name of the file.
    #[must_use]
    pub fn in_file<'f>(&'f self, file: &'f FileName) -> ReportInFile<'f, 'r> {
        ReportInFile { report: self, file }
    }

    /// Iterates over the lines.
    pub fn lines(&self) -> impl Iterator<Item = ReportedLine> {
        self.robots.lines().map(|line| ReportedLine::of(&line))
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
        if let Some(bytes) = file.base64() {
            report.serialize_entry("file_base64", bytes)?;
        }
        report.serialize_entry("dialect", it.robots.dialect().as_str())?;
        report.serialize_entry("valid_directives", &directives.valid)?;
        report.serialize_entry("unused_directives", &directives.unused)?;
        report.serialize_entry("lines", &Walked(|| it.lines()))?;
        report.end()
    }
}

impl Directives {
    /// Counts a line.
    pub fn count(&mut self, line: &ReportedLine) {
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

    /// Returns the name of the kind.
    #[must_use]
    pub fn tag(&self) -> &'static str {
        self.tag.as_str()
    }

    /// Iterates over short descriptions of what is unusual about the line.
    pub fn flags(&self) -> impl Iterator<Item = &'static str> {
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
