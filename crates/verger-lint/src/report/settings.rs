//! `LintSettings`: which lints count, as a `verger.toml` says.

use serde::Deserialize;
use thiserror::Error;
use verger_answer::text::toml_problem;

use crate::finding::Finding;
use crate::levels::{Level, Levels, UnknownLint};
use crate::severity::Severity;

/// The levels of lints, and the least severity that fails a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintSettings {
    /// The level of each lint.
    pub levels: Levels,
    /// The least severity that fails a run.
    pub fail_on: Severity,
}

/// The text of a `verger.toml` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LintSettingsError {
    /// It is not TOML, or has a key or a value that is not known.
    #[error("line {line}: {problem}")]
    Toml {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong; nothing of the text is repeated, since it may be that of another file.
        problem: String,
    },
    /// It names a lint that there is not.
    #[error(transparent)]
    UnknownLint(#[from] UnknownLint),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    lint: LintTable,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct LintTable {
    allow: Vec<String>,
    note: Vec<String>,
    warn: Vec<String>,
    deny: Vec<String>,
    fail_on: Option<Severity>,
}

impl LintSettings {
    /// The name of the file beside a robots.txt that has settings.
    pub const FILE_NAME: &str = "verger.toml";

    /// Reads the text of a file of settings.
    ///
    /// # Errors
    ///
    /// Where it is not TOML, has a key or a value that is not known, or names a lint that there is not.
    pub fn from_toml(text: &str) -> Result<Self, LintSettingsError> {
        let SettingsFile { lint } = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(start).filter(|it| *it == b'\n').count() + 1;
            let problem = toml_problem(error.message());
            LintSettingsError::Toml { line, problem }
        })?;
        let mut settings = Self::default();
        for (codes, level) in [
            (&lint.allow, Level::Allow),
            (&lint.note, Level::Note),
            (&lint.warn, Level::Warn),
            (&lint.deny, Level::Deny),
        ] {
            settings.levels.set_all(codes, level)?;
        }
        settings.fail_on = lint.fail_on.unwrap_or(settings.fail_on);
        Ok(settings)
    }

    /// The severity of a finding; `None` where it is left out.
    #[must_use]
    pub fn severity(&self, finding: &Finding) -> Option<Severity> {
        self.levels.severity(finding)
    }
}

impl Default for LintSettings {
    /// Every finding counts as its lint made it, and warnings fail a run.
    fn default() -> Self {
        Self {
            levels: Levels::default(),
            fail_on: Severity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_its_line_and_repeats_nothing() {
        for (text, expected) in [
            (
                "[lint]\nallow = 1\n",
                "line 2: invalid value: expected a sequence",
            ),
            (
                "[lint]\nfail-on = \"secret\"\n",
                "line 2: invalid value: expected one of `note`, `warning`, `error`",
            ),
            (
                "[lint]\nallow = [\"rule-duplicate\"]",
                "there is no lint `rule-duplicate`; did you mean `duplicate-rule`?",
            ),
        ] {
            let error = LintSettings::from_toml(text).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_later_table_counts() {
        let text = "[lint]\nallow = [\"duplicate-rule\"]\nfail-on = \"error\"\ndeny = [\"duplicate-rule\"]";
        let settings = LintSettings::from_toml(text).unwrap();
        assert_eq!(settings.fail_on, Severity::Error);
        let mut levels = Levels::default();
        levels.set("duplicate-rule", Level::Deny).unwrap();
        assert_eq!(settings.levels, levels);
        assert_eq!(LintSettings::from_toml(""), Ok(LintSettings::default()));
    }
}
