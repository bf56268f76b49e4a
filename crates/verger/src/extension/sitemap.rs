//! `Sitemap`: where the URLs of a site are listed (RFC 9309 2.2.4, protocol E1).

use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt;

use super::absolute_url::is_absolute;
use crate::record::RecordKind;
use crate::robots_txt::{Record, RobotsTxt};
use crate::span::LineNumber;

/// A sitemap that the file names.
#[derive(Clone, Copy, Debug)]
pub struct Sitemap<'r> {
    record: Record<'r>,
}

impl<'r> Sitemap<'r> {
    /// The URL as written, never decoded, escaped or changed in case.
    #[must_use]
    pub fn url(&self) -> &'r [u8] {
        self.record.value()
    }

    /// Whether the URL is absolute, as it must be: with a scheme and an authority, which may be
    /// another one than the file's.
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

impl fmt::Display for Sitemap<'_> {
    /// The URL; octets that are not UTF-8 are replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.url()))
    }
}

impl RobotsTxt {
    /// The sitemaps of the file in file order, whatever group they stand in, relative ones
    /// included. A URL that is written several times is given once, at its first line; lines
    /// without a URL are left out. Protocol E1.
    ///
    /// ```
    /// use verger::{Dialect, RobotsTxt};
    ///
    /// let body = "User-agent: *\nDisallow: /\nSitemap: https://example.com/s.xml # all\n";
    /// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
    /// let sitemap = robots.sitemaps().next().unwrap();
    /// assert_eq!(sitemap.url(), b"https://example.com/s.xml");
    /// assert!(sitemap.is_absolute());
    /// ```
    pub fn sitemaps(&self) -> impl Iterator<Item = Sitemap<'_>> {
        let mut seen = BTreeSet::new();
        self.records_of(RecordKind::Sitemap)
            .filter(move |record| !record.value().is_empty() && seen.insert(record.value()))
            .map(|record| Sitemap { record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn sitemaps_belong_to_the_file_and_are_given_once() {
        let robots = RobotsTxt::parse(
            "Sitemap: https://h.example/A%2fb.xml#frag\nUser-agent: *\nsitemap: /s.xml\n\
             SITEMAP: https://h.example/A%2fb.xml\nSitemap:\nSitemap: https://other.example/",
            Dialect::Rfc9309,
        );
        let found: Vec<_> = robots
            .sitemaps()
            .map(|sitemap| (sitemap.line().get(), sitemap.to_string()))
            .collect();
        let expected = [
            (1, "https://h.example/A%2fb.xml"),
            (3, "/s.xml"),
            (6, "https://other.example/"),
        ];
        assert_eq!(found, expected.map(|(line, url)| (line, url.to_string())));
        let absolute: Vec<_> = robots.sitemaps().map(|it| it.is_absolute()).collect();
        assert_eq!(absolute, [true, false, true]);
    }

    #[test]
    fn octets_stay_as_they_are() {
        let robots = RobotsTxt::parse(b"Sitemap: http://h/\xFF%ff".as_slice(), Dialect::Google);
        let sitemap = robots.sitemaps().next().unwrap();
        assert_eq!(sitemap.url(), b"http://h/\xFF%ff");
        assert_eq!(sitemap.to_string(), "http://h/\u{FFFD}%ff");
    }
}
