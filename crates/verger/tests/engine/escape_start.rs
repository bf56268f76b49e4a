//! A `%` at the end of a pattern or before a `*` is also the beginning of an escape: every way to ask
//! agrees with the oracle.

use proptest::prelude::*;
use verger::{Crawler, Dialect, PathPattern, Policy, Reading, TargetPath};
use verger_testkit::generate::exhaustive;
use verger_testkit::oracle::Oracle;
use verger_testkit::subject::{DialectName, Question, Subject};

use crate::subjects::Tree;

fn matches(pattern: &str, target: &(impl AsRef<[u8]> + ?Sized)) -> bool {
    let target = TargetPath::new(target, Dialect::Rfc9309).unwrap();
    let pattern = PathPattern::new(pattern, Dialect::Rfc9309).unwrap();
    pattern.matches(&target)
}

#[test]
fn a_percent_sign_at_the_end_begins_an_escape_of_the_url() {
    for (pattern, target) in [
        ("/itm/*/%", "/itm/x/%E6%97%A5"),
        ("/itm/*/%", "/itm/x/%25"),
        ("/itm/*/%", "/itm/x/%"),
        ("/query%", "/query%20x"),
        ("/query%", "/query x"),
        ("/query%", "/query\t"),
        ("/query%", "/query\u{7f}"),
        ("/query%2", "/query x"),
        ("*/search/%", "/search/%C3%A9"),
        ("*/search/%", "/de/search/é"),
        ("*/search/%c", "/search/é"),
        ("*/search/%C", "/search/%c3%a9"),
        ("/a%", "/a%26b"),
        ("/a%2", "/a%26b"),
        ("/a%3", "/a%3Cb"),
        ("/a%", "/a%%41"),
        ("/a%2", "/a%2Fb"),
        ("/a%2", "/a%25b"),
        ("/a%2", "/a%2"),
        ("/a%2", "/a%2zz"),
        ("/a%2*b", "/a%2Fb"),
        ("/a%2*b", "/a%2F%2Fxb"),
        ("/a%2*b", "/a%2zb"),
        ("/a%*b", "/a%C3%A9b"),
        ("/a%*b$", "/a%C3b"),
        ("/*?*=%", "/x?q=%2F"),
        ("/*?q%3D%2", "/x?q%3D%2F"),
        ("/*%26%2", "/x&%2F"),
        ("/*%", "/a/b%C3"),
        ("/%*%*%", "/%C3%A9%20"),
        ("/*%*b%2*%*c", "/%20%3Cab%2Fx%C3c"),
        ("/*%2*a*%", "/%25%2F2a<%20"),
        ("/100%-off", "/100%-off"),
        ("/100%-off", "/100%25-off"),
        ("/a%$", "/a%25"),
        ("/a%$", "/a%"),
        ("/a%*$", "/a%C3"),
    ] {
        assert!(matches(pattern, target), "{pattern} {target}");
    }
    for (pattern, target) in [
        ("/a%", "/a&b"),
        ("/a%2", "/a&b"),
        ("/a%2", "/a/b"),
        ("/a%", "/ab"),
        ("/a%", "/a%62"),
        ("/a%6", "/a%62"),
        ("/a%4", "/a%41"),
        ("/a%", "/a<b"),
        ("/a%3", "/a<b"),
        ("/a%2", "/a%b"),
        ("/a%3", "/a%2F"),
        ("/a%", "/x%C3"),
        ("/a%", "/aa%C3"),
        ("/a%2*F", "/a%2Fb"),
        ("/a%2*b", "/a%2b"),
        ("/a%*3", "/a%C3"),
        ("/a%*A", "/a%CA"),
        ("/a%*b$", "/a%C3bc"),
        ("/*?*=%", "/x=%2F?q"),
        ("/*?q%3D%2", "/x?q=%2F"),
        ("/100%-off", "/100%20-off"),
        ("/100%-off", "/100%C3"),
        ("/a%$", "/a%C3"),
        ("/a%2$", "/a%2F"),
        ("/%%C3", "/%C3%C3"),
        ("/%*%*%", "/%C3%A9"),
        ("/*%2*%2", "/%252"),
        ("/*%*a%*%", "/a%20%20"),
    ] {
        assert!(!matches(pattern, target), "{pattern} {target}");
    }
}

