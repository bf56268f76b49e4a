//! Lints: places are within the body and in order, fixes are idempotent, and those that keep the meaning
//! keep it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger::{Crawler, Dialect, Effect, RobotsTxt, TargetPath};
use verger_fuzz::question;
use verger_lint::{Fixing, Linted, Served, fixed};

fn effect(robots: &[u8], name: &str, url: &[u8], dialect: Dialect) -> Option<Effect> {
    let crawler = Crawler::named(name, dialect).ok()?;
    let target = TargetPath::new(url, dialect).ok()?;
    let policy = RobotsTxt::parse(robots, dialect).policy(&crawler);
    Some(policy.decide(&target).effect())
}

fuzz_target!(|input: &[u8]| {
    let (body, name, url) = question(input);
    let served = Served::default();
    let file = Linted::new(body, &served);
    let mut from = 0;
    for finding in file.findings() {
        assert!(from <= finding.span().start, "{}: order", finding.code);
        from = finding.span().start;
        for place in &finding.spans {
            assert!(place.span.start <= place.span.end, "{}", finding.code);
            assert!(place.span.end as usize <= body.len(), "{}", finding.code);
        }
    }
    for fixing in [Fixing::KeepingMeaning, Fixing::All] {
        let once = fixed(body, &served, fixing, |_| true).body;
        let twice = fixed(&once, &served, fixing, |_| true).body;
        assert_eq!(once, twice, "{fixing:?}");
        if fixing == Fixing::KeepingMeaning {
            for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019] {
                let [before, after] = [body, &once].map(|it| effect(it, &name, url, dialect));
                assert_eq!(before, after, "{dialect}");
            }
        }
    }
});
