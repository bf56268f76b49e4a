//! Compares all results and proofs with brute force over every target up to some length.

use verger::{Crawler, Dialect, Effect, Policy, Reason, RobotsTxt, TargetPath};
use verger_compare::{Budget, Difference, Extent, Found, PolicySet, RuleUse};
use verger_testkit::generate::Rng;

/// The parts of targets, with their lengths in bytes.
const PARTS: [(&str, usize); 9] = [
    ("/", 1),
    ("a", 1),
    ("b", 1),
    ("?", 1),
    ("$", 1),
    ("*", 1),
    ("%2F", 3),
    ("%3F", 3),
    ("%20", 3),
];
/// Maximum length of targets that are tried, in bytes.
const BYTES: usize = 5;

/// The parts of targets in which an escape may begin as a rule ends.
const PARTS_WITH_ESCAPES: [(&str, usize); 9] = [
    ("/", 1),
    ("a", 1),
    ("2", 1),
    ("&", 1),
    ("%", 1),
    ("<", 1),
    ("%26", 3),
    ("%25", 3),
    ("%3C", 3),
];

/// All targets up to the limit, shortest first, with their lengths.
struct Universe {
    dialect: Dialect,
    /// Whether the shortest witness of any question is among the targets, and found. A raw `<`
    /// counts like `%3C`, so that may not be the case.
    is_exact: bool,
    targets: Vec<(TargetPath<'static>, usize)>,
}

impl Universe {
    fn of(dialect: Dialect) -> Self {
        Self::with_parts(dialect, &PARTS, true)
    }

    fn with_parts(dialect: Dialect, parts: &[(&str, usize)], is_exact: bool) -> Self {
        let mut texts = vec![("/".to_owned(), 1)];
        let mut next = 0;
        while let Some((text, bytes)) = texts.get(next).cloned() {
            for (part, more) in parts {
                if bytes + more <= BYTES {
                    texts.push((format!("{text}{part}"), bytes + more));
                }
            }
            next += 1;
        }
        texts.sort_by_key(|(_, bytes)| *bytes);
        let targets = texts.iter().map(|(text, bytes)| {
            let url = format!("https://example.com{text}");
            let target = TargetPath::new(&url, dialect).unwrap();
            (target.into_owned(), *bytes)
        });
        Self {
            dialect,
            is_exact,
            targets: targets.collect(),
        }
    }

    fn policy(&self, rules: &[String]) -> Policy {
        let body = format!("User-agent: *\n{}\n", rules.join("\n"));
        RobotsTxt::parse(&*body, self.dialect).policy(&Crawler::unnamed())
    }

    fn effects(&self, policy: &Policy) -> Effects {
        let allows = self.ask(|target| policy.decide(target).effect() == Effect::Allow);
        let disallows: Vec<bool> = allows.iter().map(|it| !it).collect();
        Effects {
            allowed: Members::new(&allows),
            disallowed: Members::new(&disallows),
        }
    }

