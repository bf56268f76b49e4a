//! `Sitemap`: the URL of a list of the site's URLs (RFC 9309 2.2.4, SM-1).

use crate::url_record::UrlRecord;
use alloc::collections::BTreeSet;
use verger::{RecordKind, RobotsTxt};

/// Returns the sitemaps of the file in file order, whatever groups they are in. Relative URLs are
/// included. A repeated URL is returned once, with its first line. Lines without a URL are left
/// out. SM-1.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_extensions::sitemaps;
///
/// let body = "User-agent: *\nDisallow: /\nSitemap: https://example.com/s.xml # all\n";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// let sitemap = sitemaps(&robots).next().unwrap();
/// assert_eq!(sitemap.url(), b"https://example.com/s.xml");
/// assert!(sitemap.is_absolute());
/// ```
pub fn sitemaps(robots: &RobotsTxt) -> impl Iterator<Item = UrlRecord<'_>> {
    let mut seen = BTreeSet::new();
    robots
        .records_of(RecordKind::Sitemap)
        .filter_map(UrlRecord::of)
        .filter(move |sitemap| seen.insert(sitemap.url()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;
    use verger::Dialect;

    #[test]
    fn sitemaps_belong_to_the_file_and_are_given_once() {
        let robots = RobotsTxt::parse(
            "Sitemap: https://h.example/A%2fb.xml#frag\nUser-agent: *\nsitemap: /s.xml\n\
             SITEMAP: https://h.example/A%2fb.xml\nSitemap:\nSitemap: https://other.example/",
            Dialect::Rfc9309,
        );
        let found: Vec<_> = sitemaps(&robots)
            .map(|sitemap| (sitemap.line().get(), sitemap.to_string()))
            .collect();
        let expected = [
            (1, "https://h.example/A%2fb.xml"),
            (3, "/s.xml"),
            (6, "https://other.example/"),
        ];
        assert_eq!(found, expected.map(|(line, url)| (line, url.to_string())));
        let absolute: Vec<_> = sitemaps(&robots).map(|it| it.is_absolute()).collect();
        assert_eq!(absolute, [true, false, true]);
    }

    #[test]
    fn bytes_stay_as_they_are() {
        let robots = RobotsTxt::parse(b"Sitemap: http://h/\xFF%ff".as_slice(), Dialect::Google);
        let sitemap = sitemaps(&robots).next().unwrap();
        assert_eq!(sitemap.url(), b"http://h/\xFF%ff");
        assert_eq!(sitemap.to_string(), "http://h/\u{FFFD}%ff");
    }
}
