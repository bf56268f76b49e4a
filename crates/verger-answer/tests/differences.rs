//! Explanations of why another dialect has another answer, with the clause.
#![allow(clippy::unwrap_used)]

use verger::{Dialect, TargetPath};
use verger_answer::{
    CheckedFile, CrawlerQuery, Explaining, OtherAnswer, ReadingOption, Readings, ResolvedCrawler,
    RobotsFile, explanation_json,
};

/// Returns the dialects with another answer than `own`: each answer, its difference and its clause.
/// The name `*` stands for a crawler that no group names.
fn others_in(own: Dialect, body: &str, name: &str, url: &str) -> Vec<String> {
    let query = match name {
        "*" => CrawlerQuery::Unnamed,
        name => CrawlerQuery::Name(name.to_owned()),
    };
    let readings = Readings::new(own.into(), Explaining::Yes);
    let crawlers = query.resolve(readings.own()).unwrap();
    let file = CheckedFile::new(body.into(), &readings, &crawlers);
    let target = TargetPath::as_sent(url, own).unwrap();
    let answer = file.answer(0, url.as_bytes(), &target);
    let others = answer.explanation.unwrap().others;
    others.iter().map(shown).collect()
}

fn shown(other: &OtherAnswer<'_>) -> String {
    let answer = other.verdict.map_or("-".to_owned(), |verdict| {
        let by = verdict.line().map_or_else(
            || verdict.reason().as_str().to_owned(),
            |line| format!("line {line}"),
        );
        format!("{} {by}", verdict.effect())
    });
    let clause = other.difference.clause();
    let clause = clause.map_or(String::new(), |clause| format!(" ({clause})"));
    format!("{} {answer}: {}{clause}", other.dialect, other.difference)
}

fn others(body: &str, name: &str, url: &str) -> Vec<String> {
    others_in(Dialect::Rfc9309, body, name, url)
}

#[test]
fn the_target_makes_the_difference() {
    let body = "User-agent: *\nDisallow: /\n";
    assert_eq!(
        others(body, "*", "/robots.txt"),
        [
            "google disallow line 2: `/robots.txt` is an ordinary path (google/robotstxt, precedence)"
        ]
    );
    assert_eq!(
        others_in(Dialect::Google, body, "*", "/robots.txt"),
        [
            "rfc9309 allow robots-txt: `/robots.txt` is always allowed (RFC 9309, 2.2.2)",
            "draft2019 allow robots-txt: `/robots.txt` is always allowed (draft-koster-rep-00, 2.2.2)",
            "koster1996 allow robots-txt: `/robots.txt` is always allowed (Verger's choice 39)",
        ]
    );
    assert_eq!(
        others("User-agent: *\nDisallow: //a\n", "*", "//a/b"),
        ["google allow no-rule: compares `/b` (google/robotstxt, path of a URL)"]
    );
}

#[test]
fn escapes_of_a_target_are_no_difference_of_their_own() {
    assert_eq!(
        others(
            "User-agent: *\nDisalow: /\n",
            "*",
            "https://h.example/\u{e9} b"
        ),
        [
            "google disallow line 2: line 2 is read as `disallow`, not as an unknown `Disalow` \
             (google/robotstxt, keys)"
        ]
    );
}

#[test]
fn a_question_has_no_meaning_where_its_url_or_its_crawler_has_none() {
    let body = "User-agent: *\nDisallow: /b\n";
    assert_eq!(
        others(body, "*", "https://u;v@h/a"),
        ["google -: the question is invalid: `https://h/a`: invalid URL: invalid domain character"]
    );
    let others = others_in(Dialect::Google, body, "Foo/1", "/b");
    let expected = "rfc9309 -: the question is invalid: `Foo/1` is not a product token: use `Foo`";
    assert_eq!(others[0], expected);
}

