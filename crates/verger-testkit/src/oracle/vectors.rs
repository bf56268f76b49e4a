use super::Oracle;
use crate::subject::{Answer, DialectName, GroupName, Question, ReasonName, Subject};

const RFC9309: DialectName = DialectName::Rfc9309;
const GOOGLE: DialectName = DialectName::Google;
const KOSTER1996: DialectName = DialectName::Koster1996;

fn ask(dialect: DialectName, robots: &str, agents: &[&str], url: &str) -> Answer {
    let agents: Vec<String> = agents.iter().map(|&agent| agent.to_owned()).collect();
    let question = Question {
        dialect,
        robots: robots.as_bytes(),
        agents: &agents,
        url: url.as_bytes(),
    };
    Oracle
        .answer(&question)
        .expect("a question that can be asked")
}

/// Returns the verdict. `robots` abbreviates a file with `U:`, `D:` and `A:`. A semicolon ends a
/// line.
fn allowed(dialect: DialectName, robots: &str, agent: &str, url: &str) -> bool {
    ask(dialect, &written_out(robots), &[agent], url).allowed
}

fn written_out(short: &str) -> String {
    let lines = short.split(';').map(|line| {
        let line = line.trim_start();
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        match key {
            "U" => format!("User-agent: {value}\n"),
            "D" => format!("Disallow: {value}\n"),
            "A" => format!("Allow: {value}\n"),
            _ => format!("{line}\n"),
        }
    });
    lines.collect()
}

