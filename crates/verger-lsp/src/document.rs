//! `Document`: a robots.txt that is open in an editor, and what was found in it.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use serde::Deserialize;
use url::Url;
use verger::{LineNumber, Record, Span};
use verger_lint::report::LintSettings;
use verger_lint::{Finding, Fixing, Linted, Meaning, Served, Severity};

use crate::text::{PositionEncoding, PositionRange, Text, difference};

/// Says which lints count for the file at a path; an error is shown with the findings.
pub type SettingsOf = fn(&Path) -> Result<LintSettings, ReadError>;

/// A robots.txt that is open in an editor.
#[derive(Debug)]
pub(crate) struct Document {
    path: Option<PathBuf>,
    settings: SettingsOf,
    pub(crate) version: i64,
    text: Text,
    checked: OnceCell<Checked>,
    fixed: OnceCell<Option<TextChange>>,
}

/// One change of a text, as an editor sends it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ContentChange {
    /// What is replaced; the whole text where it is absent.
    pub(crate) range: Option<PositionRange>,
    pub(crate) text: String,
}

/// A text that takes the place of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextChange {
    pub(crate) range: PositionRange,
    pub(crate) text: String,
}

/// What was found in a document.
#[derive(Debug)]
struct Checked {
    linted: Linted,
    settings: LintSettings,
    /// Why the settings beside the file are not used.
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

    /// Puts in changes, each after the one before it.
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

    /// Forgets what was found, since the text or the settings may have changed.
    pub(crate) fn recheck(&mut self) {
        self.checked.take();
        self.fixed.take();
    }

    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    /// The file, as lints read it; its bytes are those of the text.
    pub(crate) fn linted(&self) -> &Linted {
        &self.checked().linted
    }

    /// Why the settings beside the file are not used, if they are not.
    pub(crate) fn settings_problem(&self) -> Option<&str> {
        self.checked().problem.as_deref()
    }

    /// The findings that count.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (Severity, &Finding)> {
        let Checked {
            linted, settings, ..
        } = self.checked();
        let findings = linted.findings().iter();
        findings.filter_map(|it| Some((settings.severity(it)?, it)))
    }

    /// The record on the line of a byte, where the byte is in it or just after it.
    pub(crate) fn record_at(&self, offset: usize) -> Option<Record<'_>> {
        let line = u32::try_from(self.text.line_of(offset)).ok()?;
        let line = LineNumber::new(line.checked_add(1)?)?;
        let record = self.linted().robots().record_at(line)?;
        let bytes = bytes(record.span());
        (bytes.start <= offset && offset <= bytes.end).then_some(record)
    }

    /// The change that puts in all fixes which keep the meaning, if there are any.
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

/// Bytes of a body as bytes of a text.
pub(crate) fn bytes(span: Span) -> Range<usize> {
    let offset = |byte: u32| usize::try_from(byte).unwrap_or(usize::MAX);
    offset(span.start)..offset(span.end)
}
