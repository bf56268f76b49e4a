//! Lints and their pages.

use std::fmt;

use verger::Clause;

use crate::example::Example;
use crate::finding::Findings;
use crate::severity::Severity;
use crate::subject::Subject;

/// A lint and its page.
#[derive(Debug)]
pub struct Lint {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) summary: &'static str,
    pub(crate) explanation: &'static str,
    pub(crate) wrong: Example,
    pub(crate) right: Example,
    pub(crate) clauses: &'static [Clause],
    pub(crate) check: fn(&Subject<'_>, &mut Findings),
}

/// The part of a lint that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) run: fn(&Subject<'_>, &mut Findings),
}

impl Lint {
    /// Returns the part that runs.
    pub(crate) const fn check(&self) -> Check {
        Check {
            code: self.code,
            severity: self.severity,
            run: self.check,
        }
    }

    /// Returns its code: lower-case words with hyphens, such as `group-swallows-group`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the severity of its findings, unless a finding overrides it.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the summary in one sentence.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns why it matters and what to do.
    #[must_use]
    pub fn explanation(&self) -> &'static str {
        self.explanation
    }

    /// Returns a file with a finding.
    #[must_use]
    pub fn wrong_example(&self) -> &Example {
        &self.wrong
    }

    /// Returns the same file without the finding.
    #[must_use]
    pub fn right_example(&self) -> &Example {
        &self.right
    }

    /// Returns whether it is about a web page instead of a robots.txt.
    #[must_use]
    pub fn is_about_pages(&self) -> bool {
        self.wrong.page().is_some()
    }

    /// Returns the clauses behind it.
    #[must_use]
    pub fn clauses(&self) -> &'static [Clause] {
        self.clauses
    }
}

impl fmt::Display for Lint {
    /// Writes the page in Markdown, as in `docs/lints.md` and `verger lint --explain`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## `{}`\n", self.code)?;
        writeln!(f, "{}: {}\n", capitalised(self.severity), self.summary)?;
        writeln!(f, "{}\n", self.explanation)?;
        writeln!(f, "Bad:\n")?;
        writeln!(f, "{}", self.wrong)?;
        writeln!(f, "Good:\n")?;
        writeln!(f, "{}", self.right)?;
        let clauses = self
            .clauses
            .iter()
            .map(|it| format!("{} (`{}`)", it, it.id()));
        writeln!(f, "See {}.", clauses.collect::<Vec<_>>().join(", "))
    }
}

fn capitalised(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "Note",
        Severity::Warning => "Warning",
        Severity::Error => "Error",
    }
}
