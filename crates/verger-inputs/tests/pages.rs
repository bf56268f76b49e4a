//! Fetches pages from the hostile origin: redirects are not followed, and endless pages cost a mebibyte. Pages are kept in
//! memory and in files.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use verger_access::{Authority, BodyEnd, Override, Timestamp};
use verger_answer::{PacingBounds, ResponseHead};
use verger_client::{AddressGuard, Client, TransportSettings, one_thread_runtime};
use verger_html::PAGE_BYTES_MAX;
use verger_inputs::{FetchedPage, KeptPages, PageFetcher, PageRecord, SiteOwner};
use verger_origin::Origin;

/// A deadline that no expected reply reaches, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

fn settings(origin: &Origin) -> TransportSettings {
    let mut settings = TransportSettings::new("Verger/0 (test)");
    settings.guard = AddressGuard::default().allowing("127.0.0.1/32".parse().unwrap());
    settings.root_certificates = vec![origin.root_certificate_der().to_vec()];
    settings
}

fn fetcher(origin: &Origin, overrides: &[&str]) -> PageFetcher {
    let transport = verger_client::NetworkTransport::new(settings(origin)).unwrap();
    let mut client = Client::over(std::sync::Arc::new(transport));
    for name in overrides {
        let site = Authority::from_url(&origin.url(name)).unwrap();
        client = client.override_site(site, Override::Open);
    }
    PageFetcher::new(
        client.build().unwrap(),
        settings(origin),
        "Verger".parse().unwrap(),
        PATIENCE,
        PacingBounds::default(),
    )
    .unwrap()
}

/// Describes a result as `status, bytes of the body, whether there are more`, or `failed KIND`.
fn in_short(page: &FetchedPage) -> String {
    match page {
        FetchedPage::Response(it) => {
            let head = std::str::from_utf8(&it.head).unwrap();
            let status = head.split_whitespace().nth(1).unwrap();
            let more = ["", "+"][usize::from(it.body_end != BodyEnd::Whole)];
            format!("{status} {}{more}", it.body.len())
        }
        FetchedPage::Disallowed(denied) => denied.to_string(),
        FetchedPage::Failed(error) => match error.failure() {
            Some(failure) => format!("failed {failure:?}"),
            None => error.to_string(),
        },
        _ => unreachable!(),
    }
}

