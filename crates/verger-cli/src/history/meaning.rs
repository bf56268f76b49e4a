//! What a change of a body means, by RFC 9309, for all crawlers.

use verger::{Dialect, RobotsTxt};
use verger_answer::{LineChanges, ResolvedCrawler};
use verger_compare::Budget;
use verger_owner::{FileComparison, crawlers_of};

/// The two bodies of a change, and the crawlers that they can say something about.
pub(super) struct Meaning {
    files: [RobotsTxt; 2],
    crawlers: Vec<ResolvedCrawler>,
}

impl Meaning {
    pub(super) fn of(changes: &LineChanges) -> Self {
        let files = [changes.before(), changes.after()]
            .map(|body| RobotsTxt::parse(body, Dialect::Rfc9309));
        Self {
            crawlers: crawlers_of(&files),
            files,
        }
    }

    /// What changed; `None` would mean that one dialect compares in two ways.
    pub(super) fn comparison(&self) -> Option<FileComparison<'_>> {
        let [before, after] = self.files.clone();
        FileComparison::of(before, after, &self.crawlers, Budget::default()).ok()
    }
}
