//! Lints of files and of responses: places are within the body and in order, fixes are idempotent, and fixes
//! that claim to keep the meaning do.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger::{Crawler, Dialect, Effect, RobotsTxt, TargetPath};
use verger_access::{Hop, Illegible, Outcome, Reply};
use verger_fuzz::question;
use verger_lint::{Fixing, Linted, OtherFetch, Served, ServedFetch, fixed};

/// Derives the response from the body: its first lines are also headers, and its length selects the status.
fn served(body: &[u8], url: &[u8]) -> Served {
    let outcomes = [
        Outcome::Successful(Reply::Http(200)),
        Outcome::Illegible(Reply::Http(200), Illegible::Page),
        Outcome::Error(Reply::Http(404)),
        Outcome::ErrorSayingNotFound(Reply::Http(503)),
    ];
    let outcome = outcomes[body.len() % outcomes.len()];
    let lines = body.split(|&byte| byte == b'\n').take(16);
    let headers = lines.filter_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = String::from_utf8_lossy(&line[..colon]);
        Some((
            name.trim().to_ascii_lowercase(),
            line[colon + 1..].trim_ascii().to_vec(),
        ))
    });
    let hops = ["http://h.example/robots.txt", &String::from_utf8_lossy(url)];
    let other = |name: &str, nth: usize| OtherFetch {
        name: name.to_owned(),
        outcome: outcomes[(body.len() + nth) % outcomes.len()],
        body: Some(body[..body.len() / (nth + 1)].to_vec()),
    };
    Served {
        origin: Some("https://h.example".to_owned()),
        fetch: Some(ServedFetch {
            hops: hops
                .into_iter()
                .filter_map(|url| Hop::from_reply(url, Some(Reply::Http(301))))
                .collect(),
            outcome,
            headers: headers.collect(),
            stated_lifetime: None,
        }),
        variants: vec![
            other("https://www.h.example/robots.txt", 0),
            other("http://h.example/robots.txt", 1),
        ],
        as_crawlers: vec![other("gptbot", 2)],
    }
}

fn effect(robots: &[u8], name: &str, url: &[u8], dialect: Dialect) -> Option<Effect> {
    let crawler = Crawler::named(name, dialect).ok()?;
    let target = TargetPath::new(url, dialect).ok()?;
    let policy = RobotsTxt::parse(robots, dialect).policy(&crawler);
    Some(policy.decide(&target).effect())
}

fuzz_target!(|input: &[u8]| {
    let (body, name, url) = question(input);
    for served in [Served::default(), served(body, url)] {
        hold(body, &name, url, &served);
    }
});

fn hold(body: &[u8], name: &str, url: &[u8], served: &Served) {
    let file = Linted::new(body, served);
    let mut from = 0;
    for finding in file.findings() {
        assert!(from <= finding.span().start, "{}: order", finding.code);
        from = finding.span().start;
        for place in finding.spans.iter().chain(&finding.further) {
            assert!(place.span.start <= place.span.end, "{}", finding.code);
            assert!(place.span.end as usize <= body.len(), "{}", finding.code);
        }
    }
    for fixing in [Fixing::KeepingMeaning, Fixing::All] {
        let once = fixed(body, served, fixing, |_| true).body;
        let twice = fixed(&once, served, fixing, |_| true).body;
        assert_eq!(once, twice, "{fixing:?}");
        if fixing == Fixing::KeepingMeaning {
            for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019] {
                let [before, after] = [body, &once].map(|it| effect(it, name, url, dialect));
                assert_eq!(before, after, "{dialect}");
            }
        }
    }
}
