//! Linted files.

use verger::limits::BODY_BYTES_MAX;
use verger::{Dialect, GroupIndex, Position, RobotsTxt, Span};

use crate::finding::{Draft, Finding, Findings};
use crate::fix::Meaning;
use crate::line_places::LinePlaces;
use crate::lint::Check;
use crate::lints;
use crate::one_mistake::without_repetitions;
use crate::served::Served;
use crate::subject::Subject;
use crate::text::listed;

/// Maximum number of further lines, or ranges of them, in a text.
const LINES_SHOWN: usize = 30;

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
        let mut findings = findings.in_order();
        findings.retain_mut(|Draft { finding, .. }| {
            let block = finding.spans.first();
            let block = block.and_then(|it| subject.platform_block(it.span));
            block.is_none_or(|it| {
                it.advise(finding);
                it.is_for_owner(finding)
            })
        });
        // Crawlers read the lines of an HTML page if it has groups.
        let is_page = subject.is_page() && index.robots().groups().len() == 0
            || subject.template_line().is_some();
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

    /// Returns the lines of a finding's further places, such as `also in lines 3, 5-7`, or
    /// `None` if it has none.
    #[must_use]
    pub fn further_lines(&self, finding: &Finding) -> Option<String> {
        let places = finding.further.iter();
        let mut lines = places.map(|it| self.position(it.span.start).line.get());
        let first = lines.next()?;
        let mut ranges = vec![(first, first)];
        for line in lines {
            match ranges.last_mut() {
                Some((_, end)) if line <= end.saturating_add(1) => *end = line,
                _ => ranges.push((line, line)),
            }
        }
        let written = ranges.iter().map(|(start, end)| match end - start {
            0 => start.to_string(),
            _ => format!("{start}-{end}"),
        });
        let written: Vec<String> = written.collect();
        let word = if finding.further.len() == 1 {
            "line"
        } else {
            "lines"
        };
        let lines = listed(written.iter().map(String::as_str), LINES_SHOWN);
        Some(format!("also in {word} {lines}"))
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
