//! Any octets are linted, and what is found is within them.

use proptest::prelude::*;
use verger_lint::{Fixing, Linted, Served, fixed};
use verger_testkit::generate::{Rng, body};

fn assert_findings_are_within(body: &[u8]) {
    let file = Linted::new(body, &Served::default());
    let mut from = 0;
    for finding in file.findings() {
        assert!(!finding.spans.is_empty() && !finding.message.is_empty());
        assert!(!finding.message.ends_with('.'), "{}", finding.message);
        assert!(from <= finding.span().start, "the order of places");
        from = finding.span().start;
        for place in &finding.spans {
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
    fn any_octets(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_findings_are_within(&octets);
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
