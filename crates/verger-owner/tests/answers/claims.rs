//! `ClaimReport`: the results of claims in each format.

use std::path::Path;

use serde_json::Value;
use verger::{Dialect, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, EXAMPLE_SITE};
use verger_owner::{
    ClaimEnd, ClaimFile, ClaimLine, ClaimReport, FileComparison, check_claims, write_github,
    write_junit,
};

struct Formats {
    holds: Option<bool>,
    github: String,
    junit: String,
    json: Vec<Value>,
}

/// Checks claims within a budget of `states`.
fn formats(body: &str, claims: &str, states: u64) -> Formats {
    let file = ClaimFile::parse(claims, None).unwrap();
    let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
    let report = ClaimReport {
        file: Path::new("robots.test.toml"),
        robots: "robots.txt".to_owned(),
        robots_file: Some(Path::new("robots.txt")),
        beside: Some(Path::new("robots.txt")),
        claims: check_claims(
            file.claims(),
            robots,
            EXAMPLE_SITE,
            Budget::from_states(states),
        ),
        comparison: None,
        sitemaps: Vec::new(),
        pages: Vec::new(),
        warnings: Vec::new(),
    };
    let (mut github, mut junit) = (Vec::new(), Vec::new());
    write_github(&mut github, &report).unwrap();
    write_junit(&mut junit, &report).unwrap();
    let lines = report.answers().map(|it| ClaimLine::new(it, "robots.txt"));
    Formats {
        holds: report.holds(),
        github: String::from_utf8(github).unwrap(),
        junit: String::from_utf8(junit).unwrap(),
        json: lines.map(|it| serde_json::to_value(it).unwrap()).collect(),
    }
}

#[test]
fn a_claim_that_fails_is_in_each_format() {
    let body =
        "User-agent: *\nDisallow: /cart\nAlow: /cart/help\n\nUser-agent: GPTBot\nDisallow: /\n";
    let found = formats(body, include_str!("../fixtures/claims.toml"), 1_000_000);
    assert_eq!(found.holds, Some(false));
    assert_eq!(
        found.github,
        "::error file=robots.txt,line=2,title=robots.txt::*: https://example.com/cart/help?a=b is allowed, but \
         https://example.com/cart/help?a=b is disallowed by line 2, Disallow: /cart; because: help is found (claim in line 4)%0A\
         *: everything under /cart/help is allowed, but https://example.com/cart/help is disallowed by line 2, \
         Disallow: /cart; because: help is found (claim in line 5)\n"
    );
    let (start, failures) = ("tests=\"5\" failures=\"2\" errors=\"0\"", "<failure ");
    assert!(found.junit.contains(start), "{}", found.junit);
    assert_eq!(found.junit.matches(failures).count(), 2);
    let because = "Disallow: /cart; because: help is found\"/>";
    assert_eq!(found.junit.matches(because).count(), 2, "{}", found.junit);
    let holds: Vec<_> = found.json.iter().map(|line| &line["holds"]).collect();
    assert_eq!(holds, [false, true, true, false, true]);
}

#[test]
fn what_is_not_decided_is_no_failure() {
    let claims = "[[claim]]\nallowed_under = [\"/*a*b*c\"]\nallowed = [\"/b-a-c-d\"]\n";
    let found = formats("User-agent: *\nDisallow: /*b*a*c*d\n", claims, 3);
    assert_eq!(found.holds, None);
    let counts = "<testsuite name=\"robots.txt\" tests=\"2\" failures=\"1\" errors=\"1\">";
    let error = "<error message=\"not decided within 3 states\"/>";
    for part in [counts, error] {
        assert!(found.junit.contains(part), "{}", found.junit);
    }
    let holds: Vec<_> = found.json.iter().map(|line| &line["holds"]).collect();
    assert_eq!(holds, [&Value::Bool(false), &Value::Null]);
}

/// One mistake yields one annotation, no matter how many crawlers it affects.
#[test]
fn an_annotation_is_at_the_line_that_is_wrong() {
    let crawlers = "crawlers = [\"*\", \"@search\", \"@ai-train\"]\n";
    let claims = format!("[[claim]]\n{crawlers}allowed = [\"/a\"]\nallowed_under = [\"/blog/\"]\n");
    let found = formats("# none\nUser-agent: *\nDisallow: /\n", &claims, 1_000_000);
    assert_eq!(
        found.junit.matches("<failure ").count(),
        2,
        "{}",
        found.junit
    );
    let said = found.github;
    let start = "::error file=robots.txt,line=3,title=robots.txt::*, Googlebot, bingbot, ";
    assert!(said.starts_with(start), "{said}");
    assert!(said.contains("%0A") && said.lines().count() < 3, "{said}");
    // A crawler that ignores `*` fails none of these. If no line decides, the claim is annotated.
    let claims = format!("[[claim]]\n{crawlers}disallowed_under = [\"/blog/\"]\n");
    let said = formats("User-agent: *\nDisallow: /x\n", &claims, 1_000_000).github;
    let start = "::error file=robots.test.toml,line=3,title=robots.txt::*, Googlebot";
    assert!(said.starts_with(start), "{said}");
}

#[test]
fn an_annotation_names_five_claims() {
    let claims = "[[claim]]\nallowed = [\"/a1\", \"/a2\", \"/a3\", \"/a4\", \"/a5\", \"/a6\"]\n\
                  [[claim]]\nallowed = [\"/b1\", \"/b2\", \"/b3\", \"/b4\"]\n\
                  [[claim]]\nallowed = [\"/b4\"]\n";
    let said = formats("User-agent: *\nDisallow: /a\nDisallow: /b\n", claims, 1_000).github;
    let lines: Vec<_> = said.lines().collect();
    let [six, five] = lines[..] else {
        panic!("{said}");
    };
    assert!(six.contains(",line=2,") && six.ends_with("%0Aand 1 more"));
    assert!(five.contains(",line=3,") && five.ends_with("Disallow: /b (claim in line 6)"));
    assert_eq!(
        (six.matches("%0A").count(), five.matches("%0A").count()),
        (5, 4)
    );
}

#[test]
fn what_is_served_otherwise_is_named_with_a_url() {
    let parse = |body: &str| RobotsTxt::parse(body, Dialect::Rfc9309);
    let (old, new) = (
        parse("User-agent: a\n"),
        parse("User-agent: *\nDisallow: /x\n"),
    );
    let a = ResolvedCrawler::from_token("a", *old.reading()).unwrap();
    let crawlers = [ResolvedCrawler::unnamed(), a];
    for (crawlers, name) in [
        (&crawlers[..1], "any other"),
        (&crawlers[1..], "a"),
        (&crawlers[..], "any other, a"),
    ] {
        let comparison = FileComparison::new(old.clone(), new.clone(), crawlers, Budget::default());
        let report = ClaimReport {
            file: Path::new("robots.test.toml"),
            robots: "robots.txt".to_owned(),
            robots_file: None,
            beside: None,
            claims: Vec::new(),
            comparison: Some(comparison.unwrap()),
            sitemaps: Vec::new(),
            pages: Vec::new(),
            warnings: Vec::new(),
        };
        let ends: Vec<_> = report.answers().map(|it| it.result).collect();
        let url = "in the served file, https://example.com/x is disallowed by line 2";
        assert_eq!(ends, [ClaimEnd::Fails(format!("{name}: {url}"))]);
    }
}
