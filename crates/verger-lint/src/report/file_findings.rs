//! Findings of one file.

use std::cell::OnceCell;

use verger::Span;

use super::columns::Columns;
use super::settings::LintSettings;
use crate::finding::Finding;
use crate::linted::Linted;
use crate::served::Served;
use crate::severity::Severity;

/// The findings of one file, with their severities. Serializes as a line of `verger lint`, schema
/// [`FileFindings::SCHEMA`].
#[derive(Debug)]
pub struct FileFindings {
    name: Vec<u8>,
    file: Linted,
    served: Served,
    /// The severity of each finding, `None` if it is left out.
    severities: Vec<Option<Severity>>,
    /// Built on first use.
    columns: OnceCell<Columns>,
}

/// A place in a file: lines and columns from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The line of its first byte.
    pub line: u32,
    /// The column of its first character.
    pub column: u32,
    /// The line of its end.
    pub end_line: u32,
    /// The column after its last character.
    pub end_column: u32,
}

impl FileFindings {
    /// Schema of the JSON.
    pub const SCHEMA: &str = "verger.lint/1";

    /// Lints a body with these settings. `name` is the path or the URL of the file.
    pub fn new(
        name: impl Into<Vec<u8>>,
        body: impl Into<Vec<u8>>,
        served: Served,
        settings: &LintSettings,
    ) -> Self {
        Self::of_linted(name.into(), Linted::new(body, &served), served, settings)
    }

    /// Lints a file about which only its site is known.
    pub(super) fn of_site(
        name: Vec<u8>,
        body: Vec<u8>,
        origin: Option<String>,
        settings: &LintSettings,
    ) -> Self {
        let file = Linted::of_site(body, origin);
        Self::of_linted(name, file, Served::default(), settings)
    }

    fn of_linted(name: Vec<u8>, file: Linted, served: Served, settings: &LintSettings) -> Self {
        let severities = file.findings().iter().map(|it| settings.severity(it));
        Self {
            name,
            severities: severities.collect(),
            file,
            served,
            columns: OnceCell::new(),
        }
    }

    /// Returns the reported findings, in the order of their places.
    pub fn counted(&self) -> impl Iterator<Item = (Severity, &Finding)> {
        let all = self.severities.iter().zip(self.file.findings());
        all.filter_map(|(severity, finding)| Some(((*severity)?, finding)))
    }

    /// Returns the highest severity.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.severities.iter().flatten().max().copied()
    }

    /// Returns the path or the URL of the file.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the file.
    #[must_use]
    pub fn file(&self) -> &Linted {
        &self.file
    }

    /// Returns how the file is served.
    #[must_use]
    pub fn served(&self) -> &Served {
        &self.served
    }

    /// Returns line and column of a place. Takes O(log bytes) after the first call.
    #[must_use]
    pub fn region(&self, span: Span) -> Region {
        let (line, column) = self.place(span.start);
        let (end_line, end_column) = self.place(span.end);
        Region {
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// Returns line and column of a byte.
    fn place(&self, byte: u32) -> (u32, u32) {
        let start = self.file.line(byte).start;
        let columns = self
            .columns
            .get_or_init(|| Columns::of(self.file.robots().body()));
        let before = columns.characters(Span { start, end: byte });
        (
            self.file.position(byte).line.get(),
            before.saturating_add(1),
        )
    }
}
