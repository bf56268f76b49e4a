//! `SitemapChecker`: whether crawlers may fetch every URL of a sitemap.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use verger::{Dialect, RobotsTxt};
use verger_access::{Authority, Timestamp};
use verger_answer::ResolvedCrawler;
use verger_owner::{
    CheckedSitemap, ClaimEnd, ClaimReport, SitemapChecker, SitemapReader, SitemapSource,
    SitemapToCheck,
};

/// Files by name and web resources by URL.
#[derive(Default)]
struct Sources(BTreeMap<String, String>);

impl Sources {
    fn of(there: &[(&str, &str)]) -> Self {
        let there = there.iter();
        Self(
            there
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
        )
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let text = self.0.get(name);
        text.map_or_else(|| Err("status 404".into()), |text| Ok(text.clone().into()))
    }
}

impl SitemapReader for Sources {
    fn sitemap(&mut self, source: &SitemapSource, is_argument: bool) -> Result<Vec<u8>, ReadError> {
        let name = source.to_string();
        let root = ["index.xml", "list.txt"]
            .iter()
            .any(|it| name.ends_with(it));
        assert_eq!(is_argument, root, "{name}");
        self.get(&name)
    }

    fn beside(&self, _: &Path, path: &Path) -> Option<PathBuf> {
        self.0.contains_key(path.to_str()?).then(|| path.to_owned())
    }

    fn robots(&mut self, site: &Authority) -> Result<Vec<u8>, ReadError> {
        let url = site.robots_url();
        self.get(url.as_str())
            .map_err(|why| format!("{url}: {why}").into())
    }
}

/// Checks a sitemap for a crawler that no group names. `robots` is a local file and its site, if
/// named.
fn check(sources: Sources, sitemap: &str, robots: Option<(&str, Option<&str>)>) -> [ClaimEnd; 2] {
    let mut checker = SitemapChecker::new(
        sources,
        Dialect::Rfc9309.into(),
        Timestamp::from_unix_seconds(0),
    );
    if let Some((body, site)) = robots {
        let site = site.map(|site| Authority::from_url(site).unwrap());
        checker.take_robots(RobotsTxt::parse(body, Dialect::Rfc9309), site.as_ref());
    }
    ends(checker.check(SitemapToCheck {
        crawlers: vec![ResolvedCrawler::unnamed()],
        sitemap: SitemapSource::from_argument(&sitemap.into()).unwrap(),
        why: None,
        line: None,
        indexable: false,
    }))
}

/// Returns whether the sitemap is valid, and whether everything it lists is allowed.
fn ends(checked: CheckedSitemap) -> [ClaimEnd; 2] {
    let report = ClaimReport {
        file: Path::new("robots.test.toml"),
        robots: String::new(),
        robots_file: None,
        beside: None,
        claims: Vec::new(),
        comparison: None,
        sitemaps: vec![checked],
        pages: Vec::new(),
        warnings: Vec::new(),
    };
    let ends: Vec<ClaimEnd> = report.answers().map(|it| it.result).collect();
    ends.try_into().unwrap()
}

fn index<'u>(urls: impl IntoIterator<Item = &'u String>) -> String {
    let urls = urls.into_iter();
    let urls = urls.map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"));
    format!("<sitemapindex>{}</sitemapindex>", urls.collect::<String>())
}

const SITE: &str = "https://site.example";
const CART: &str = "User-agent: *\nDisallow: /cart\n";
const PRIVATE: &str = "User-agent: *\nDisallow: /private\n";

fn two_sites() -> Sources {
    let listed = index([&format!("{SITE}/1.txt"), &format!("{SITE}/1.txt")]);
    Sources::of(&[
        ("https://site.example/robots.txt", CART),
        ("https://other.example/robots.txt", PRIVATE),
        ("https://site.example/index.xml", &listed),
        (
            "https://site.example/1.txt",
            "https://site.example/open\nhttps://site.example/cart\nhttps://other.example/open\n\
             https://other.example/private",
        ),
    ])
}

#[test]
fn every_url_is_held_to_the_file_of_its_own_site() {
    let sitemap = "https://site.example/index.xml";
    let cart = "https://site.example/cart is disallowed by line 2, Disallow: /cart";
    let private = "https://other.example/private is disallowed by line 2, Disallow: /private";
    let fails = |count: u32, which: &str| {
        ClaimEnd::Fails(format!("{count} of 4 URLs are disallowed: {which}"))
    };
    let [is_sitemap, allowed] = check(two_sites(), sitemap, None);
    assert_eq!(is_sitemap, ClaimEnd::Holds);
    assert_eq!(allowed, fails(2, &format!("{cart}; {private}")));
    // The local file applies to the sitemap's site or to the named one.
    let open = "User-agent: *\nAllow: /\n";
    let [_, allowed] = check(two_sites(), sitemap, Some((open, None)));
    assert_eq!(allowed, fails(1, private));
    let named = Some((open, Some("https://other.example/")));
    let [_, allowed] = check(two_sites(), sitemap, named);
    assert_eq!(allowed, fails(1, cart));
}

