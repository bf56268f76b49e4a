//! `Lint`: one thing that is looked for in a file, and the page about it.

use std::fmt;

use verger::Clause;

use crate::example::Example;
use crate::finding::Findings;
use crate::severity::Severity;
use crate::subject::Subject;

/// One thing that is looked for in a file, with everything that its page says.
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

/// What runs of a lint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) run: fn(&Subject<'_>, &mut Findings),
}

impl Lint {
    /// What runs of it.
    pub(crate) const fn check(&self) -> Check {
        Check {
            code: self.code,
            severity: self.severity,
            run: self.check,
        }
    }

    /// Its name: lower-case words with hyphens, as in `group-swallows-group`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// How much its findings matter, unless one says otherwise.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The lint's purpose in one sentence.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Why that matters, and what to do.
    #[must_use]
    pub fn explanation(&self) -> &'static str {
        self.explanation
    }

    /// A file in which it finds something.
    #[must_use]
    pub fn wrong_example(&self) -> &Example {
        &self.wrong
    }

    /// The same file without that.
    #[must_use]
    pub fn right_example(&self) -> &Example {
        &self.right
    }

    /// The clauses that it rests on.
    #[must_use]
    pub fn clauses(&self) -> &'static [Clause] {
        self.clauses
    }
}

impl fmt::Display for Lint {
    /// The page about it, in Markdown: what `verger lint --explain` prints and `docs/lints.md` has.
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
