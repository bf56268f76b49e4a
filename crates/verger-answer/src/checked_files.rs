use verger::Reading;

use crate::checked_file::{CheckedFile, Explaining, Readings};
use verger_crawlers::CrawlerReadings;
use verger_crawlers::ResolvedCrawler;

/// A body, parsed in each reading in which its crawlers are judged.
#[derive(Debug)]
pub struct CheckedFiles {
    /// One file for each reading, in the order of the first crawler that needs it. Never empty.
    files: Vec<CheckedFile>,
    /// The index of each crawler's file, and its index there.
    places: Vec<(usize, usize)>,
}

impl CheckedFiles {
    /// Reads the body with `read` in the reading of each crawler ([`ResolvedCrawler::reading`]),
    /// where `reading` is that of the file.
    #[must_use]
    pub fn new(
        reading: Reading,
        explaining: Explaining,
        crawlers: &[ResolvedCrawler],
        read: impl Fn(&Readings, &[ResolvedCrawler]) -> CheckedFile,
    ) -> Self {
        let of_crawlers = CrawlerReadings::new(reading, crawlers);
        let mut by_reading = vec![Vec::new(); of_crawlers.readings().len()];
        let mut places = Vec::with_capacity(crawlers.len());
        for (crawler, &file) in crawlers.iter().zip(of_crawlers.places()) {
            places.push((file, by_reading[file].len()));
            by_reading[file].push(crawler.clone());
        }
        let files = of_crawlers.readings().iter().zip(by_reading);
        let files = files.map(|(own, of)| read(&Readings::new(*own, explaining), &of));
        Self {
            files: files.collect(),
            places,
        }
    }

    /// Returns the files, one for each reading.
    #[must_use]
    pub fn files(&self) -> &[CheckedFile] {
        &self.files
    }

    /// Returns the index of each crawler's file, and the crawler's index in that file, in the order
    /// of the crawlers.
    #[must_use]
    pub fn places(&self) -> &[(usize, usize)] {
        &self.places
    }

    /// Returns the approximate heap size in bytes, for caches.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.files.iter().map(CheckedFile::heap_bytes).sum()
    }
}
