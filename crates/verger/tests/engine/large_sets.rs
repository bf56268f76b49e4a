//! Policies of hundreds and thousands of rules, whose indexes differ in shape from small ones,
//! decide like the reference, with vectors and without.

use std::fmt::Write as _;

use verger::{Crawler, Dialect, Reason, RobotsTxt, TargetPath};
use verger_simd::Preference;
use verger_testkit::generate::Rng;

const WORDS: [&str; 24] = [
    "shop",
    "detail",
    "search",
    "img",
    "cart",
    "de",
    "fr",
    "product",
    "2021",
    "975",
    "1234567890",
    "a",
    "b",
    "news-archive",
    "index.html",
    "view.php",
    "PHPSESSID",
    "sort",
    "%2F",
    "%E4",
    "%26",
    "é",
    "&",
    ";",
];

fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.below(WORDS.len())]
}

fn path(rng: &mut Rng, segments: usize) -> String {
    let mut path = String::new();
    for _ in 0..segments {
        path.push('/');
        path.push_str(word(rng));
    }
    path
}

fn numbered(rng: &mut Rng) -> String {
    format!("{}{}", word(rng), rng.below(300))
}

/// Generates a rule's value in one of the shapes that large files have.
fn value(rng: &mut Rng) -> String {
    let segments = 1 + rng.below(3);
    let head = path(rng, segments);
    match rng.below(12) {
        0..3 => format!("{head}/{}", numbered(rng)),
        3 => format!("/detail/1234567890/{}", numbered(rng)),
        4 => format!("{head}$"),
        5 => format!("/*{}=", numbered(rng)),
        6 => format!("/*?{}=*&{}=", word(rng), word(rng)),
        7 => format!("{head}/*/{}", numbered(rng)),
        8 => format!("/*.{}$", word(rng)),
        9 => format!("*/{}/*{}", word(rng), numbered(rng)),
        10 => format!("{head}/*"),
        _ => head,
    }
}

/// Generates a target that resembles a rule of the body.
fn target(rng: &mut Rng, values: &[String]) -> String {
    let mut target = String::new();
    for part in values[rng.below(values.len())].split('*') {
        target.push_str(part.trim_end_matches('$'));
        if rng.one_in(2) {
            target.push_str(word(rng));
        }
    }
    if rng.one_in(3) {
        target.push('?');
        target.push_str(&numbered(rng));
        target.push('=');
    }
    if rng.one_in(4) {
        target.push_str(&path(rng, 6));
    }
    if target.starts_with('/') {
        target
    } else {
        format!("/{target}")
    }
}

#[test]
fn large_policies_decide_as_asking_every_rule_does() {
    for seed in 0..48 {
        let mut rng = Rng::new(seed);
        let count = [40, 90, 300, 1500][rng.below(4)];
        let values: Vec<String> = (0..count).map(|_| value(&mut rng)).collect();
        let mut body = "User-agent: *\n".to_owned();
        for value in &values {
            let key = if rng.one_in(4) { "Allow" } else { "Disallow" };
            writeln!(body, "{key}: {value}").unwrap();
        }
        let targets: Vec<String> = (0..24).map(|_| target(&mut rng, &values)).collect();
        for &dialect in Dialect::ALL {
            let robots = RobotsTxt::parse(body.as_str(), dialect);
            let crawler = Crawler::unnamed();
            let policy = robots.policy(&crawler);
            for target in &targets {
                let target = TargetPath::new(target, dialect).unwrap();
                let plain = robots.matching_rules(&crawler, &target);
                for preference in [Preference::Portable, Preference::Best] {
                    verger_simd::prefer(preference);
                    let verdict = policy.decide(&target);
                    assert_ne!(verdict.reason(), Reason::RobotsTxtItself);
                    let expected = plain.first().map(|matching| matching.rule);
                    assert_eq!(
                        verdict.rule().and_then(|id| policy.rule(id)),
                        expected,
                        "{dialect}, seed {seed}, {target:?}"
                    );
                    let in_one_pass =
                        verger::scan::effect_for_crawler(&body, &crawler, &target, dialect);
                    assert_eq!(
                        in_one_pass,
                        verdict.effect(),
                        "{dialect}, seed {seed}, {target:?}"
                    );
                }
            }
        }
    }
}

/// The heads consist of the same runs of bytes. So no run excludes many rules, and the rules are
/// indexed by their heads. The longest prefix of a target is another text.
#[test]
fn a_rule_is_found_by_its_head_behind_longer_texts() {
    let parts = ["aaaaa", "bbbbb", "ccccc", "ddddd"];
    let pairs = parts
        .iter()
        .flat_map(|left| parts.map(|right| format!("{left}/{right}")));
    let heads: Vec<String> = pairs
        .flat_map(|pair| parts.map(|part| format!("/{pair}/{part}")))
        .collect();
    let mut body = "User-agent: *\n".to_owned();
    for head in &heads {
        writeln!(body, "Disallow: {head}/*/more-of-the-same").unwrap();
        writeln!(body, "Allow: {head}/long").unwrap();
        writeln!(body, "Allow: {head}/longer").unwrap();
    }
    let policy = RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
    let allows = |target: &str| {
        let target = TargetPath::new(target, Dialect::Rfc9309).unwrap();
        policy.decide(&target).is_allowed()
    };
    for head in &heads {
        for between in ["x", "long", "longer", "longer/and/longer"] {
            assert!(!allows(&format!("{head}/{between}/more-of-the-same")));
            assert!(allows(&format!("{head}/{between}/more-of-the-other")));
        }
    }
}

/// An index page and its directory are two patterns of one text. Neither stands for both.
#[test]
fn a_directory_of_an_index_page_is_kept_beside_the_page() {
    for page in [
        "/*ab%C3q/index.html",
        "/*abé/index.html",
        "/*abq/index.html",
    ] {
        let mut body = "User-agent: *\nDisallow: /\n".to_owned();
        for nth in 0..20 {
            writeln!(
                body,
                "Allow: {page}\nDisallow: {}{nth}",
                page.replace("/*ab", "/*")
            )
            .unwrap();
        }
        let robots = RobotsTxt::parse(body, Dialect::Google);
        let policy = robots.policy(&Crawler::unnamed());
        let directory = page
            .replace("/*", "/x")
            .replace("index.html", "")
            .replace('é', "%C3%A9");
        let target = TargetPath::new(&directory, Dialect::Google).unwrap();
        let plain = robots.matching_rules(&Crawler::unnamed(), &target);
        let verdict = policy.decide(&target);
        assert_eq!(
            verdict.rule().and_then(|id| policy.rule(id)),
            plain.first().map(|matching| matching.rule),
            "{page}"
        );
        assert_eq!(
            verdict.line().map(verger::LineNumber::get),
            Some(3),
            "{page}"
        );
    }
}
