//! `License`: where a licence in Really Simple Licensing stands (RSL 1.0, protocol E8).

use alloc::string::String;
use core::fmt;

use super::absolute_url::is_absolute;
use crate::record::RecordKind;
use crate::robots_txt::{Record, RobotsTxt};
use crate::span::LineNumber;

/// A licence that the file names.
#[derive(Clone, Copy, Debug)]
pub struct License<'r> {
    record: Record<'r>,
}

impl<'r> License<'r> {
    /// The URL as written; it need not be percent-encoded.
    #[must_use]
    pub fn url(&self) -> &'r [u8] {
        self.record.value()
    }

    /// Whether the URL is absolute, as it must be; the host may be another one than the file's.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        is_absolute(self.url())
    }

    /// The line on which it stands.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.record.line()
    }

    /// The record that it is.
    #[must_use]
    pub fn record(&self) -> Record<'r> {
        self.record
    }
}

impl fmt::Display for License<'_> {
    /// The URL; octets that are not UTF-8 are replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.url()))
    }
}

impl RobotsTxt {
    /// The licences of the file in file order, whatever group they stand in, each as often as it
    /// is written; lines without a URL are left out. Protocol E8.
    pub fn licenses(&self) -> impl Iterator<Item = License<'_>> {
        self.records_of(RecordKind::License)
            .filter(|record| !record.value().is_empty())
            .map(|record| License { record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn licences_belong_to_the_file() {
        let robots = RobotsTxt::parse(
            "License: https://h.example/l\u{e9}.xml\nUser-agent: a\nlicense: l.xml\nLicense:\n",
            Dialect::Rfc9309,
        );
        let found: Vec<_> = robots
            .licenses()
            .map(|license| {
                (
                    license.line().get(),
                    license.to_string(),
                    license.is_absolute(),
                )
            })
            .collect();
        let expected = [
            (1, "https://h.example/l\u{e9}.xml".to_string(), true),
            (3, "l.xml".to_string(), false),
        ];
        assert_eq!(found, expected);
    }
}
