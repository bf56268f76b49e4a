//! Fetches pages from the hostile origin: redirects are not followed, and endless pages cost a mebibyte.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use verger_access::{Authority, BodyEnd, Override};
use verger_answer::PacingBounds;
use verger_client::{AddressGuard, Client, TransportSettings, one_thread_runtime};
use verger_inputs::{FetchedPage, PAGE_BYTES_MAX, PageFetcher, SiteOwner};
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
        FetchedPage::Failed(error) => format!("failed {:?}", error.failure().unwrap()),
        _ => unreachable!(),
    }
}

#[test]
fn a_page_of_any_kind_is_bounded() {
    let origin = Origin::start().unwrap();
    let cut = format!("200 {PAGE_BYTES_MAX}+");
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
        let error = runtime
            .block_on(fetcher.fetch(url, SiteOwner::Asker))
            .unwrap_err();
        assert_eq!(error.to_string(), "it is not an http or https URL", "{url}");
    }
}