#[test]
fn an_entry_is_decided_and_shown_as_it_is_written() {
    let list = format!("{SITE}/cart/../open\n{SITE}/open/../cart\n{SITE}/caf\u{e9}|\n");
    let sources = Sources::of(&[("list.txt", &list)]);
    let robots = "User-agent: *\nDisallow: /cart\nDisallow: /*|\n";
    let [is_sitemap, allowed] = check(sources, "list.txt", Some((robots, Some(SITE))));
    assert_eq!(is_sitemap, ClaimEnd::Holds);
    let which = format!(
        "{SITE}/cart/../open is disallowed by line 2, Disallow: /cart; {SITE}/caf\u{e9}| is disallowed by line 3, \
         Disallow: /*|"
    );
    let fails = ClaimEnd::Fails(format!("2 of 3 URLs are disallowed: {which}"));
    assert_eq!(allowed, fails);
}

#[test]
fn a_site_that_cannot_be_reached_decides_nothing() {
    let sources = Sources::of(&[(
        "list.txt",
        "https://down.example/x\nhttps://site.example/\n",
    )]);
    let [is_sitemap, allowed] = check(sources, "list.txt", Some((CART, Some(SITE))));
    let why = ClaimEnd::NotDecided("https://down.example/robots.txt: status 404".to_owned());
    assert_eq!((is_sitemap, allowed), (why.clone(), why));
    // The remaining entries are still checked.
    let no_location = "list.txt: entries without `loc`: 1".to_owned();
    let cart = format!("{SITE}/cart is disallowed by line 2, Disallow: /cart");
    for (list, is_sitemap, allowed) in [
        (
            "<urlset><url/><url><loc>https://site.example/</loc></url></urlset>",
            ClaimEnd::Fails(no_location),
            ClaimEnd::Holds,
        ),
        (
            "https://site.example/cart",
            ClaimEnd::Holds,
            ClaimEnd::Fails(format!("1 of 1 URLs are disallowed: {cart}")),
        ),
    ] {
        let sources = Sources::of(&[("list.txt", list)]);
        let ends = check(sources, "list.txt", Some((CART, Some(SITE))));
        assert_eq!(ends, [is_sitemap, allowed]);
    }
}

#[test]
fn an_index_in_an_index_is_a_mistake() {
    let inner = index([&format!("{SITE}/3.xml")]);
    let listed = index([
        &format!("{SITE}/inner.xml"),
        &"mailto:a@site.example".to_owned(),
    ]);
    // A file name with an escape does not match a listed URL.
    let escaped = index([&format!("{SITE}/a%2Fb.txt")]);
    let sources = Sources::of(&[("index.xml", &escaped), ("a%2Fb.txt", "")]);
    let [is_sitemap, _] = check(sources, "index.xml", Some((CART, None)));
    let why = format!("{SITE}/a%2Fb.txt: status 404");
    assert_eq!(is_sitemap, ClaimEnd::NotDecided(why));
    let sources = Sources::of(&[("index.xml", &listed), ("inner.xml", &inner)]);
    let [is_sitemap, _] = check(sources, "index.xml", Some((CART, None)));
    let why = "an entry is not an http or https URL; inner.xml is an index inside an index: it lists \
               `https://site.example/3.xml`";
    assert_eq!(is_sitemap, ClaimEnd::Fails(why.to_owned()));
}

#[test]
fn the_limits_of_files_and_sites_are_named() {
    // The index is one more file: 1,000 are allowed.
    for (count, is_within) in [(999, true), (1_000, false)] {
        let names: Vec<String> = (1..=count).map(|it| format!("{SITE}/{it}.txt")).collect();
        let mut sources = Sources::default();
        sources.0.insert("index.xml".to_owned(), index(&names));
        let urls = names
            .iter()
            .map(|name| (name.clone(), format!("{SITE}/\n")));
        sources.0.extend(urls);
        let [_, allowed] = check(sources, "index.xml", Some((CART, Some(SITE))));
        let beyond =
            format!("`{SITE}/1000.txt`: not read, because the index lists more than 1000 files");
        let expected = if is_within {
            ClaimEnd::Holds
        } else {
            ClaimEnd::NotDecided(beyond)
        };
        assert_eq!(allowed, expected, "{count}");
    }
    for (count, is_within) in [(100, true), (101, false)] {
        let hosts: Vec<String> = (1..=count)
            .map(|it| format!("https://h{it}.example"))
            .collect();
        let mut sources = Sources::default();
        let list = hosts.iter().map(|host| format!("{host}/\n"));
        sources.0.insert("list.txt".to_owned(), list.collect());
        let robots = hosts
            .iter()
            .map(|host| (format!("{host}/robots.txt"), String::new()));
        sources.0.extend(robots);
        let [_, allowed] = check(sources, "list.txt", None);
        let beyond = "https://h101.example: not checked, because the sitemap has URLs of more than 100 sites";
        let expected = if is_within {
            ClaimEnd::Holds
        } else {
            ClaimEnd::NotDecided(beyond.to_owned())
        };
        assert_eq!(allowed, expected, "{count}");
    }
}

#[test]
fn only_urls_of_the_web_name_sitemaps() {
    let of = |text: &str| SitemapSource::from_argument(&text.into());
    assert!(matches!(of("maps/1.xml"), Ok(SitemapSource::File(_))));
    let url = of("https://me:secret@site.example/1.xml#x").unwrap();
    assert_eq!(url.to_string(), "https://site.example/1.xml");
    let error = of("ftp://site.example/1.xml").unwrap_err().to_string();
    assert!(error.contains("http:// or https://"), "{error}");
}
