//! Laws that hold whatever the file contains, each in the dialects for which it is true.

use std::fmt::Write as _;

use crate::ways::{ask_every_way, ask_with_index};
use proptest::prelude::*;
use verger::{Crawler, Dialect, Effect, Group, RobotsTxt, TargetPath};

/// A rule of a generated group.
#[derive(Clone, Debug)]
struct GeneratedRule {
    effect: Effect,
    pattern: String,
}

fn rule() -> impl Strategy<Value = GeneratedRule> {
    let effect = prop_oneof![Just(Effect::Allow), Just(Effect::Disallow)];
    let pattern = prop_oneof![
        9 => "[/*]([ab/?&=]|\\*|%2F|%62|é){0,6}\\$?",
        1 => Just(String::new()),
    ];
    (effect, pattern).prop_map(|(effect, pattern)| GeneratedRule { effect, pattern })
}

fn target() -> impl Strategy<Value = String> {
    "/([ab/?&=]|%2f|%61|é){0,6}"
}

fn lines_of(rules: &[GeneratedRule]) -> String {
    let mut lines = String::new();
    for GeneratedRule { effect, pattern } in rules {
        writeln!(lines, "{}: {pattern}", effect.as_str()).unwrap();
    }
    lines
}

fn effect(robots: &str, target: &str, dialect: Dialect) -> Effect {
    let crawler = Crawler::named("x", dialect).unwrap();
    let target = TargetPath::new(target, dialect).unwrap();
    let policy = RobotsTxt::parse(robots, dialect).policy(&crawler);
    policy.decide(&target).effect()
}

/// Writes the body anew from its tree: groups with their user-agent lines and rules.
fn rendered(robots: &RobotsTxt) -> Vec<u8> {
    let mut text = Vec::new();
    let mut line = |key: &str, value: &[u8]| {
        text.extend_from_slice(key.as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value);
        text.push(b'\n');
    };
    for group in robots.groups() {
        for agent in group.user_agents() {
            line("User-agent", agent.value());
        }
        for rule in group.rules() {
            line(rule.effect().as_str(), rule.pattern());
        }
        line("# end of the group", b"");
    }
    // A blank line ends a record in `koster1996` only.
    let comment = b"# end of the group: \n";
    let mut rendered = Vec::new();
    for part in text.split_inclusive(|&byte| byte == b'\n') {
        rendered.extend_from_slice(if part == comment { b"\n" } else { part });
    }
    rendered
}

/// Generates a rule from so few texts that equal ones, with either effect, are common. Many have a
/// wildcard after one of few heads.
fn common_rule() -> impl Strategy<Value = GeneratedRule> {
    let effect = prop_oneof![Just(Effect::Allow), Just(Effect::Disallow)];
    let pattern = "(/|/a|/ab|)\\*{1,2}(b|ab|a/b|%2F|\\?a)(\\*a)?\\$?|/(a|ab|a/b)?\\$?";
    (effect, pattern).prop_map(|(effect, pattern)| GeneratedRule { effect, pattern })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn every_way_decides_as_asking_every_rule_does(
        rules in prop::collection::vec(common_rule(), 0..40),
        target in "/([ab/]|\\?a|%2F){0,8}",
    ) {
        let body = format!("User-agent: x\n{}", lines_of(&rules));
        for &dialect in Dialect::ALL {
            let crawler = Crawler::named("x", dialect).unwrap();
            let target = TargetPath::new(&target, dialect).unwrap();
            let (policy, verdict) = ask_every_way(body.as_bytes(), &crawler, &target, dialect.into());
            ask_with_index(&policy, &target, verdict);
        }
    }
}

proptest! {
    #[test]
    fn a_rule_that_does_not_match_changes_no_effect(
        rules in prop::collection::vec(rule(), 0..6),
        target in target(),
    ) {
        let robots = format!("User-agent: x\n{}", lines_of(&rules));
        for &dialect in Dialect::ALL {
            let before = effect(&robots, &target, dialect);
            for added in ["Disallow: /never/there", "Allow: /never/there$", "Disallow:", "Allow:"] {
                let after = effect(&format!("{robots}{added}\n"), &target, dialect);
                prop_assert_eq!(before, after, "{} {:?} {}", dialect, added, robots);
            }
        }
    }

    #[test]
    fn the_order_of_rules_is_nothing_where_length_decides(
        (rules, shuffled) in prop::collection::vec(rule(), 0..6)
            .prop_flat_map(|rules| (Just(rules.clone()), Just(rules).prop_shuffle())),
        target in target(),
    ) {
        for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019] {
            let [one, other] = [&rules, &shuffled].map(|rules| {
                effect(&format!("User-agent: x\n{}", lines_of(rules)), &target, dialect)
            });
            prop_assert_eq!(one, other, "{}", dialect);
        }
    }

    #[test]
    fn a_named_group_may_be_split_in_two(
        rules in prop::collection::vec(rule(), 2..6),
        at in 0_usize..6,
        target in target(),
    ) {
        let (first, second) = rules.split_at(at.min(rules.len()));
        let whole = format!("User-agent: x\n{}", lines_of(&rules));
        let split = format!(
            "User-agent: x\n{}User-agent: y\nDisallow: /\nUser-agent: x\n{}",
            lines_of(first),
            lines_of(second),
        );
        for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019] {
            // A first part without rules would share those of the group after it.
            if first.is_empty() {
                continue;
            }
            prop_assert_eq!(
                effect(&whole, &target, dialect),
                effect(&split, &target, dialect),
                "{}", dialect
            );
        }
    }

    #[test]
    fn re_encoding_what_need_not_be_encoded_changes_nothing(
        rules in prop::collection::vec(rule(), 0..6),
        target in target(),
    ) {
        let robots = format!("User-agent: x\n{}", lines_of(&rules));
        let re_encoded_target = target.replace('a', "%61").replace('é', "%c3%A9");
        let re_encoded_robots = robots.replace("/a", "/%61").replace('é', "%C3%a9");
        for dialect in [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Koster1996] {
            let plain = effect(&robots, &target, dialect);
            prop_assert_eq!(plain, effect(&robots, &re_encoded_target, dialect), "{}", dialect);
            prop_assert_eq!(plain, effect(&re_encoded_robots, &target, dialect), "{}", dialect);
        }
    }

    #[test]
    fn a_tree_written_anew_says_the_same(seed: u64) {
        use verger_testkit::generate::{Rng, agent, body, url_for};
        let mut rng = Rng::new(seed);
        let (body, name) = (body(&mut rng), agent(&mut rng));
        let url = url_for(&mut rng, &body);
        for &dialect in Dialect::ALL {
            let Ok(target) = TargetPath::new(&url, dialect) else { continue };
            let crawler = Crawler::named(&name, dialect).unwrap();
            let robots = RobotsTxt::parse(body.as_slice(), dialect);
            let again = RobotsTxt::parse(rendered(&robots), dialect);
            let effects = [&robots, &again]
                .map(|robots| robots.policy(&crawler).decide(&target).effect());
            prop_assert_eq!(effects[0], effects[1], "{} {:?}", dialect, body.escape_ascii());
            let rules = |robots: &RobotsTxt| -> usize {
                robots.groups().filter(Group::has_rules).count()
            };
            prop_assert_eq!(rules(&robots), rules(&again));
        }
    }
}