#[test]
fn the_specificity_is_that_of_the_written_out_percent_sign() {
    for (pattern, bytes) in [("/a%", 5), ("/a%2", 6), ("/a%*b", 7), ("/*/%E*", 8)] {
        let pattern = PathPattern::new(pattern, Dialect::Rfc9309).unwrap();
        assert_eq!(pattern.specificity().bytes(), bytes);
    }
}

/// Every way answers each target as the oracle does. The second time it does so by an index.
fn assert_as_the_oracle_says(value: &[u8], targets: &[Vec<u8>], dialect: DialectName) {
    let robots = [b"User-agent: *\nDisallow: ", value].concat();
    let reading = Reading::new(dialect.as_str().parse().unwrap());
    let crawler = Crawler::unnamed();
    let policy = Policy::read(&robots, &crawler, reading);
    let pattern = PathPattern::new(value, reading).ok();
    let expected: Vec<bool> = targets
        .iter()
        .map(|url| {
            let agents = ["*".to_owned()];
            let question = Question {
                dialect,
                robots: &robots,
                agents: &agents,
                url,
            };
            Oracle.answer(&question).unwrap().allowed
        })
        .collect();
    for _ in 0..2 {
        for (url, &allowed) in targets.iter().zip(&expected) {
            let shown = || format!("{} {}", value.escape_ascii(), url.escape_ascii());
            let target = TargetPath::new(url, reading).unwrap();
            assert_eq!(
                policy.decide(&target).is_allowed(),
                allowed,
                "policy: {}",
                shown()
            );
            let matches = pattern.as_ref().is_some_and(|it| it.matches(&target));
            assert_eq!(matches, !allowed, "pattern: {}", shown());
            let effect = verger::scan::effect_for_crawler(&robots, &crawler, &target, reading);
            assert_eq!(
                effect == verger::Effect::Allow,
                allowed,
                "one pass: {}",
                shown()
            );
        }
    }
    assert!(policy.has_index() || policy.rule_count() == 0);
}

#[test]
fn every_short_pattern_matches_as_the_oracle_says() {
    let parts: [&[u8]; 13] = [
        b"a", b"2", b"e", b"%", b"%2F", b"%26", b"&", b"?", b"%e9", b"\xE9", b"<", b"%3C", b"%61",
    ];
    let numbers: Vec<u8> = (0..13).collect();
    let targets = (0..=3)
        .flat_map(|length| exhaustive(&numbers, length))
        .map(|numbers| {
            let parts = numbers.iter().map(|number| parts[usize::from(*number)]);
            [b"/".to_vec(), parts.collect::<Vec<_>>().concat()].concat()
        });
    let targets: Vec<_> = targets.collect();
    let values = (1..=4).flat_map(|length| exhaustive(b"%2e*$&", length));
    for (nth, value) in values.filter(|value| value.contains(&b'%')).enumerate() {
        let value = [b"/", &*value].concat();
        // Each pattern is asked about a seventh of the targets, each about others.
        let some: Vec<_> = targets.iter().skip(nth % 17).step_by(17).cloned().collect();
        assert_as_the_oracle_says(&value, &some, DialectName::Rfc9309);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn rules_of_all_kinds_decide_as_the_oracle_says(
        rules in prop::collection::vec(
            "(Allow|Disallow): [/*]([a2E/?&=]|\\*|%2F|é|%|%[2eC]|%[2eC]?\\*){0,5}(%|%[2eC3]|\\$)?",
            1..8,
        ),
        target in "/([a2E/?&=<]|%[2c]|%26|%2f|%3D|%3C|%61|%C3|%|é| ){0,7}",
    ) {
        let robots = ["User-agent: *\n", &rules.join("\n")].concat();
        for dialect in DialectName::ALL {
            let agents = ["*".to_owned()];
            let question = Question {
                dialect,
                robots: robots.as_bytes(),
                agents: &agents,
                url: target.as_bytes(),
            };
            prop_assert_eq!(Tree.answer(&question), Oracle.answer(&question), "{} {}", robots, target);
        }
    }
}
