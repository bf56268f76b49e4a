//! Levels: which lints are enabled, and their severities.

use std::collections::BTreeMap;
use std::fmt;

use verger::legible;

use crate::finding::Finding;
use crate::lints;
use crate::severity::Severity;

/// The severity of a lint's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The findings are left out.
    Allow,
    /// The findings are notes.
    Note,
    /// The findings are warnings.
    Warn,
    /// The findings are errors.
    Deny,
}

/// The level of each lint. By default, a finding has the severity that its lint gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    by_code: BTreeMap<&'static str, Level>,
}

impl Levels {
    /// Sets the level of a lint, replacing an earlier one.
    ///
    /// # Errors
    ///
    /// Returns an error if no lint has that code.
    pub fn set(&mut self, code: &str, level: Level) -> Result<(), UnknownLint> {
        let known = lints::codes().find(|known| *known == code);
        let known = known.ok_or_else(|| UnknownLint::new(code))?;
        self.by_code.insert(known, level);
        Ok(())
    }

    /// Sets the level of several lints. If one is unknown, those before it are set.
    ///
    /// # Errors
    ///
    /// Returns an error if no lint has one of the codes.
    pub fn set_all(&mut self, codes: &[String], level: Level) -> Result<(), UnknownLint> {
        codes.iter().try_for_each(|code| self.set(code, level))
    }

    /// Returns the severity of a finding, or `None` if it is left out.
    #[must_use]
    pub fn severity(&self, finding: &Finding) -> Option<Severity> {
        match self.by_code.get(finding.code) {
            None => Some(finding.severity),
            Some(Level::Allow) => None,
            Some(Level::Note) => Some(Severity::Note),
            Some(Level::Warn) => Some(Severity::Warning),
            Some(Level::Deny) => Some(Severity::Error),
        }
    }
}

/// An unknown lint code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLint {
    code: String,
    nearest: Option<&'static str>,
}

impl UnknownLint {
    /// Creates the error, with the lint that shares most words with the code.
    #[must_use]
    pub fn new(code: &str) -> Self {
        let words = |code: &str| code.split('-').map(str::to_owned).collect::<Vec<_>>();
        let wanted = words(code);
        let shared = |other: &str| words(other).iter().filter(|it| wanted.contains(it)).count();
        let nearest = lints::codes()
            .max_by_key(|it| shared(it))
            .filter(|it| shared(it) > 0);
        Self {
            code: code.chars().take(60).collect(),
            nearest,
        }
    }
}

impl fmt::Display for UnknownLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no lint `{}`", legible(self.code.as_bytes()))?;
        match self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => f.write_str("; `verger lint --list` lists all lints"),
        }
    }
}

impl std::error::Error for UnknownLint {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_code_names_one_that_shares_words() {
        let error = Levels::default().set("swallows-group", Level::Deny);
        assert_eq!(
            error.unwrap_err().to_string(),
            "there is no lint `swallows-group`; did you mean `group-swallows-group`?"
        );
    }
}
