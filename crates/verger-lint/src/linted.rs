//! Linted files.

use verger::limits::BODY_BYTES_MAX;
use verger::{Dialect, GroupIndex, Position, RobotsTxt, Span};

use crate::finding::{Finding, Findings};
use crate::fix::Meaning;
use crate::line_places::LinePlaces;
use crate::lint::Check;
use crate::lints;
use crate::one_mistake::without_repetitions;
use crate::served::Served;
use crate::subject::Subject;

/// A file and its findings.
///
/// ```
/// use verger_lint::{Linted, Served};
///
/// let body = "User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n";
/// let file = Linted::new(body, &Served::default());
/// let finding = &file.findings()[0];
/// assert_eq!(finding.code, "group-swallows-group");
/// assert_eq!(file.position(finding.span().start).line.get(), 4);
/// ```
#[derive(Debug)]
pub struct Linted {
    index: GroupIndex,
    places: LinePlaces,
    findings: Vec<Finding>,
}

impl Linted {
    /// Reads a body by RFC 9309 and lints it. Accepts any bytes. Takes linear time and memory,
    /// except for sorting.
    pub fn new(body: impl Into<Vec<u8>>, served: &Served) -> Self {
        Self::by_checks(
            body.into(),
            served,
            &[lints::file_checks(), lints::served_checks()],
        )
    }

    /// Lints a file about which only its site is known: scheme, host and port in lower case.
    #[cfg(any(feature = "report", test))]
    pub(crate) fn of_site(body: Vec<u8>, origin: Option<String>) -> Self {
        let served = Served {
            origin,
            ..Served::default()
        };
        Self::by_checks(body, &served, &[lints::file_checks()])
    }

    fn by_checks(body: Vec<u8>, served: &Served, checks: &[&[Check]]) -> Self {
        let index = GroupIndex::new(RobotsTxt::parse(body, Dialect::Rfc9309));
        let places = LinePlaces::of(index.robots());
        let subject = Subject::new(&index, &places, served);
        let mut findings = Findings::new();
        for check in checks.iter().copied().flatten() {
            findings.of_lint(check.code, check.severity);
            (check.run)(&subject, &mut findings);
        }
        let findings = findings.in_order();
        // Crawlers read the lines of an HTML page if it has groups.
        let is_page = subject.is_page() && index.robots().groups().len() == 0;
        let mut findings = without_repetitions(findings, &places, is_page);
        if is_near_the_limit(index.robots().body(), &findings) {
            // The limit depends on every byte before it.
            for fix in findings.iter_mut().filter_map(|it| it.fix.as_mut()) {
                fix.meaning = Meaning::Changed;
            }
        }
        Self {
            index,
            places,
            findings,
        }
    }

    /// Returns the findings in the order of their places.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the file as read by RFC 9309. All spans refer to its body.
    #[must_use]
    pub fn robots(&self) -> &RobotsTxt {
        self.index.robots()
    }

    /// Returns the file with an index of its names, for questions about many crawlers.
    #[must_use]
    pub fn index(&self) -> &GroupIndex {
        &self.index
    }

    /// Returns line and column of a byte of the body, from 1, in O(log lines).
    #[must_use]
    pub fn position(&self, byte: u32) -> Position {
        self.places.position(byte)
    }

    /// Returns the line of a byte, without its line end.
    #[must_use]
    pub fn line(&self, byte: u32) -> Span {
        self.places.line(byte)
    }
}

/// Returns whether the body, or the body with all fixes, exceeds the read limit.
fn is_near_the_limit(body: &[u8], findings: &[Finding]) -> bool {
    let edits = findings.iter().filter_map(|it| it.fix.as_ref());
    let added: usize = edits
        .flat_map(|fix| &fix.edits)
        .map(|it| it.text.len())
        .sum();
    body.len() + added > BODY_BYTES_MAX
}
