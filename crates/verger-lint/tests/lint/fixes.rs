//! Fixes are idempotent, and fixes that keep the meaning do so.

use proptest::prelude::*;
use verger::{Crawler, Dialect, Effect, RobotsTxt, TargetPath};
use verger_lint::{Fixing, Linted, Meaning, Served, all, fixed};
use verger_testkit::generate::{Rng, agent, body, url_for};

fn fix(body: &[u8], fixing: Fixing) -> Vec<u8> {
    fixed(body, &Served::default(), fixing, |_| true).body
}

fn effect(robots: &[u8], name: &str, url: &[u8], dialect: Dialect) -> Option<Effect> {
    let crawler = Crawler::named(name, dialect).ok()?;
    let target = TargetPath::new(url, dialect).ok()?;
    let policy = RobotsTxt::parse(robots, dialect).policy(&crawler);
    Some(policy.decide(&target).effect())
}

/// The dialects in which a fix keeps the meaning.
const DIALECTS: [Dialect; 3] = [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019];

#[test]
fn the_fix_of_a_wrong_example_removes_its_finding() {
    for lint in all() {
        let file = Linted::new(lint.wrong_example().body(), &Served::default());
        let mut findings = file.findings().iter().filter(|it| it.code == lint.code());
        if !findings.any(|it| it.fix.is_some()) {
            continue;
        }
        let repaired = fix(&lint.wrong_example().body(), Fixing::All);
        let file = Linted::new(&*repaired, &Served::default());
        let left: Vec<_> = file
            .findings()
            .iter()
            .filter(|it| it.code == lint.code())
            .collect();
        assert!(left.is_empty(), "{}", repaired.escape_ascii());
    }
}

#[test]
fn a_line_is_fixed_at_once_and_remaining_fixes_are_reported() {
    let rules: Vec<String> = (1..=14).map(|n| format!("Disallow: /p{n}/")).collect();
    let body = format!(
        "User-agent: * {}\nDisallow: /a b c d e f g h i j k l m n o\nDisallow: /a\tb \t c\n",
        rules.join(" ")
    );
    let expected = format!(
        "User-agent: *\n{}\nDisallow: /a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m%20n%20o\n\
         Disallow: /a%09b%20%09%20c\n",
        rules.join("\n")
    );
    let all = |body: &[u8]| fixed(body, &Served::default(), Fixing::All, |_| true);
    let once = all(body.as_bytes());
    assert_eq!(String::from_utf8(once.body).unwrap(), expected);
    assert!(once.is_complete);
    // Each round searches 4,096 bytes of a line.
    let long = format!("User-agent: * {}\n", "Disallow: /a b/ ".repeat(4_000));
    let mut left = all(long.as_bytes());
    assert!(!left.is_complete);
    for _ in 0..9 {
        left = all(&left.body);
    }
    assert!(left.is_complete);
}

#[test]
fn edits_are_in_order_and_within_the_body() {
    for lint in all() {
        let file = Linted::new(lint.wrong_example().body(), &Served::default());
        for fix in file.findings().iter().filter_map(|it| it.fix.as_ref()) {
            let ends = fix
                .edits
                .iter()
                .map(|edit| (edit.span.start, edit.span.end));
            let mut from = 0;
            for (start, end) in ends {
                assert!(from <= start && start <= end, "{}", lint.code());
                assert!(
                    end as usize <= lint.wrong_example().body().len(),
                    "{}",
                    lint.code()
                );
                from = end;
            }
        }
    }
}

#[test]
fn a_body_at_the_limit_has_no_fix_that_keeps_its_meaning() {
    let mut long = b"User-agent: FooBot/2.0\nDisallow: /a\n".repeat(20_000);
    long.truncate(512_001);
    let file = Linted::new(&*long, &Served::default());
    let fixes = file.findings().iter().filter_map(|it| it.fix.as_ref());
    let mut count = 0;
    for fix in fixes {
        count += 1;
        assert_eq!(fix.meaning, Meaning::Changed);
    }
    assert!(count > 0);
}

#[test]
fn a_fix_that_changes_the_meaning_by_the_draft_of_1996_is_not_automatic() {
    let meaning_of = |code: &str, body: &str| {
        let file = Linted::new(body, &Served::default());
        let mut findings = file.findings().iter();
        let finding = findings.find(|it| it.code == code);
        finding.and_then(|it| it.fix.as_ref()).map(|it| it.meaning)
    };
    let meaning = |body: &str| meaning_of("group-without-rules", body);
    // By that text the rules for * apply to GPTBot, because its group is not a record.
    let disallowing = "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\n";
    assert_eq!(meaning(disallowing), Some(Meaning::Changed));
    let open = "User-agent: *\nDisallow:\n\nUser-agent: GPTBot\n";
    assert_eq!(meaning(open), Some(Meaning::Kept));
    // Or its record ends at the blank line, where the second name begins another.
    for (code, body, expected) in [
        (
            "repeated-agent",
            "User-agent: a\n\nUser-agent: a\nDisallow: /\n",
            Meaning::Changed,
        ),
        (
            "repeated-agent",
            "User-agent: a\nUser-agent: a\nDisallow: /\n",
            Meaning::Kept,
        ),
        (
            "duplicate-rule",
            "User-agent: a\n\nDisallow: /\n \nDisallow: /\n",
            Meaning::Changed,
        ),
        (
            "duplicate-rule",
            "User-agent: a\n\nDisallow: /\nDisallow: /\n",
            Meaning::Kept,
        ),
    ] {
        assert_eq!(meaning_of(code, body), Some(expected), "{body}");
    }
    let meaning = |body: &str| meaning_of("agent-with-version", body);
    // Or because its name differs with the version.
    let disallowing = "User-agent: *\nDisallow: /\n\nUser-agent: FooBot/2.1\nDisallow: /a\n";
    assert_eq!(meaning(disallowing), Some(Meaning::Changed));
    let open = "User-agent: FooBot/2.1\nDisallow: /a\n";
    assert_eq!(meaning(open), Some(Meaning::Kept));
}