/// An abbreviated file, the agent, the target, and whether it may be fetched in each dialect, in
/// the order of [`DialectName::ALL`]: `rfc9309`, `google`, `draft2019`, `koster1996`.
type DialectVector = (&'static str, &'static str, &'static str, [bool; 4]);

fn assert_dialect_vectors(vectors: &[DialectVector]) {
    for &(robots, agent, target, expected) in vectors {
        let actual = DialectName::ALL.map(|dialect| allowed(dialect, robots, agent, target));
        assert_eq!(actual, expected, "{robots} ? {agent} {target}");
    }
}

#[test]
fn dialects_differ_on_rules_as_the_table_says() {
    assert_dialect_vectors(&[
        (
            "U:x; D:/tmp; A:/tmp/ok",
            "x",
            "/tmp/ok",
            [true, true, true, false],
        ),
        (
            "U:x; A:/page; D:/*.ph",
            "x",
            "/page.php5",
            [true, true, true, true],
        ),
        (
            "U:x; A:/page; D:/*.htm",
            "x",
            "/page.htm",
            [false, false, false, true],
        ),
        (
            "U:x; A:/a:b; D:/*bcd",
            "x",
            "/a:bcd",
            [true, false, true, true],
        ),
        (
            "U:x; A:/fish; D:/fish*",
            "x",
            "/fish",
            [false, false, false, true],
        ),
        (
            "U:x; A:/; D:/cgi-bin",
            "x",
            "/cgi-bin/q",
            [false, false, false, true],
        ),
        ("U:x; A:/a%62; D:/ab", "x", "/ab", [true, false, true, true]),
        ("U:x; D:; D:/a", "x", "/a", [false, false, false, false]),
        ("U:x; A:; D:/", "x", "/a", [false, false, false, false]),
        (
            "U:x; D:/d; A:/d/index.html",
            "x",
            "/d/",
            [false, true, false, false],
        ),
        ("U:*; D:/", "x", "/robots.txt", [true, false, true, true]),
        (
            "U:*; D:/",
            "x",
            "/robots.txt2",
            [false, false, false, false],
        ),
        (
            "U:*; D:/",
            "x",
            "/robots.txt?",
            [false, false, false, false],
        ),
        ("D:/; U:x; A:/a", "x", "/b", [true, true, true, true]),
    ]);
}

#[test]
fn dialects_differ_on_groups_as_the_table_says() {
    assert_dialect_vectors(&[
        (
            "U:x; D:/a;; U:x; D:/b",
            "x",
            "/b",
            [false, false, false, true],
        ),
        (
            "U:*; D:/a;; U:*; D:/b",
            "x",
            "/b",
            [false, false, true, true],
        ),
        ("U:* foo; D:/", "x", "/", [true, false, true, true]),
        ("U:*foo; D:/", "x", "/", [true, true, true, true]),
        ("U:a;; D:/", "a", "/", [false, false, false, true]),
        ("U:a; #c; D:/", "a", "/", [false, false, false, false]),
        ("U:a; D:/x; U:b; D:/y", "b", "/x", [true, true, true, true]),
        (
            "U:a; Crawl-delay:1; U:b; D:/",
            "a",
            "/",
            [false, false, false, false],
        ),
        ("U:*; D:/;; U:q", "q", "/", [true, true, true, false]),
        ("U:*; U:*; D:/", "x", "/", [false, false, false, false]),
        ("U:*;; U:*; D:/", "x", "/", [false, false, false, false]),
        ("U:*; D:/a;; U:x; D:/b", "x", "/a", [true, true, true, true]),
        (
            "U:foobot-news; D:/",
            "foobot",
            "/",
            [true, true, true, true],
        ),
        (
            "U:foobot/1.2; D:/",
            "foobot",
            "/",
            [false, false, false, true],
        ),
        ("U:; D:/", "foobot", "/", [true, true, true, true]),
        ("U:x; Disallow /", "x", "/", [true, false, true, true]),
        ("U:x; Disalow:/", "x", "/", [true, false, true, true]),
    ]);
}

#[test]
fn the_example_of_1996_says_what_it_says() {
    let robots = "U:webcrawler; U:infoseek; A:/tmp/ok.html; D:/tmp; D:/user/foo";
    for agent in ["webcrawler", "Infoseek"] {
        for (target, expected) in [
            ("/tmp/ok.html", true),
            ("/tmp", false),
            ("/tmpfile", false),
            ("/user/foobar", false),
            ("/user/fo", true),
        ] {
            assert_eq!(
                allowed(KOSTER1996, robots, agent, target),
                expected,
                "{target}"
            );
        }
    }
}

#[test]
fn an_answer_names_the_rule_and_the_first_group() {
    let robots = "User-agent: *\nDisallow: /\n\nUser-agent: a\nUser-agent: b\nDisallow: /x\nDisallow: /%78\nUser-agent: b\nAllow: /y\n";
    let named = Some(GroupName {
        line: 4,
        named: true,
    });
    let answer = ask(RFC9309, robots, &["b"], "https://h.example/x");
    assert_eq!(
        (answer.reason, answer.line, answer.group),
        (ReasonName::Rule, Some(6), named)
    );
    let answer = ask(RFC9309, robots, &["b"], "/z");
    assert_eq!(
        (answer.reason, answer.line, answer.group),
        (ReasonName::NoRule, None, named)
    );
    let answer = ask(RFC9309, robots, &["b"], "/robots.txt");
    assert_eq!(
        (answer.reason, answer.line, answer.group),
        (ReasonName::RobotsTxt, None, named)
    );
    let everyone = Some(GroupName {
        line: 1,
        named: false,
    });
    assert_eq!(ask(RFC9309, robots, &["*"], "/x").group, everyone);
    assert_eq!(ask(RFC9309, "", &["x"], "/x").reason, ReasonName::NoGroup);
    assert_eq!(
        ask(RFC9309, "", &["x"], "/robots.txt").reason,
        ReasonName::RobotsTxt
    );
    assert_eq!(
        ask(GOOGLE, "", &["x"], "/robots.txt").reason,
        ReasonName::NoGroup
    );
}

#[test]
fn on_a_tie_the_first_allow_line_is_reported() {
    let robots = "User-agent: x\nDisallow: /a\nAllow: /%61\nAllow: /a\n";
    assert_eq!(ask(RFC9309, robots, &["x"], "/a").line, Some(3));
    assert_eq!(ask(GOOGLE, robots, &["x"], "/a").line, Some(4));
    assert_eq!(ask(KOSTER1996, robots, &["x"], "/a").line, Some(2));
}

#[test]
fn the_first_token_that_a_group_names_speaks() {
    let robots = "User-agent: googlebot-news\nDisallow: /n\n\nUser-agent: *\nDisallow: /s\n\nUser-agent: googlebot\nDisallow: /g\n";
    for dialect in DialectName::ALL {
        let line = |agents: &[&str]| {
            ask(dialect, robots, agents, "/x")
                .group
                .expect("a group")
                .line
        };
        assert_eq!(line(&["Googlebot-News", "Googlebot"]), 1);
        assert_eq!(line(&["Googlebot-Image", "Googlebot"]), 7);
        assert_eq!(line(&["Googlebot"]), 7);
        assert_eq!(line(&["Storebot-Google"]), 4);
    }
}

#[test]
fn a_utf16_file_has_no_directives() {
    let text = "User-agent: *\nDisallow: /\n";
    let little = text.encode_utf16().flat_map(u16::to_le_bytes);
    let big = text.encode_utf16().flat_map(u16::to_be_bytes);
    for body in [
        [0xFF, 0xFE].into_iter().chain(little).collect::<Vec<u8>>(),
        [0xFE, 0xFF].into_iter().chain(big).collect(),
    ] {
        for dialect in DialectName::ALL {
            let question = Question {
                dialect,
                robots: &body,
                agents: &["x".to_owned()],
                url: b"/",
            };
            let answer = Oracle.answer(&question).expect("an answer");
            assert_eq!(answer.reason, ReasonName::NoGroup);
        }
    }
}

#[test]
fn large_bodies_and_long_targets_are_answered_soon() {
    let rule = format!("Disallow: /{}$\n", "*a/b".repeat(30));
    let robots = format!("User-agent: *\n{}", rule.repeat(60_000 / rule.len()));
    let url = format!("/{}", "a/b".repeat(680));
    for dialect in DialectName::ALL {
        let answer = ask(dialect, &robots, &["x"], &url);
        assert_eq!(answer.allowed, dialect == KOSTER1996);
    }
}
