//! How a body is read, and for which crawler.

#[cfg(not(feature = "owner"))]
use verger::Crawler;
use verger::{Reading, Star};
use verger_answer::ReadingOption;
#[cfg(feature = "owner")]
use verger_answer::{ReadAs, ResolvedCrawler};

use crate::failure::Failure;

/// Separates names. UTF-8 never contains it.
const BETWEEN_NAMES: u8 = 0xff;

/// Flags set by the package: two bits for the dialect, one for each reading option in the order of
/// [`ReadingOption::ALL`] from bit 2, then those of the crawler.
#[derive(Clone, Copy)]
pub(crate) struct Asked(u32);

const OPTIONS_FROM: u32 = 2;
const STAR_IGNORED: u32 = 1 << 8;
const UNION: u32 = 1 << 9;
#[cfg(feature = "owner")]
const AS_OPERATOR: u32 = 1 << 10;

impl Asked {
    pub(crate) fn of(word: u32) -> Self {
        Self(word)
    }

    pub(crate) fn reading(self) -> Reading {
        let dialect = match self.0 & 3 {
            1 => verger::Dialect::Google,
            2 => verger::Dialect::Draft2019,
            3 => verger::Dialect::Koster1996,
            _ => verger::Dialect::Rfc9309,
        };
        let options = (OPTIONS_FROM..).zip(ReadingOption::ALL);
        let asked_for = options.filter(|(bit, _)| self.0 >> bit & 1 == 1);
        asked_for.fold(dialect.into(), |reading, (_, option)| option.set(reading))
    }

    /// Returns how each crawler reads a file: in the dialect asked for, or as its operator reads.
    #[cfg(feature = "owner")]
    pub(crate) fn read_as(self) -> ReadAs {
        if self.0 & AS_OPERATOR == 0 {
            ReadAs::Stated(self.reading())
        } else {
            ReadAs::Operator(self.reading())
        }
    }

    fn star(self) -> Star {
        if self.0 & STAR_IGNORED == 0 {
            Star::Honoured
        } else {
            Star::Ignored
        }
    }
}

#[cfg(not(feature = "owner"))]
impl Asked {
    /// Returns the name if the crawler has exactly one and no flags.
    pub(crate) fn one_name(self, names: &[u8]) -> Option<&str> {
        if self.0 & (STAR_IGNORED | UNION) != 0 || names.contains(&BETWEEN_NAMES) {
            return None;
        }
        std::str::from_utf8(names).ok()
    }

    pub(crate) fn crawler(self, names: &[u8]) -> Result<Crawler, Failure> {
        let names = names.split(|byte| *byte == BETWEEN_NAMES);
        let names = names.map(String::from_utf8_lossy).collect::<Vec<_>>();
        let names = names.iter().map(AsRef::as_ref);
        let crawler = if self.0 & UNION == 0 {
            Crawler::named_in_order(names, self.reading())?
        } else {
            Crawler::union(names, self.reading()).map_err(Failure::argument)?
        };
        Ok(crawler.star(self.star()))
    }
}

#[cfg(feature = "owner")]
impl Asked {
    /// Returns the crawler with the facts that the JSON contains.
    pub(crate) fn resolved(self, names: &[u8]) -> Result<ResolvedCrawler, Failure> {
        let names = names.split(|byte| *byte == BETWEEN_NAMES);
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
        let names = names.collect::<Vec<_>>();
        let resolved = match &names[..] {
            _ if self.0 & UNION != 0 => ResolvedCrawler::from_union(&names, self.reading()),
            [name] => ResolvedCrawler::from_token(name, self.reading()),
            names => ResolvedCrawler::from_tokens(names, self.reading()),
        };
        Ok(resolved?.star(self.star()))
    }
}
