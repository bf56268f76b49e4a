//! One question, asked in every way and in every state of the engine.

use verger::{Crawler, Dialect, Policy, Reading, Reason, RobotsTxt, TargetPath, Verdict};

/// Asserts that an index gives the same answer. It takes some hundred questions to build one.
pub fn ask_with_index(policy: &Policy, target: &TargetPath<'_>, verdict: Verdict) {
    let policy = policy.clone();
    // An exempt target is not compared.
    let others = ["/x", "/x/y"].map(|path| TargetPath::new(path, Dialect::Rfc9309).unwrap());
    while policy.rule_count() > 0 && !policy.has_index() {
        for target in others.iter().chain([target]) {
            let _ = policy.decide(target);
        }
    }
    assert_eq!(policy.decide(target), verdict, "by the index");
}

/// Decides in every way without an index, asserts that all agree, and returns the policy of the
/// tree and its verdict.
pub fn ask_every_way(
    body: &[u8],
    crawler: &Crawler,
    target: &TargetPath<'_>,
    reading: Reading,
) -> (Policy, Verdict) {
    let shown = || format!("{reading:?}, {crawler:?}\n{}", body.escape_ascii());
    let robots = RobotsTxt::parse(body, reading);
    let policy = robots.policy(crawler);
    let verdict = policy.decide(target);

    let plain = robots.matching_rules(crawler, target);
    let rule = verdict.rule().and_then(|id| policy.rule(id));
    if verdict.reason() != Reason::RobotsTxtItself {
        let deciding = plain.first().map(|matching| matching.rule);
        assert_eq!(rule, deciding, "every rule: {}", shown());
    }
    assert_eq!(rule.map(|rule| rule.line), verdict.line());

    let read = Policy::read(body, crawler, reading);
    assert_eq!(read.decide(target), verdict, "without a tree: {}", shown());
    assert!(
        read.rules().eq(policy.rules()),
        "without a tree: {}",
        shown()
    );

    let in_one_pass = verger::scan::verdict_for_crawler(body, crawler, target, reading);
    let of_pass = (in_one_pass.effect(), in_one_pass.reason());
    assert_eq!(
        of_pass,
        (verdict.effect(), verdict.reason()),
        "in one pass: {}",
        shown()
    );
    let of_pass = (
        in_one_pass.line(),
        in_one_pass.pattern(),
        in_one_pass.group(),
    );
    let pattern = rule.map(|rule| rule.pattern);
    let expected = (verdict.line(), pattern, verdict.group());
    assert_eq!(of_pass, expected, "in one pass: {}", shown());
    assert_eq!(in_one_pass.to_string(), verdict.to_string());

    let effect = verger::scan::effect_for_crawler(body, crawler, target, reading);
    assert_eq!(effect, verdict.effect(), "the effect: {}", shown());
    (policy, verdict)
}

#[test]
fn threads_that_ask_one_policy_are_answered_as_one_is() {
    let rules = (0..300).map(|number| match number % 3 {
        0 => format!("Disallow: /a/{number}\n"),
        1 => format!("Allow: /a/*{number}$\n"),
        _ => format!("Disallow: /*b{number}/\n"),
    });
    let body = format!("User-agent: *\n{}", rules.collect::<String>());
    let urls: Vec<String> = (0..300)
        .map(|number| format!("/a/{number}/b{}/{}", number / 2, number / 3))
        .collect();
    let targets = urls
        .iter()
        .map(|url| TargetPath::new(url, Dialect::Rfc9309).unwrap());
    let targets: Vec<_> = targets.collect();
    for _ in 0..20 {
        let policy = Policy::read(&body, &Crawler::unnamed(), Dialect::Rfc9309);
        std::thread::scope(|scope| {
            for first in [0, 1, 2, 150] {
                let (policy, targets, body) = (&policy, &targets, &body);
                scope.spawn(move || {
                    for target in targets.iter().cycle().skip(first).take(600) {
                        let alone = Policy::read(body, &Crawler::unnamed(), Dialect::Rfc9309);
                        assert_eq!(policy.decide(target), alone.decide(target));
                    }
                });
            }
        });
        assert!(policy.has_index());
    }
}
