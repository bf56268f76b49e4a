//! The tree and the oracle, which was written independently, give the same answers.

use verger_testkit::generate::{Rng, agent, body, body_at_limit, url_for};
use verger_testkit::oracle::{LenientOracle, Oracle};
use verger_testkit::subject::{DialectName, Question, Subject};

use crate::subjects::{LenientTree, Tree};

/// The readings to compare: without an option, and with lenient lines.
const PAIRS: [(&dyn Subject, &dyn Subject); 2] = [(&Tree, &Oracle), (&LenientTree, &LenientOracle)];

/// Compares both in all dialects. Errors are compared as errors, whatever their text.
pub fn assert_alike(robots: &[u8], agents: &[String], url: &[u8]) {
    for dialect in DialectName::ALL {
        let question = Question {
            dialect,
            robots,
            agents,
            url,
        };
        for (tree, oracle) in PAIRS {
            let answers = [tree, oracle].map(|subject| subject.answer(&question));
            assert!(
                answers[0] == answers[1] || answers.iter().all(Result::is_err),
                "{}, {}: {:?} asks {:?}\n tree   {:?}\n oracle {:?}\n{}",
                tree.name(),
                dialect.as_str(),
                agents,
                String::from_utf8_lossy(url),
                answers[0],
                answers[1],
                robots.escape_ascii(),
            );
        }
    }
}

#[test]
fn on_generated_bodies() {
    for seed in 0..4_000 {
        let mut rng = Rng::new(seed);
        let robots = body(&mut rng);
        for _ in 0..4 {
            let names = if rng.one_in(4) { 2 } else { 1 };
            let agents: Vec<String> = (0..names).map(|_| agent(&mut rng)).collect();
            let url = url_for(&mut rng, &robots);
            assert_alike(&robots, &agents, &url);
        }
    }
}

/// White space before a key uses up bytes of the line that Google's library keeps.
#[test]
fn at_the_limit_of_a_line() {
    let padding = "Allow: /zz\n".repeat(30);
    let lines = |indent: &str| {
        [
            format!("User-agent: *\n{indent}Disallow: /\n"),
            format!("User-agent: *\n{indent}Disallow: /abc\n"),
            format!("User-agent: *\nAllow: /q\n{indent}User-agent: foo\nDisallow: /\n"),
            format!("User-agent: foo\n{indent}disallow: /\nUser-agent: bar\nDisallow: /\n"),
            format!("User-agent: foo\nAllow: /q\n{indent}User-agent: z\nDisallow: /\n"),
        ]
    };
    for bytes in (0..70).chain(16_630..16_670) {
        for mut body in lines(&" ".repeat(bytes)) {
            for _ in 0..2 {
                for (agent, url) in [("foo", "/x"), ("zz", "/abx")] {
                    assert_alike(body.as_bytes(), &[agent.to_owned()], url.as_bytes());
                }
                // Lines in the middle of a body are found by different code than at its end.
                body.push_str(&padding);
            }
        }
    }
}

#[test]
fn at_the_limit_of_the_body() {
    for seed in 0..24 {
        let mut rng = Rng::new(seed);
        let robots = body_at_limit(&mut rng);
        let url = url_for(&mut rng, &robots);
        assert_alike(&robots, &[agent(&mut rng)], &url);
    }
}

/// Generates all words of one to `length` symbols.
fn words(symbols: &[&str], length: usize) -> Vec<String> {
    let mut all = Vec::new();
    let mut longest = vec![String::new()];
    for _ in 0..length {
        longest = longest
            .iter()
            .flat_map(|word| symbols.iter().map(move |symbol| format!("{word}{symbol}")))
            .collect();
        all.extend_from_slice(&longest);
    }
    all
}

/// Takes every fifth target. Five and the six symbols share no factor, so all endings occur.
#[test]
fn on_every_short_pattern_and_target() {
    let agents = ["x".to_owned()];
    let of_pattern = ["/", "a", "*", "$", "?", "%2F", "=", "%3d"];
    let of_target = ["/", "a", "?", "%2F", "=", "%3D"];
    let targets = words(&of_target, 3);
    for pattern in words(&of_pattern, 3) {
        for start in ["/", "*"] {
            let robots = format!("User-agent: *\nDisallow: {start}{pattern}");
            for target in targets.iter().step_by(5) {
                assert_alike(robots.as_bytes(), &agents, format!("/{target}").as_bytes());
            }
        }
    }
}
