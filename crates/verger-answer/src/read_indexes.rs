use std::borrow::Cow;

use verger::{GroupIndex, RobotsTxt};

use verger_crawlers::ResolvedCrawler;

/// A file, and the same body in each other reading in which a crawler is judged
/// ([`ResolvedCrawler::reading`]). Each reading is parsed once.
#[derive(Clone, Debug)]
pub struct ReadIndexes<'f> {
    file: Cow<'f, GroupIndex>,
    others: Vec<GroupIndex>,
}

impl<'f> ReadIndexes<'f> {
    /// Creates the readings of a file, which so far has only its own.
    #[must_use]
    pub fn new(file: Cow<'f, GroupIndex>) -> Self {
        let others = Vec::new();
        Self { file, others }
    }

    /// Returns the file in its own reading.
    #[must_use]
    pub fn file(&self) -> &GroupIndex {
        &self.file
    }

    /// Parses the body in the reading of a crawler, unless that was done before.
    pub fn read(&mut self, crawler: &ResolvedCrawler) -> &GroupIndex {
        let robots = self.file.robots();
        let reading = crawler.reading(*robots.reading());
        if self.all().all(|it| *it.robots().reading() != reading) {
            let robots = RobotsTxt::parse(robots.body(), reading);
            self.others.push(GroupIndex::new(robots));
        }
        self.index_for(crawler)
    }

    /// Returns the file in the reading of a crawler, or its own if that one was not read.
    #[must_use]
    pub fn index_for(&self, crawler: &ResolvedCrawler) -> &GroupIndex {
        let reading = crawler.reading(*self.file.robots().reading());
        let found = self.all().find(|it| *it.robots().reading() == reading);
        found.unwrap_or(&self.file)
    }

    /// Returns the file in its own reading, then in the others.
    pub fn all(&self) -> impl Iterator<Item = &GroupIndex> {
        std::iter::once(&*self.file).chain(&self.others)
    }
}
