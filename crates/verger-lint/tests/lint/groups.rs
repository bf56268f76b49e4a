//! Findings about rules name the crawlers to which they apply, and nothing is reported twice.

use verger_lint::{Finding, Linted, Served, Severity};

/// Returns line, severity, message and help of a lint's findings.
fn found(code: &str, body: &str) -> Vec<(u32, Finding)> {
    let file = Linted::new(body, &Served::default());
    let of_lint = file.findings().iter().filter(|it| it.code == code);
    let with_line = of_lint.map(|it| (file.position(it.span().start).line.get(), it.clone()));
    with_line.collect()
}

const GROUPS_OF_A_AND_B: &str = "User-agent: a\nUser-agent: b\n";

#[test]
fn a_duplicate_in_another_group_names_the_crawler() {
    let body =
        format!("{GROUPS_OF_A_AND_B}Disallow: /x\n\nUser-agent: B\nDisallow: /x\nDisallow: /y\n");
    let [(line, finding)] = &found("duplicate-rule", &body)[..] else {
        panic!("{body}");
    };
    assert_eq!((*line, finding.severity), (6, Severity::Note));
    assert_eq!(finding.message, "another group for `b` has the same rule");
    // Every crawler of the second group also has the first.
    assert_eq!(finding.help.as_deref(), Some("remove it"));
    assert!(finding.fix.is_none());
}

#[test]
fn a_duplicate_that_other_crawlers_need_is_not_reported() {
    let body =
        format!("User-agent: b\nDisallow: /x\n\n{GROUPS_OF_A_AND_B}Disallow: /x\nDisallow: /y\n");
    assert!(found("duplicate-rule", &body).is_empty());
    // Without its only rule, the second group would join the third.
    let body =
        "User-agent: b\nDisallow: /x\nUser-agent: b\nDisallow: /x\nUser-agent: c\nDisallow: /\n";
    assert!(found("duplicate-rule", body).is_empty());
    let same_group = found(
        "duplicate-rule",
        "User-agent: b\nDisallow: /x\nDisallow: /x\n",
    );
    assert!(same_group[0].1.fix.is_some());
}

#[test]
fn a_contradiction_between_groups_names_the_crawler() {
    let body = format!("{GROUPS_OF_A_AND_B}Disallow: /x\n\nUser-agent: b\nAllow: /x\n");
    let [(line, finding)] = &found("contradictory-rules", &body)[..] else {
        panic!("{body}");
    };
    assert_eq!(*line, 3);
    assert!(
        finding
            .message
            .starts_with("this line has no effect for `b`: line 6,"),
        "{}",
        finding.message
    );
    assert_eq!(finding.help.as_deref(), Some("give each crawler one group"));
    let both =
        format!("{GROUPS_OF_A_AND_B}Allow: /x\n\nUser-agent: b\nDisallow: /x\nDisallow: /y\n");
    let help = found("contradictory-rules", &both)[0]
        .1
        .help
        .clone()
        .unwrap();
    assert_eq!(
        help,
        "remove it, or the Allow line if the path should be closed"
    );
}

/// Neither of the two decides if a third rule does.
#[test]
fn a_contradiction_reports_only_which_of_the_two_takes_precedence() {
    let body = "User-agent: *\nDisallow: /b***\nAllow: /b\nDisallow: /b\n";
    let [(4, finding)] = &found("contradictory-rules", body)[..] else {
        panic!("{body}");
    };
    assert!(
        !finding.message.contains("is allowed"),
        "{}",
        finding.message
    );
    let labels: Vec<_> = finding.spans[1..].iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["takes precedence"]);
}

#[test]
fn one_line_has_one_finding_whatever_the_number_of_crawlers() {
    // Three crawlers, each with other groups, share a group with an empty Disallow line.
    let shared = "User-agent: a\nUser-agent: b\nUser-agent: c\nDisallow:\n";
    let own = |name: &str| format!("\nUser-agent: {name}\nDisallow: /{name}\n");
    let body = [shared.to_owned(), own("a"), own("b"), own("c")].concat();
    let lines: Vec<u32> = found("empty-disallow-beside-rules", &body)
        .iter()
        .map(|it| it.0)
        .collect();
    assert_eq!(lines, [4]);
    let stating =
        "User-agent: a\nUser-agent: b\nUser-agent: c\nContent-Signal: search=yes\nDisallow: /\n";
    let body = [stating.to_owned(), own("a"), own("b"), own("c")].concat();
    let lines: Vec<u32> = found("preference-of-disallowed", &body)
        .iter()
        .map(|it| it.0)
        .collect();
    assert_eq!(lines, [4]);
}

#[test]
fn a_sitemap_that_may_be_elsewhere_is_a_note() {
    let body = "User-agent: *\nDisallow: /maps/\nSitemap: https://h.example/maps/s.xml\n";
    let (_, finding) = &found("sitemap-disallowed", body)[0];
    assert_eq!(finding.severity, Severity::Note);
    assert!(
        finding
            .message
            .starts_with("if this sitemap is on the site of this file")
    );
    let served = Served {
        origin: Some("https://h.example".to_owned()),
        ..Served::default()
    };
    let file = Linted::new(body, &served);
    let mut findings = file.findings().iter();
    let finding = findings.find(|it| it.code == "sitemap-disallowed").unwrap();
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.ends_with("may not fetch this sitemap"));
}

#[test]
fn rules_are_not_called_ineffective_if_some_crawlers_were_not_checked() {
    let found = |names: usize| {
        let agents = (0..names).map(|n| format!("User-agent: n{n}\n"));
        let rules = (0..499).map(|n| format!("Disallow: /r{n}\n"));
        let others = (0..names).map(|n| format!("User-agent: n{n}\nAllow: /x/*\n"));
        let (agents, rules): (String, String) = (agents.collect(), rules.collect());
        let others: String = others.collect();
        // The rule decides for `last`.
        let body = format!("{agents}User-agent: last\nDisallow: /x/\n{rules}{others}");
        let file = Linted::new(body, &Served::default());
        let mut found = file.findings().iter();
        found.any(|it| it.code == "rule-never-decides")
    };
    assert!(!found(3) && !found(499));
}

#[test]
fn rules_that_never_decide_are_searched_up_to_a_limit() {
    let never = |body: &str| {
        let file = Linted::new(body, &Served::default());
        let mut found = file.findings().iter();
        let found = found.find(|it| it.code == "rule-never-decides");
        found.map_or(0, |it| it.places().count())
    };
    let shadowed = |count: usize| {
        let pairs = (0..count).map(|n| format!("Disallow: /{n}/*\nAllow: /{n}/\n"));
        let pairs: String = pairs.collect();
        never(&format!("User-agent: *\n{pairs}"))
    };
    assert_eq!(shadowed(500), 500);
    // Each of the 3,000 rules with `*` makes a decision dearer, too dear for the small budget.
    assert!(shadowed(3000) <= 1_000);
}

/// Another lint reports the user-agent line.
#[test]
fn a_header_has_no_contradiction() {
    let body =
        |name: &str| format!("User-agent: {name}\nDisallow: /x\n\nUser-agent: {name}\nAllow: /x\n");
    let header = body("Mozilla/5.0 (compatible; FooBot/1.0)");
    assert!(found("contradictory-rules", &header).is_empty());
    assert_eq!(found("contradictory-rules", &body("FooBot")).len(), 1);
}
