use crate::known_crawler::KnownCrawler;
use verger::{Dialect, Reading};

/// Which dialect each crawler is judged in.
///
/// ```
/// use verger::{Dialect, Reading};
/// use verger_crawlers::{CrawlerQuery, ReadAs};
///
/// let rfc9309 = Reading::new(Dialect::Rfc9309);
/// let googlebot = CrawlerQuery::Name("googlebot".to_owned());
/// let by_operator = googlebot.resolve_one(ReadAs::Operator(rfc9309))?;
/// assert_eq!(by_operator.reading(rfc9309).dialect(), Dialect::Google);
/// let stated = googlebot.resolve_one(ReadAs::Stated(rfc9309))?;
/// assert_eq!(stated.reading(rfc9309).dialect(), Dialect::Rfc9309);
/// # Ok::<(), verger_crawlers::CrawlerQueryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// Every crawler in this reading, because someone stated a dialect.
    Stated(Reading),
    /// Each known crawler in the dialect of its operator ([`KnownCrawler::dialect`]) with the
    /// options of this reading, and every other crawler in this reading.
    Operator(Reading),
}

impl ReadAs {
    /// Returns the reading for crawlers that the registry does not know.
    #[must_use]
    pub const fn reading(self) -> Reading {
        match self {
            Self::Stated(reading) | Self::Operator(reading) => reading,
        }
    }

    /// Returns the reading for a known crawler.
    #[must_use]
    pub fn of_known(self, known: &KnownCrawler) -> Reading {
        match self {
            Self::Stated(reading) => reading,
            Self::Operator(reading) => reading.in_dialect(known.dialect()),
        }
    }
}

impl Default for ReadAs {
    /// As each operator reads, and RFC 9309 for unknown crawlers.
    fn default() -> Self {
        Self::Operator(Reading::default())
    }
}

impl From<Reading> for ReadAs {
    fn from(reading: Reading) -> Self {
        Self::Stated(reading)
    }
}

impl From<Dialect> for ReadAs {
    fn from(dialect: Dialect) -> Self {
        Self::Stated(dialect.into())
    }
}
