//! `FileComparison`: the effect of a change on each crawler.

use serde_json::Value;
use verger::{Dialect, Effect, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::Budget;
use verger_owner::{
    Addition, FileComparison, NewRule, NotAdded, UrlCounts, crawlers_of, write_change_lines,
};

fn parse(body: &str) -> RobotsTxt {
    RobotsTxt::parse(body, Dialect::Rfc9309)
}

#[test]
fn lines_may_be_written_otherwise_without_a_change() {
    let old = parse(
        "User-agent: a\nDisallow: /x\nAllow: /x/y\n\nUser-agent: b\nDisallow: /x\nAllow: /x/y\n",
    );
    let new = parse(
        "user-agent: b # both\nUSER-AGENT: a\nallow: /x/%79\nDisallow: /x*\nDisallow: /x/z\n",
    );
    let crawlers = crawlers_of([&old, &new], (*old.reading()).into());
    let comparison = FileComparison::new(old, new, &crawlers, Budget::default()).unwrap();
    assert_eq!(comparison.is_same(), Some(true), "{comparison:?}");
}

#[test]
fn both_ways_are_in_the_json_with_the_rules_that_decide() {
    let old = parse("User-agent: *\nDisallow: /shop\n");
    let new = parse("User-agent: *\n\nDisallow: /shop/*?\nDisallow: /cart\n");
    let crawlers = [ResolvedCrawler::from_name("a", *old.reading()).unwrap()];
    let comparison = FileComparison::new(old, new, &crawlers, Budget::default()).unwrap();
    let mut written = Vec::new();
    write_change_lines(&mut written, &comparison).unwrap();
    let written = String::from_utf8(written).unwrap();
    let lines = written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let [change, whole] = &lines[..] else {
        panic!("{written}");
    };
    assert_eq!(change["crawlers"], serde_json::json!(["a"]));
    assert_eq!(
        change["newly_disallowed"]["url"],
        "https://example.com/cart"
    );
    assert_eq!(
        change["newly_disallowed"]["after"]["rule"],
        "Disallow: /cart"
    );
    assert_eq!(change["newly_allowed"]["url"], "https://example.com/shop");
    assert_eq!(change["newly_allowed"]["before"]["line"], 2);
    assert_eq!(change["newly_allowed"]["after"]["reason"], "no-rule");
    assert_eq!(
        (&whole["same"], &whole["unchanged"]),
        (&false.into(), &0.into())
    );
}

#[test]
fn a_retired_crawler_that_a_file_names_counts() {
    let (old, new) = (parse("User-agent: anthropic-ai\nDisallow: /\n"), parse(""));
    let crawlers = crawlers_of([&old, &new], (*old.reading()).into());
    let comparison = FileComparison::new(old, new, &crawlers, Budget::default()).unwrap();
    let [change] = comparison.changes() else {
        panic!("{comparison:?}");
    };
    assert_eq!(change.crawlers()[0].name(), "anthropic-ai");
    let allowed = change.difference().newly_allowed().witness().unwrap();
    assert_eq!(allowed.path(), "/");
}

#[test]
fn crawlers_after_a_million_rules_are_not_compared() {
    // Each of 52 names has its own group and shares one of 20,000 rules with all others.
    let names: Vec<_> = ["x", "y"]
        .into_iter()
        .flat_map(|start| ('a'..='z').map(move |end| format!("{start}{end}")))
        .collect();
    let lines = names.iter().map(|name| format!("User-agent: {name}\n"));
    let groups = lines.clone().map(|line| line + "Allow: /\n");
    let groups = groups.collect::<String>() + &lines.collect::<String>();
    let many = groups + &"Allow:\n".repeat(20_000);
    let (old, new) = (parse(""), parse(&many));
    let crawlers = names.iter();
    let crawlers = crawlers.map(|name| ResolvedCrawler::from_token(name, *old.reading()).unwrap());
    let crawlers: Vec<_> = crawlers.collect();
    let counts = UrlCounts::new(old.clone(), new.clone(), &crawlers);
    assert_eq!((counts.not_compared(), counts.is_same()), (3, None));
    let comparison = FileComparison::new(old, new, &crawlers, Budget::default()).unwrap();
    assert_eq!((comparison.not_compared(), comparison.unchanged()), (3, 49));
    let [old, _] = comparison.files_for(&crawlers[0]);
    let rule = NewRule::new(Effect::Disallow, "/x", *old.reading()).unwrap();
    let added = Addition::new(
        many.as_bytes(),
        *old.reading(),
        &crawlers[..1],
        &[rule],
        Budget::default(),
    );
    assert!(matches!(added, Err(NotAdded::NotDecided(_))), "{added:?}");
}
