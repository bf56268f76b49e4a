use verger::{Dialect, RobotsTxt};
use verger_answer::{LineChanges, ReadAs, ResolvedCrawler};
use verger_compare::Budget;

use crate::crawler_list::crawlers_of;
use crate::file_comparison::FileComparison;

/// Two bodies of a site, to be compared for all crawlers, each as its operator reads.
#[derive(Debug)]
pub struct ChangeMeaning {
    files: [RobotsTxt; 2],
    crawlers: Vec<ResolvedCrawler>,
}

impl ChangeMeaning {
    /// Parses the bodies of a change.
    #[must_use]
    pub fn new(changes: &LineChanges) -> Self {
        let files = [changes.before(), changes.after()]
            .map(|body| RobotsTxt::parse(body, Dialect::Rfc9309));
        Self {
            crawlers: crawlers_of(&files, ReadAs::default()),
            files,
        }
    }

    /// Compares the bodies.
    #[must_use]
    pub fn comparison(&self) -> Option<FileComparison<'_>> {
        let [before, after] = self.files.clone();
        FileComparison::new(before, after, &self.crawlers, Budget::default()).ok()
    }
}