    fn ask(&self, question: impl Fn(&TargetPath<'_>) -> bool) -> Vec<bool> {
        let targets = self.targets.iter();
        targets.map(|(target, _)| question(target)).collect()
    }

    /// Returns the length of the shortest target that is in all of these.
    fn least<const N: usize>(&self, of: [&Members; N]) -> Option<usize> {
        let words = self.targets.len().div_ceil(64);
        let number = (0..words).find_map(|word| {
            let common = of.iter().fold(u64::MAX, |bits, it| bits & it.0[word]);
            (common != 0).then(|| word * 64 + common.trailing_zeros() as usize)
        })?;
        Some(self.targets[number].1)
    }
}

/// A set of targets, with a bit for each.
struct Members(Vec<u64>);

impl Members {
    fn new(of_each: &[bool]) -> Self {
        let word = |some: &[bool]| {
            let bits = some.iter().rev();
            bits.fold(0, |word, &bit| word << 1 | u64::from(bit))
        };
        Self(of_each.chunks(64).map(word).collect())
    }
}

/// The answer of a policy about each target.
struct Effects {
    allowed: Members,
    disallowed: Members,
}

impl Effects {
    fn of(&self, effect: Effect) -> &Members {
        match effect {
            Effect::Allow => &self.allowed,
            Effect::Disallow => &self.disallowed,
        }
    }
}

fn bytes(target: &TargetPath<'_>) -> usize {
    target.as_bytes().len()
}

/// Results are real, and every result of brute force was found.
fn assert_found(
    universe: &Universe,
    found: &Found,
    least: Option<usize>,
    is_shortest: bool,
    is_real: impl Fn(&TargetPath<'_>) -> bool,
) {
    match found {
        Found::Witness(witness) => {
            let target = witness.target();
            assert!(is_real(target), "{witness}");
            // Clients send it as it is, and its URL has the same verdict.
            assert!(
                target.as_bytes().iter().all(u8::is_ascii_graphic),
                "{witness}"
            );
            let url = witness.to_string();
            assert!(
                Dialect::ALL
                    .iter()
                    .any(|&dialect| { TargetPath::new(&url, dialect).as_ref() == Ok(target) })
            );
            match least {
                Some(least) if is_shortest => assert_eq!(bytes(target), least, "{witness}"),
                None if universe.is_exact => assert!(bytes(target) > BYTES, "{witness}"),
                Some(_) | None => {}
            }
        }
        Found::NoTarget => assert_eq!(least, None),
        Found::NotDecided { states } => panic!("not decided within {states} states"),
    }
}

fn assert_extent(universe: &Universe, policy: &Policy, effects: &Effects) {
    let extent = Extent::new(&PolicySet::new(policy), Budget::default());
    for (effect, found) in [
        (Effect::Allow, extent.allowed()),
        (Effect::Disallow, extent.disallowed()),
    ] {
        let least = universe.least([effects.of(effect)]);
        assert_found(universe, found, least, universe.is_exact, |target| {
            policy.decide(target).effect() == effect
        });
    }
}

fn assert_difference(universe: &Universe, policies: [&Policy; 2], effects: [&Effects; 2]) {
    let [before, after] = policies.map(PolicySet::new);
    let difference = Difference::between(&before, &after, Budget::default()).unwrap();
    for (wanted, found) in [
        (
            [Effect::Allow, Effect::Disallow],
            difference.newly_disallowed(),
        ),
        (
            [Effect::Disallow, Effect::Allow],
            difference.newly_allowed(),
        ),
    ] {
        let least = universe.least([effects[0].of(wanted[0]), effects[1].of(wanted[1])]);
        assert_found(universe, found, least, false, |target| {
            policies.map(|policy| policy.decide(target).effect()) == wanted
        });
    }
}

fn assert_rule_uses(universe: &Universe, policy: &Policy) {
    let set = PolicySet::new(policy);
    let by_precedence: Vec<_> = policy.rule_ids().collect();
    for (place, &id) in by_precedence.iter().enumerate() {
        let decides = |target: &TargetPath<'_>| policy.decide(target).rule() == Some(id);
        let least = universe.least([&Members::new(&universe.ask(decides))]);
        match RuleUse::new(&set, id, Budget::default()).unwrap() {
            RuleUse::Decides(witness) => {
                assert!(decides(witness.target()));
                let bytes = bytes(witness.target());
                let is_shortest = least.map_or(bytes > BYTES, |least| bytes == least);
                assert!(is_shortest || !universe.is_exact, "{witness}");
            }
            RuleUse::NeverDecides { shadowed_by } => {
                assert_eq!(least, None);
                assert!(!shadowed_by.is_empty(), "{policy:?}");
                assert!(
                    shadowed_by
                        .iter()
                        .all(|other| by_precedence[..place].contains(other))
                );
            }
            RuleUse::NotDecided { states } => panic!("not decided within {states} states"),
        }
    }
}

/// Generates rules, and checks them and a change of them that gets one more rule. Returns both
/// policies.
fn assert_generated(
    universe: &Universe,
    patterns: &[String],
    seed: u64,
    count: usize,
    change: impl FnOnce(&mut Vec<String>, String),
) -> [Policy; 2] {
    let mut rng = Rng::new(seed);
    let mut rule = || {
        let key = rng.pick(&["Allow", "Disallow"]).to_owned();
        format!("{key}: {}", patterns[rng.below(patterns.len())])
    };
    let rules: Vec<String> = (0..count).map(|_| rule()).collect();
    let mut changed = rules.clone();
    change(&mut changed, rule());
    let policies = [rules, changed].map(|rules| universe.policy(&rules));
    let effects = policies.each_ref().map(|policy| universe.effects(policy));
    assert_extent(universe, &policies[0], &effects[0]);
    assert_rule_uses(universe, &policies[0]);
    assert_difference(universe, policies.each_ref(), effects.each_ref());
    policies
}

/// Generates every pattern of up to `length` parts that can match something.
fn patterns(parts: &[&str], length: usize) -> Vec<String> {
    let mut patterns = vec![String::new()];
    let mut next = 0;
    while let Some(pattern) = patterns.get(next).cloned() {
        if next == 0 || patterns[next].len() < length * 3 {
            let count = pattern.split('\u{1f}').count() - 1;
            if count < length {
                patterns.extend(parts.iter().map(|part| format!("{pattern}{part}\u{1f}")));
            }
        }
        next += 1;
    }
    let patterns = patterns
        .into_iter()
        .map(|pattern| pattern.replace('\u{1f}', ""));
    let usable = |pattern: &String| pattern.starts_with(['/', '*']);
    patterns.filter(usable).collect()
}

#[test]
fn each_pattern_alone_and_with_another() {
    let sets = [
        &["/", "a", "*", "$"][..],
        &["/", "a", "*", "?", "%2F"],
        &["/", " ", "*", "%20"],
    ];
    for (dialect, parts) in Dialect::ALL
        .iter()
        .copied()
        .flat_map(|d| sets.map(|set| (d, set)))
    {
        let universe = Universe::of(dialect);
        let patterns = patterns(parts, 5);
        let policies: Vec<Policy> = patterns
            .iter()
            .map(|pattern| universe.policy(&[format!("Disallow: {pattern}")]))
            .collect();
        let effects: Vec<_> = policies
            .iter()
            .map(|policy| universe.effects(policy))
            .collect();
        for (policy, effects) in policies.iter().zip(&effects) {
            assert_extent(&universe, policy, effects);
        }
        // Each pattern with some thirty others, different ones for each.
        let stride = policies.len() / 31;
        for first in 0..policies.len() {
            for second in (first % stride..policies.len()).step_by(stride) {
                let both = [first, second];
                assert_difference(
                    &universe,
                    both.map(|at| &policies[at]),
                    both.map(|at| &effects[at]),
                );
            }
        }
    }
}

#[test]
fn generated_policies_and_their_changes() {
    let patterns = [
        patterns(&["/", "a", "*", "?", "$"], 4),
        patterns(&["/", "a", "b", "*", "%2F", "%3F"], 3),
    ]
    .concat();
    let mut shadowed = 0;
    for &dialect in Dialect::ALL {
        let universe = Universe::of(dialect);
        for seed in 0..150 {
            let policies = assert_generated(&universe, &patterns, seed, 6, |rules, new| {
                rules.swap(0, 5);
                rules[2] = new;
                rules.truncate(3 + (seed % 4) as usize);
            });
            let set = PolicySet::new(&policies[0]);
            let uses = policies[0]
                .rule_ids()
                .map(|id| RuleUse::new(&set, id, Budget::default()));
            shadowed += uses
                .filter(|rule_use| matches!(rule_use, Some(RuleUse::NeverDecides { .. })))
                .count();
        }
    }
    assert!(shadowed > 400, "{shadowed}");
}

#[test]
fn rules_that_end_with_the_beginning_of_an_escape() {
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let universe = Universe::with_parts(dialect, &PARTS_WITH_ESCAPES, false);
        let parts = ["/", "a", "*", "%", "%2", "%26", "&", "%25", "%3C", "$"];
        let mut patterns = patterns(&parts, 4);
        // No target has a raw `$`.
        patterns.retain(|it| !it.strip_suffix('$').unwrap_or(it).contains('$'));
        for seed in 0..600 {
            assert_generated(&universe, &patterns, seed, 4, |rules, new| {
                rules[1] = new;
                rules.truncate(2 + (seed % 3) as usize);
            });
        }
    }
}

/// Both targets have one form, and different rules decide about them.
#[test]
fn a_rule_that_decides_about_a_raw_character_only_is_used() {
    for (rules, target) in [
        (["Disallow: /a%25", "Allow: /a%2"], "/a%"),
        (["Disallow: /a%3C", "Allow: /a%3"], "/a<"),
        (["Disallow: /a&", "Allow: /a%2"], "/a&"),
    ] {
        let policy = Universe::of(Dialect::Rfc9309).policy(&rules.map(str::to_owned));
        let set = PolicySet::new(&policy);
        for (id, rule) in policy.rule_ids().zip(policy.rules()) {
            let rule_use = RuleUse::new(&set, id, Budget::default()).unwrap();
            let RuleUse::Decides(witness) = rule_use else {
                panic!("{rule:?} {rule_use:?}");
            };
            if rule.effect == Effect::Disallow {
                assert_eq!(witness.path(), target);
            }
        }
    }
}

#[test]
fn the_file_itself_is_no_part_of_the_universe_where_it_is_exempt() {
    for &dialect in Dialect::ALL {
        let universe = Universe::of(dialect);
        let policy = universe.policy(&["Disallow: /".to_owned()]);
        let extent = Extent::new(&PolicySet::new(&policy), Budget::default());
        assert!(extent.allowed().is_proven_absent(), "{dialect}");
        let target = TargetPath::new("/robots.txt", dialect).unwrap();
        let is_exempt = policy.decide(&target).reason() == Reason::RobotsTxtItself;
        assert_eq!(is_exempt, dialect != Dialect::Google);
    }
}
