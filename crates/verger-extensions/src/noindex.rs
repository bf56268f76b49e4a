//! `Noindex`: never official, and unused since Google dropped it in 2019 (V-80).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::records_for::records_for;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};

/// A path to be kept out of the index. No crawler is known to read it. Use an `X-Robots-Tag:
/// noindex` header or a robots meta element on the page instead. V-80.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noindex<'r> {
    line: LineNumber,
    pattern: &'r [u8],
}

impl<'r> Noindex<'r> {
    /// Returns the path-pattern as written.
    #[must_use]
    pub fn pattern(&self) -> &'r [u8] {
        self.pattern
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

impl fmt::Display for Noindex<'_> {
    /// Writes the pattern. Invalid UTF-8 is replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.pattern))
    }
}

/// Returns the Noindex lines of the groups that apply to `crawler`, in file order. Lines without a
/// path are left out. V-80.
#[must_use]
pub fn noindex<'r>(robots: &'r RobotsTxt, crawler: &Crawler) -> Vec<Noindex<'r>> {
    records_for(robots, crawler, RecordKind::Noindex)
        .filter(|record| !record.value().is_empty())
        .map(|record| Noindex {
            line: record.line(),
            pattern: record.value(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use verger::Dialect;

    #[test]
    fn patterns_are_given_as_written() {
        let body = "User-agent: *\nNoindex: /a%2fB*\nNoindex:\nDisallow: /\nnoindex: x";
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let lines = noindex(&robots, &Crawler::unnamed());
        let patterns: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(patterns, ["/a%2fB*", "x"]);
        assert_eq!(lines[1].line().get(), 5);
    }
}
