use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use serde::Deserialize;
use url::Url;
use verger::{LineNumber, Record, RobotsTxt, Span};
use verger_lint::report::LintSettings;
use verger_lint::{Finding, Fixing, Linted, Meaning, Served, Severity};

use crate::text::{PositionEncoding, PositionRange, Text, difference};

/// Returns the lint settings for the file at a path. Errors are shown with the findings.
pub type SettingsOf = fn(&Path) -> Result<LintSettings, ReadError>;

/// An open robots.txt and its findings.
#[derive(Debug)]
pub(crate) struct Document {
    path: Option<PathBuf>,
    settings: SettingsOf,
    pub(crate) version: i64,
    text: Text,
    checked: OnceCell<Checked>,
    fixed: OnceCell<Option<TextChange>>,
}

/// A text change sent by an editor.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ContentChange {
    /// The replaced range, or `None` for the whole text.
    pub(crate) range: Option<PositionRange>,
    pub(crate) text: String,
}

/// A replacement of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextChange {
    pub(crate) range: PositionRange,
    pub(crate) text: String,
}

/// Cached results for a document.
#[derive(Debug)]
struct Checked {
    linted: Linted,
    settings: LintSettings,
    /// The reason why the settings next to the file are not used.
    problem: Option<String>,
}

impl Document {
    pub(crate) fn new(uri: &str, version: i64, text: Text, settings: SettingsOf) -> Self {
        let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file");
        Self {
            path: url.and_then(|url| url.to_file_path().ok()),
            version,
            settings,
            text,
            checked: OnceCell::new(),
            fixed: OnceCell::new(),
        }
    }

    /// Applies changes in order.
    pub(crate) fn change(
        &mut self,
        version: i64,
        changes: Vec<ContentChange>,
        encoding: PositionEncoding,
    ) {
        self.version = version;
        for change in changes {
            match change.range {
                Some(range) => self.text.replace(range, &change.text),
                None => self.text = Text::new(change.text, encoding),
            }
        }
        self.recheck();
    }

    /// Drops cached results after a change of the text or settings.
    pub(crate) fn recheck(&mut self) {
        self.checked.take();
        self.fixed.take();
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// Returns the linted file, which has the same bytes as the text.
    pub(crate) fn linted(&self) -> &Linted {
        &self.checked().linted
    }

    pub(crate) fn settings_problem(&self) -> Option<&str> {
        self.checked().problem.as_deref()
    }

    /// Returns the findings at their configured severities.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (Severity, &Finding)> {
        let Checked {
            linted, settings, ..
        } = self.checked();
        let findings = linted.findings().iter();
        findings.filter_map(|it| Some((settings.severity(it)?, it)))
    }

    /// Returns the record of `file`, a reading of this text, that contains the byte or ends just
    /// before it.
    pub(crate) fn record_at<'f>(&self, file: &'f RobotsTxt, offset: usize) -> Option<Record<'f>> {
        let line = u32::try_from(self.text.line_of(offset)).ok()?;
        let line = LineNumber::new(line.checked_add(1)?)?;
        let record = file.record_at(line)?;
        let bytes = bytes(record.span());
        (bytes.start <= offset && offset <= bytes.end).then_some(record)
    }

    /// Returns the change that applies all fixes that keep the meaning, if any.
    pub(crate) fn fixed(&self) -> Option<&TextChange> {
        let fixed = self.fixed.get_or_init(|| {
            let keeps = |finding: &Finding| {
                let fix = finding.fix.as_ref();
                fix.is_some_and(|fix| fix.meaning == Meaning::Kept)
            };
            let has_fixes = self.findings().any(|(_, finding)| keeps(finding));
            has_fixes.then(|| self.with_fixes()).flatten()
        });
        fixed.as_ref()
    }

    fn with_fixes(&self) -> Option<TextChange> {
        let body = self.text.as_str().as_bytes();
        let settings = &self.checked().settings;
        let wanted = |finding: &Finding| settings.severity(finding).is_some();
        let fixed = verger_lint::fixed(body, &Served::default(), Fixing::KeepingMeaning, wanted);
        let fixed = String::from_utf8(fixed.body).ok()?;
        let (range, text) = difference(self.text.as_str(), &fixed)?;
        Some(TextChange {
            range: self.text.range(range),
            text: text.to_owned(),
        })
    }

    fn checked(&self) -> &Checked {
        self.checked.get_or_init(|| {
            let settings = self.path.as_deref().map(self.settings);
            let (settings, problem) = match settings {
                Some(Err(error)) => (LintSettings::default(), Some(error.to_string())),
                Some(Ok(settings)) => (settings, None),
                None => (LintSettings::default(), None),
            };
            Checked {
                linted: Linted::new(self.text.as_str(), &Served::default()),
                settings,
                problem,
            }
        })
    }
}

pub(crate) fn bytes(span: Span) -> Range<usize> {
    let offset = |byte: u32| usize::try_from(byte).unwrap_or(usize::MAX);
    offset(span.start)..offset(span.end)
}
