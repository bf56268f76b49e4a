//! `FileFindings`: what was found in one file, as it counts.

use std::cell::OnceCell;
use std::ffi::OsString;

use verger::Span;
use verger_lint::{Finding, Linted, Served, Severity};

use super::columns::Columns;
use super::lint_settings::LintSettings;
use super::read_body::ReadBody;
use crate::robots_source::RobotsSource;

/// What was found in one file, as it counts.
pub(super) struct FileFindings<'s> {
    pub(super) source: &'s RobotsSource,
    pub(super) file: Linted,
    pub(super) served: Served,
    /// By the numbers of the findings, what each counts as; `None` for those that are left out.
    severities: Vec<Option<Severity>>,
    /// Made where a place is asked for.
    columns: OnceCell<Columns>,
}

/// A place in a file: lines and columns, all counted from 1; columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    /// The column behind the last character.
    pub(super) end_column: u32,
}

impl<'s> FileFindings<'s> {
    pub(super) fn new(source: &'s RobotsSource, read: ReadBody, settings: &LintSettings) -> Self {
        let file = Linted::new(read.body, &read.served);
        let severities = file.findings().iter().map(|it| settings.severity(it));
        Self {
            source,
            severities: severities.collect(),
            file,
            served: read.served,
            columns: OnceCell::new(),
        }
    }

    /// The findings that count, in the order of their places.
    pub(super) fn counted(&self) -> impl Iterator<Item = (Severity, &Finding)> {
        let all = self.severities.iter().zip(self.file.findings());
        all.filter_map(|(severity, finding)| Some(((*severity)?, finding)))
    }

    /// The highest severity.
    pub(super) fn worst(&self) -> Option<Severity> {
        self.severities.iter().flatten().max().copied()
    }

    pub(super) fn name(&self) -> OsString {
        self.source.written_name()
    }

    pub(super) fn body(&self) -> &[u8] {
        self.file.robots().body()
    }

    /// Line and column of a place.
    pub(super) fn region(&self, span: Span) -> Region {
        let (line, column) = self.place(span.start);
        let (end_line, end_column) = self.place(span.end);
        Region {
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// Line and column of an octet.
    fn place(&self, octet: u32) -> (u32, u32) {
        let start = self.file.line(octet).start;
        let columns = self.columns.get_or_init(|| Columns::of(self.body()));
        let before = columns.characters(Span { start, end: octet });
        (
            self.file.position(octet).line.get(),
            before.saturating_add(1),
        )
    }
}