#[test]
fn a_fixed_file_ends_as_before_and_keeps_its_line_ends() {
    for (body, expected) in [
        (
            "User-agent: a\r\nDisallow: /b\r\nDisallow: /b",
            "User-agent: a\r\nDisallow: /b",
        ),
        (
            "User-agent: a\nDisallow: /b\nDisallow: /b\nDisallow: /b",
            "User-agent: a\nDisallow: /b",
        ),
        (
            "Sitemap: https://h/a\n\n\nSitemap: https://h/a",
            "Sitemap: https://h/a",
        ),
        (
            "User-agent: a\nDisallow: /b\nDisallow: /b\n",
            "User-agent: a\nDisallow: /b\n",
        ),
        (
            "User-agent: a\r\nCrawl-delay: 1",
            "User-agent: a\r\nCrawl-delay: 1\r\nDisallow:",
        ),
        (
            "User-agent: a\r\nDisallow: /\r\nSitemap: https://h/a https://h/b",
            "User-agent: a\r\nDisallow: /\r\nSitemap: https://h/a\r\nSitemap: https://h/b",
        ),
        (
            "User-agent: a\n Disallow: disallow: /a\n",
            "User-agent: a\n disallow: /a\n",
        ),
        // `Disallow:` would mean nothing next to the rules of another group.
        (
            "User-agent: *\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 1\n\nUser-agent: GPTBot\nDisallow: /\n",
            "User-agent: *\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 1\n\nUser-agent: GPTBot\nDisallow: /\n",
        ),
    ] {
        let fixed = fix(body.as_bytes(), Fixing::All);
        assert_eq!(
            fixed.escape_ascii().to_string(),
            expected.escape_default().to_string()
        );
    }
}

#[test]
fn a_fix_does_not_write_an_unintended_rule() {
    for value in [
        "?utm=",
        "ashx?w=",
        "3Aprice-",
        ".pdf",
        "\"/a\"",
        "none",
        "all",
        "$",
        "{{ path }}",
        "\u{a0}a\u{a0}b",
        "Googlebot",
        "https://elsewhere.example/",
        "https://elsewhere.example/a",
    ] {
        let body = format!("User-agent: *\nDisallow: {value}\nSitemap: https://h.example/s.xml\n");
        let fixed = fix(body.as_bytes(), Fixing::All);
        assert_eq!(
            fixed.escape_ascii().to_string(),
            body.as_bytes().escape_ascii().to_string()
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn fixing_is_idempotent(seed: u64) {
        let body = body(&mut Rng::new(seed));
        for fixing in [Fixing::KeepingMeaning, Fixing::All] {
            let once = fix(&body, fixing);
            let twice = fix(&once, fixing);
            prop_assert_eq!(
                once.escape_ascii().to_string(),
                twice.escape_ascii().to_string(),
                "{}",
                body.escape_ascii()
            );
        }
    }

    #[test]
    fn a_fix_that_keeps_the_meaning_keeps_it(seed: u64) {
        let mut rng = Rng::new(seed);
        let body = body(&mut rng);
        let repaired = fix(&body, Fixing::KeepingMeaning);
        for _ in 0..8 {
            let (name, url) = (agent(&mut rng), url_for(&mut rng, &body));
            for dialect in DIALECTS {
                prop_assert_eq!(
                    effect(&body, &name, &url, dialect),
                    effect(&repaired, &name, &url, dialect),
                    "{} {} {} {}",
                    dialect,
                    name,
                    url.escape_ascii(),
                    body.escape_ascii()
                );
            }
        }
    }

    /// Tidy files, each with some text that such fixes change.
    #[test]
    fn fixes_of_tidy_files_keep_the_meaning(
        lines in prop::collection::vec(
            prop_oneof![
                3 => "User-agent: (FooBot|foobot|BarBot|\\*|MJ12bot)(/2\\.1)?",
                6 => "(Allow|Disallow): (/a|/b|/%61|/a\\*b|/|)",
                2 => "Sitemap: https://h\\.example/s\\.xml",
                1 => "Crawl-delay: 5",
                1 => "|# comment",
            ],
            0..14,
        ),
        end in "\n|\r\n|\r",
        mark in "(\u{feff})?",
        last in any::<bool>(),
    ) {
        let mut body = mark + &lines.join(&end);
        if last {
            body.push_str(&end);
        }
        let repaired = fix(body.as_bytes(), Fixing::KeepingMeaning);
        for name in ["FooBot", "BarBot", "MJ12bot", "MJ", "x"] {
            for url in ["/", "/a", "/b", "/axb", "/c", "/%61"] {
                for dialect in DIALECTS {
                    prop_assert_eq!(
                        effect(body.as_bytes(), name, url.as_bytes(), dialect),
                        effect(&repaired, name, url.as_bytes(), dialect),
                        "{} {} {} {}", dialect, name, url, repaired.escape_ascii()
                    );
                }
            }
        }
        let twice = fix(&repaired, Fixing::KeepingMeaning);
        prop_assert_eq!(repaired, twice);
    }
}
