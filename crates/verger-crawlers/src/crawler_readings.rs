use verger::Reading;

use crate::resolved_crawler::ResolvedCrawler;

/// The different readings in which crawlers are judged, and which of them is whose.
#[derive(Clone, Debug)]
pub struct CrawlerReadings {
    readings: Vec<Reading>,
    places: Vec<usize>,
}

impl CrawlerReadings {
    /// Finds the reading of each crawler ([`ResolvedCrawler::reading`]), where `of_file` is that of
    /// the file.
    #[must_use]
    pub fn new<'c>(
        of_file: Reading,
        crawlers: impl IntoIterator<Item = &'c ResolvedCrawler>,
    ) -> Self {
        let (mut readings, mut places) = (Vec::new(), Vec::new());
        for crawler in crawlers {
            let reading = crawler.reading(of_file);
            let known = readings.iter().position(|it| *it == reading);
            places.push(known.unwrap_or(readings.len()));
            if known.is_none() {
                readings.push(reading);
            }
        }
        if readings.is_empty() {
            readings.push(of_file);
        }
        Self { readings, places }
    }

    /// Creates a single reading for all crawlers.
    #[must_use]
    pub fn one(reading: Reading, crawlers: usize) -> Self {
        Self {
            readings: vec![reading],
            places: vec![0; crawlers],
        }
    }

    /// Returns the readings, that of the first crawler first. Never empty.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Returns the index of each crawler's reading.
    #[must_use]
    pub fn places(&self) -> &[usize] {
        &self.places
    }
}