#[test]
fn the_other_dialects_have_the_options_of_the_question() {
    let own = ReadingOption::IgnoreAllow.set(Dialect::Rfc9309.into());
    let file = RobotsFile::new(b"User-agent: *\nAllow: /a\nDisallow: /\n", own);
    let crawler = ResolvedCrawler::unnamed();
    let target = TargetPath::new("/a", own).unwrap();
    let json = explanation_json(&file, &crawler, b"/a", &target).unwrap();
    assert!(json.contains(r#""other_dialects":[]"#), "{json}");
}

#[test]
fn the_line_of_a_rule_is_read_otherwise() {
    assert_eq!(
        others("User-agent: *\nDissallow: /a\n", "*", "/a"),
        [
            "google disallow line 2: line 2 is read as `disallow`, not as an unknown `Dissallow` \
             (google/robotstxt, keys)"
        ]
    );
    assert_eq!(
        others("User-agent *\nDisallow: /a\n", "*", "/a"),
        [
            "google disallow line 2: line 1 is read as `user-agent`, not as nothing \
             (google/robotstxt, keys)"
        ]
    );
}

#[test]
fn a_line_before_the_rule_is_read_otherwise() {
    let misspelt = "User-agent: *\nAllow: /b\nUseragent: x\nDisallow: /a\n";
    let read = "line 3 is read as `user-agent`, not as an unknown `Useragent`";
    assert_eq!(
        others(misspelt, "*", "/a"),
        [format!(
            "google allow no-rule: {read} (google/robotstxt, keys)"
        )]
    );
    let read = "line 3 is read as an unknown `Useragent`, not as `user-agent`";
    assert_eq!(
        others_in(Dialect::Google, misspelt, "*", "/a"),
        ["rfc9309", "draft2019", "koster1996"]
            .map(|dialect| format!("{dialect} disallow line 4: {read} (google/robotstxt, keys)"))
    );
    // A rule that only one dialect reads separates the user-agent lines.
    let separated = "User-agent: a\nDisalow: /x\nUser-agent: b\nDisallow: /";
    assert_eq!(
        others(separated, "a", "/y"),
        [
            "google allow no-rule: line 2 is read as `disallow`, not as an unknown `Disalow` \
             (google/robotstxt, keys)"
        ]
    );
}

#[test]
fn a_blank_line_is_named_only_where_it_makes_the_difference() {
    let body = "User-agent: a\n\nUser-agent: *\nAllow: /b\n \t\nDisallow: /b/c\n";
    assert_eq!(
        others(body, "b", "/b/c"),
        ["koster1996 allow line 4: line 5 is blank and ends the record (Koster 1996, 3.2)"]
    );
    assert_eq!(
        others_in(Dialect::Koster1996, body, "b", "/b/c")[0],
        "rfc9309 disallow line 6: line 5 is blank and does not end the record (Koster 1996, 3.2)"
    );
    let no_group = "koster1996 allow no-group: line 2 is blank and ends the record";
    for body in [
        "User-agent: a\n\nUser-agent: b\nDisallow: /\n",
        "User-agent: a\n\nDisallow: /\n",
    ] {
        let expected = format!("{no_group} (Koster 1996, 3.2)");
        assert_eq!(others(body, "a", "/b"), [expected]);
    }
}

#[test]
fn a_group_applies_in_one_dialect_only() {
    let versioned = "User-agent: FooBot/2\nDisallow: /a\n";
    assert_eq!(
        others(versioned, "FooBot", "/a"),
        [
            "koster1996 allow no-group: the group at line 1 does not apply to this crawler \
             (Koster 1996, 3.2.1)"
        ]
    );
    assert_eq!(
        others_in(Dialect::Koster1996, versioned, "FooBot", "/a")[0],
        "rfc9309 disallow line 2: the group at line 1 applies to this crawler (Koster 1996, 3.2.1)"
    );
    let without_rules = "User-agent: *\nDisallow: /\n\nUser-agent: q\n";
    assert_eq!(
        others(without_rules, "q", "/a"),
        [
            "koster1996 disallow line 2: the group at line 4 has no rules and does not apply \
             (Koster 1996, 3.3)"
        ]
    );
    assert_eq!(
        others_in(Dialect::Koster1996, without_rules, "q", "/a")[0],
        "rfc9309 allow no-rule: the group at line 4 applies, although it has no rules \
         (Koster 1996, 3.3)"
    );
}

#[test]
fn of_several_groups_one_or_all_count() {
    let two_stars = "User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b\n";
    let first = "allow no-rule: only the first of several groups applies";
    assert_eq!(
        others(two_stars, "*", "/b"),
        [
            format!("draft2019 {first} (draft-koster-rep-00, 2.2.1)"),
            format!("koster1996 {first} (Verger's choice 9)"),
        ]
    );
    let all = "disallow line 4: several groups are merged";
    assert_eq!(
        others_in(Dialect::Draft2019, two_stars, "*", "/b"),
        ["rfc9309", "google"]
            .map(|dialect| format!("{dialect} {all} (draft-koster-rep-00, 2.2.1)"))
    );
}

#[test]
fn the_comparison_makes_the_difference() {
    let wildcard = "User-agent: *\nDisallow: /*.gif\n";
    assert_eq!(
        others(wildcard, "*", "/a.gif"),
        ["koster1996 allow no-rule: line 2 does not match (Koster 1996, 3.2.2)"]
    );
    assert_eq!(
        others_in(Dialect::Koster1996, wildcard, "*", "/a.gif")[0],
        "rfc9309 disallow line 2: line 2 matches (Koster 1996, 3.2.2)"
    );
    assert_eq!(
        others("User-agent: *\nDisallow: /%7Eme\n", "*", "/~me"),
        ["google allow no-rule: line 2 does not match (google/robotstxt, escaping)"]
    );
}

#[test]
fn the_precedence_makes_the_difference() {
    let first = "line 2 is the first rule that matches (Koster 1996, 3.2.2)";
    let allowed = "User-agent: *\nDisallow: /a\nAllow: /a/b\n";
    assert_eq!(
        others(allowed, "*", "/a/b"),
        [format!("koster1996 disallow line 2: {first}")]
    );
    assert_eq!(
        others_in(Dialect::Koster1996, allowed, "*", "/a/b")[0],
        "rfc9309 allow line 3: the most specific rule decides, not the first (Koster 1996, 3.2.2)"
    );
    assert_eq!(
        others(
            "User-agent: *\nAllow: /a:b\nDisallow: /*bcd\n",
            "*",
            "/a:bcd"
        ),
        ["google disallow line 3: line 3 has 5 bytes, line 2 has 4 (google/robotstxt, precedence)",]
    );
}

#[test]
fn another_rule_with_the_same_effect_is_another_answer() {
    let body = "User-agent: *\nDisallow: /a\nDisallow: /a/b\n";
    let first = "line 2 is the first rule that matches (Koster 1996, 3.2.2)";
    assert_eq!(
        others(body, "*", "/a/b"),
        [format!("koster1996 disallow line 2: {first}")]
    );
}

#[test]
fn what_is_after_the_limit_is_read_in_one_dialect_only() {
    let filler = format!("# {}\n", "x".repeat(997)).repeat(512);
    let body = format!("User-agent: *\n{filler}Disallow: /\n");
    assert_eq!(
        others(&body, "*", "/a"),
        [
            "google disallow line 514: line 514 is read, because there is no size limit (RFC 9309, 2.5)"
        ]
    );
    assert_eq!(
        others_in(Dialect::Google, &body, "*", "/a")[0],
        "rfc9309 allow no-rule: line 514 is beyond the size limit (RFC 9309, 2.5)"
    );
}
