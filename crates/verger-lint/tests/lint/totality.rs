//! Lints accept any bytes, and findings stay within them.

use proptest::prelude::*;
use verger_access::Hop;
use verger_lint::{Fixing, Linted, Served, ServedFetch, fixed};
use verger_testkit::generate::{Rng, body};

fn assert_findings_are_within(body: &[u8]) {
    let file = Linted::new(body, &Served::default());
    let mut from = 0;
    for finding in file.findings() {
        assert!(!finding.spans.is_empty() && !finding.message.is_empty());
        assert!(!finding.message.ends_with('.'), "{}", finding.message);
        assert!(from <= finding.span().start, "the order of places");
        from = finding.span().start;
        for place in finding.spans.iter().chain(&finding.further) {
            assert!(place.span.start <= place.span.end, "{}", finding.code);
            assert!(place.span.end as usize <= body.len(), "{}", finding.code);
            let position = file.position(place.span.start);
            assert!(position.column >= 1 && position.line.get() >= 1);
        }
    }
    let _ = fixed(body, &Served::default(), Fixing::All, |_| true);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn generated_bodies(seed: u64) {
        assert_findings_are_within(&body(&mut Rng::new(seed)));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_findings_are_within(&bytes);
    }

    #[test]
    fn headers_of_odd_values(
        headers in prop::collection::vec(
            (
                "content-type|content-signal|content-usage|link",
                "(text/plain|<[a-z>;,\"]{0,4}>?|(ai-)?train(-ai)?|;|,|=|y|n|yes|no|charset|rel|license|\"|\\\\|#|\u{0}|é| ){0,9}",
            ),
            0..6,
        ),
        url in "(https?:)?/{0,3}[a-zA-Z.:@0-9]{0,9}/",
        seed: u64,
    ) {
        let header = |(name, value): (String, String)| (name, value.into_bytes());
        let served = Served {
            fetch: Some(ServedFetch {
                hops: [&url, "https://www.h.example"].into_iter().filter_map(|url| Hop::from_reply(url, None)).collect(),
                outcome: "successful http 200".parse().unwrap(),
                headers: headers.into_iter().map(header).collect(),
                stated_lifetime: None,
            }),
            ..Served::default()
        };
        let file = Linted::new(body(&mut Rng::new(seed)), &served);
        for finding in file.findings() {
            prop_assert!(!finding.message.is_empty() && !finding.message.ends_with('.'));
        }
    }

    #[test]
    fn lines_of_odd_values(
        lines in prop::collection::vec(
            "(User-agent|Disallow|Allow|Sitemap|Content-Signal|Content-Usage|Crawl-delay|Dissallow|X)\
             [:= ]{0,2}[a-z/*$%#(\\[|.^\\\\, é\u{0}:=0-9]{0,12}",
            0..12,
        )
    ) {
        assert_findings_are_within(lines.join("\n").as_bytes());
    }
}

#[test]
fn odd_starts() {
    for body in [
        &b""[..],
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBF\xEF\xBB\xBFUser-agent: *\nDisallow: /",
        b"\xEF\xBBUser-agent: *\nDisallow: /",
        b"\xFF\xFEU\0",
        b"\x1F\x8B\x08",
        b"\0\0\0",
        b"\r\r\n\n\r",
        b"<",
    ] {
        assert_findings_are_within(body);
    }
}
