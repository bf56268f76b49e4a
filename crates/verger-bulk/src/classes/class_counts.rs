use std::fmt;

use verger_answer::{CountOf, ResolvedCrawler};
use verger_compare::ExtentClass;
use verger_crawlers::{KnownCrawler, Purpose};

use super::body_class::BodyClass;
use super::class_unit::ClassUnit;

/// The classes, most restrictive first. `None` is undecided or unknown.
pub const CLASSES: [(Option<ExtentClass>, &str); 4] = [
    (Some(ExtentClass::EverythingDisallowed), "everything"),
    (Some(ExtentClass::SomeDisallowed), "some"),
    (Some(ExtentClass::NothingDisallowed), "nothing"),
    (None, "unknown"),
];

/// A crawler, and the number of bodies in each of [`CLASSES`].
pub type CrawlerCounts<'c> = (&'c str, [u64; 4]);

/// Number of bodies in each of [`CLASSES`], by crawler.
#[derive(Debug)]
pub struct ClassCounts {
    crawlers: Vec<ResolvedCrawler>,
    counts: Vec<[u64; 4]>,
    unit: ClassUnit,
    bodies: u64,
}

impl ClassCounts {
    /// Creates counts for these crawlers.
    #[must_use]
    pub fn new(crawlers: Vec<ResolvedCrawler>, unit: ClassUnit) -> Self {
        Self {
            counts: vec![[0; 4]; crawlers.len()],
            crawlers,
            unit,
            bodies: 0,
        }
    }

    /// Counts a body. Without classes it is unknown for all crawlers.
    pub fn count(&mut self, classes: Option<&[BodyClass]>) {
        self.bodies += 1;
        for (nth, counts) in self.counts.iter_mut().enumerate() {
            let class = classes.and_then(|classes| classes.get(nth)?.disallowed);
            let at = CLASSES.iter().position(|(it, _)| *it == class);
            if let Some(count) = at.and_then(|at| counts.get_mut(at)) {
                *count += 1;
            }
        }
    }

    /// Returns the number of bodies, with their noun.
    #[must_use]
    pub fn bodies(&self) -> CountOf<u64> {
        let (one, others) = self.unit.nouns();
        CountOf(self.bodies, one, others)
    }

    /// Returns the subject of the counts.
    #[must_use]
    pub fn unit(&self) -> ClassUnit {
        self.unit
    }

    /// Returns the crawlers by purpose, each under all of its purposes. Crawlers without a known
    /// purpose come last.
    #[must_use]
    pub fn by_purpose(&self) -> Vec<(&'static str, Vec<CrawlerCounts<'_>>)> {
        let rows = || self.crawlers.iter().zip(self.counts.iter().copied());
        let mut all: Vec<(&'static str, Vec<CrawlerCounts<'_>>)> = Vec::new();
        for purpose in Purpose::ALL {
            let of_purpose = rows().filter(|(crawler, _)| {
                let known = crawler.known();
                known.is_some_and(|known| known.purposes().contains(purpose))
            });
            let of_purpose = of_purpose.map(|(crawler, counts)| (crawler.label(), counts));
            all.push((purpose.as_str(), of_purpose.collect()));
        }
        let others = rows().filter(|(crawler, _)| {
            crawler
                .known()
                .is_none_or(|known: &KnownCrawler| known.purposes().is_empty())
        });
        let others = others.map(|(crawler, counts)| (crawler.label(), counts));
        all.push(("others", others.collect()));
        all.retain(|(_, rows)| !rows.is_empty());
        all
    }
}

impl fmt::Display for ClassCounts {
    /// Displays the sums over all crawlers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let crawlers = CountOf(self.crawlers.len() as u64, "crawler", "crawlers");
        let answers: u64 = self.counts.iter().flatten().sum();
        let answers = CountOf(answers, "answer", "answers");
        write!(
            f,
            "{}: for {crawlers}, {answers} to what is disallowed:",
            self.bodies()
        )?;
        for (nth, (_, word)) in CLASSES.iter().enumerate() {
            let sum: u64 = self.counts.iter().map(|counts| counts[nth]).sum();
            let comma = if nth == 0 { "" } else { "," };
            write!(f, "{comma} {sum} {word}")?;
        }
        Ok(())
    }
}