#[test]
fn a_page_of_any_kind_is_bounded() {
    let origin = Origin::start().unwrap();
    // The one byte more tells a page that is longer from one that is not.
    let cut = format!("200 {}+", PAGE_BYTES_MAX + 1);
    let expected = [
        ("usual", "200 34"),
        ("body-endless", &cut),
        ("body-endless-line", &cut),
        ("brotli-bomb", &cut),
        ("status-404", "404 0"),
        ("status-503", "503 0"),
        ("redirects-1", "301 0"),
        ("redirect-endless-body", "301 0"),
        ("headers-endless", "failed Protocol"),
        ("header-line-endless", "failed Protocol"),
        ("length-cut", "failed Truncated"),
        ("gzip-that-is-none", "failed ContentEncoding"),
        ("connection-refused", "failed Connect"),
        ("http2-usual", "200 34"),
    ];
    let fetcher = fetcher(&origin, &expected.map(|(name, _)| name));
    let runtime = one_thread_runtime().unwrap();
    for (name, expected) in expected {
        let url = format!("{}#part", origin.url(name));
        let page = runtime.block_on(fetcher.fetch(&url, SiteOwner::Other));
        assert_eq!(in_short(&page.unwrap()), expected, "{name}");
    }
    assert_eq!(origin.requests("redirects-1"), 1);
    let request = &origin.request_heads("usual")[0];
    assert!(
        request.starts_with("GET /robots.txt HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains("user-agent: Verger/0 (test)\r\n"),
        "{request}"
    );
    assert_eq!(request.matches("accept: ").count(), 1, "{request}");
}

#[test]
fn a_head_is_as_it_was_sent() {
    let origin = Origin::start().unwrap();
    let names = ["redirects-1", "http2-usual"];
    let fetcher = fetcher(&origin, &names);
    let runtime = one_thread_runtime().unwrap();
    let head = |name: &str| {
        let page = runtime.block_on(fetcher.fetch(&origin.url(name), SiteOwner::Other));
        let FetchedPage::Response(page) = page.unwrap() else {
            panic!("{name}")
        };
        String::from_utf8(page.head).unwrap()
    };
    let sent = head("redirects-1");
    assert!(
        sent.starts_with("HTTP/1.1 301 Moved Permanently\r\nLocation: "),
        "{sent}"
    );
    assert!(sent.ends_with("\r\nConnection: close\r\n\r\n"), "{sent}");
    let written = head("http2-usual");
    assert!(written.starts_with("HTTP/1.1 200\r\n"), "{written}");
    assert!(
        written.contains("\r\ncontent-type: text/plain"),
        "{written}"
    );
}

#[test]
fn robots_txt_is_asked_unless_the_site_is_the_askers() {
    let origin = Origin::start().unwrap();
    let fetcher = fetcher(&origin, &[]);
    let runtime = one_thread_runtime().unwrap();
    let fetch = |path: &str, owner| {
        let url = origin.url("usual").replace("/robots.txt", path);
        in_short(&runtime.block_on(fetcher.fetch(&url, owner)).unwrap())
    };
    let said = fetch("/private/x", SiteOwner::Other);
    assert!(said.ends_with("/private/x: disallowed by line 2"), "{said}");
    assert_eq!(origin.requests("usual"), 1);
    assert_eq!(fetch("/open", SiteOwner::Other), "200 34");
    assert_eq!(fetch("/private/x", SiteOwner::Asker), "200 34");
    // Each page once, and robots.txt once.
    assert_eq!(origin.requests("usual"), 3);
    for url in ["ftp://h.example/a", "mailto:a@h.example", "/a", ""] {
        let page = runtime.block_on(fetcher.fetch(url, SiteOwner::Asker));
        let said = in_short(&page.unwrap());
        assert_eq!(said, "only http and https pages are fetched", "{url}");
    }
}

const NOW: Timestamp = Timestamp::from_unix_seconds(1_000_000);
const EARLIER: Timestamp = Timestamp::from_unix_seconds(900_000);

/// Returns the record of a page with this directive and body.
fn record(url: &str, directive: &str, body: &[u8]) -> PageRecord {
    let field = (b"X-Robots-Tag".to_vec(), directive.as_bytes().to_vec());
    PageRecord::new(url, NOW, &ResponseHead::new(200, [field]), body)
}

/// Returns the first directive of a page.
fn directive(pages: &KeptPages, url: &str) -> Option<String> {
    let facts = pages.facts(url)?;
    facts.directives().iter().next().map(ToString::to_string)
}

/// Returns a path at which there is nothing. Names differ between tests.
fn new_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_page_is_kept_by_the_url_that_is_requested() {
    let path = new_path("kept-by-url");
    let in_file = KeptPages::open(&path, EARLIER).unwrap();
    for mut pages in [KeptPages::default(), in_file] {
        let cut = [b"<head>".to_vec(), vec![b' '; PAGE_BYTES_MAX]].concat();
        let urls = ["https://h.example/a#b", "https://h.example/c"];
        pages.put(&record(urls[0], "noindex", &cut)).unwrap();
        pages.put(&record(urls[1], "nofollow", b"")).unwrap();
        for (url, expected) in [
            ("https://H.example/a", Some("noindex")),
            ("https://me@h.example:443/a#d", Some("noindex")),
            ("https://h.example/c", Some("nofollow")),
            ("https://h.example/a?", None),
            ("mailto:a@h.example", None),
        ] {
            assert_eq!(directive(&pages, url).as_deref(), expected, "{url}");
        }
        let is_cut = urls.map(|url| pages.facts(url).unwrap().is_cut());
        assert_eq!(is_cut, [true, false]);
    }
    let again = KeptPages::open(&path, EARLIER).unwrap();
    let found = directive(&again, "https://h.example/a");
    assert_eq!(found.as_deref(), Some("noindex"));
    let later = KeptPages::open(&path, Timestamp::from_unix_seconds(1_000_001)).unwrap();
    assert_eq!(directive(&later, "https://h.example/a"), None);
}

#[test]
fn what_a_killed_run_leaves_is_read() {
    let whole = new_path("kept-whole");
    let urls = ["https://h.example/1", "https://h.example/2"];
    let mut pages = KeptPages::open(&whole, EARLIER).unwrap();
    for url in urls {
        pages.put(&record(url, "noindex", b"")).unwrap();
    }
    let whole = fs::read(whole).unwrap();
    let first_line = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let cut = new_path("kept-cut");
    for length in 0..whole.len() {
        // Bytes that are not text are as good as half a line.
        for end in [&b""[..], b"\xff\0"] {
            let start = [&whole[..length], end].concat();
            let is_own = end.is_empty() || length >= first_line;
            fs::write(&cut, &start).unwrap();
            let opened = KeptPages::open(&cut, EARLIER);
            assert_eq!(opened.is_ok(), is_own, "{length}");
            let Ok(mut pages) = opened else {
                assert_eq!(fs::read(&cut).unwrap(), start);
                continue;
            };
            pages.put(&record(urls[1], "nofollow", b"")).unwrap();
            drop(pages);
            assert!(fs::read(&cut).unwrap().starts_with(&start), "{length}");
            let pages = KeptPages::open(&cut, EARLIER).unwrap();
            assert_eq!(
                directive(&pages, urls[1]).as_deref(),
                Some("nofollow"),
                "{length}"
            );
            let is_first_whole = whole.iter().take(length).filter(|it| **it == b'\n').count() > 1;
            let is_first_kept = directive(&pages, urls[0]).is_some();
            assert!(is_first_kept || !is_first_whole, "{length}");
        }
    }
}

#[test]
fn a_file_of_something_else_is_left_as_it_is() {
    let path = new_path("kept-other");
    for text in [
        &b"User-agent: *\nDisallow:\n"[..],
        b"no line end",
        b"\n",
        b"\xff\xfe",
        b"{\"url\":\"https://h.example/\",\"at\":1000000}\n",
    ] {
        fs::write(&path, text).unwrap();
        let error = KeptPages::open(&path, EARLIER).unwrap_err();
        let said = error.to_string();
        assert_eq!(said, "it does not have pages of an earlier run", "{text:?}");
        assert_eq!(fs::read(&path).unwrap(), text);
    }
    assert!(KeptPages::open(env!("CARGO_TARGET_TMPDIR").as_ref(), EARLIER).is_err());
}

#[test]
fn memory_is_bounded() {
    let path = new_path("kept-many");
    let in_file = KeptPages::open(&path, EARLIER).unwrap();
    // 64 MiB have space for 63 of them with their overhead.
    let long = "a".repeat(1 << 20);
    for (mut pages, last) in [(KeptPages::default(), 62), (in_file, 64)] {
        let url = |nth: usize| format!("https://h.example/{nth}");
        for nth in 0..65 {
            pages.put(&record(&url(nth), &long, b"")).unwrap();
        }
        let kept = [0, last, last + 1].map(|nth| pages.facts(&url(nth)).is_some());
        assert_eq!(kept, [true, true, false]);
    }
    fs::remove_file(path).unwrap();
}
