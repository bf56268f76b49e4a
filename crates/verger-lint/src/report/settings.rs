//! Lint settings from a `verger.toml`.

use serde::Deserialize;
use thiserror::Error;
use verger_answer::text::toml_problem;

use crate::finding::Finding;
use crate::levels::{Level, Levels, UnknownLint};
use crate::severity::Severity;

/// Levels of lints, and the lowest severity that fails a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintSettings {
    /// The level of each lint.
    pub levels: Levels,
    /// The lowest severity that fails a run.
    pub fail_on: Severity,
}

/// A `verger.toml` that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LintSettingsError {
    /// The text is not TOML, or has an unknown key or value.
    #[error("line {line}: {problem}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The problem. It quotes nothing, because the text may come from an unrelated file.
        problem: String,
    },
    /// The text names an unknown lint.
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
    /// Name of the settings file next to a robots.txt.
    pub const FILE_NAME: &str = "verger.toml";

    /// Parses a settings file.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not TOML, has an unknown key or value, or names an unknown
    /// lint.
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

    /// Returns the severity of a finding, or `None` if it is left out.
    #[must_use]
    pub fn severity(&self, finding: &Finding) -> Option<Severity> {
        self.levels.severity(finding)
    }
}

impl Default for LintSettings {
    /// Keeps the severity of every finding. Warnings fail a run.
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
