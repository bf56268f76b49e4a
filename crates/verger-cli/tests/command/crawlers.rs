//! The registry.

use crate::verger::verger_on;

#[test]
fn the_table_has_a_line_for_each_crawler() {
    let said = verger_on("", "crawlers").quietly(0);
    assert!(said.starts_with("name "));
    let line = said
        .lines()
        .find(|line| line.starts_with("googlebot-news "));
    assert!(line.unwrap().contains(" Googlebot-News, Googlebot, * "));
    let json = verger_on("", "crawlers --json").quietly(0);
    assert_eq!(json.lines().count() + 1, said.lines().count());
}

#[test]
fn one_crawler_is_told_in_full() {
    let said = verger_on("", "crawlers AdsBot-Google").quietly(0);
    assert!(
        said.starts_with("adsbot-google\n  tokens in order  AdsBot-Google\n"),
        "{said}"
    );
    assert!(said.contains("ignored: rules for `*` do not apply to it"));
    let json = verger_on("", "crawlers adsbot-google --json").quietly(0);
    let start = r#"{"schema":"verger.crawler/1","name":"adsbot-google","#;
    assert!(json.starts_with(start), "{json}");
    assert!(json.contains(r#""star":"ignored""#));
    assert!(said.contains("  evidence         the operator's own page\n"));
    assert!(said.contains("  source read      2026-11-20\n"), "{said}");
    assert!(json.ends_with(",\"evidence\":\"operator\",\"read\":\"2026-11-20\"}\n"));
}

#[test]
fn second_hand_facts_are_marked() {
    let said = verger_on("", "crawlers redditbot").quietly(0);
    assert!(said.contains("  evidence         second-hand: "), "{said}");
    let json = verger_on("", "crawlers redditbot --json").quietly(0);
    assert!(json.contains(r#""evidence":"second-hand""#), "{json}");
}

#[test]
fn an_unknown_name_is_refused_with_those_near_it() {
    assert_eq!(
        verger_on("", "crawlers gogglebot").refused(),
        "error: unknown crawler `gogglebot`\nhelp: did you mean googlebot?\n"
    );
    assert_eq!(
        verger_on("", "crawlers qqqqqq").refused(),
        "error: unknown crawler `qqqqqq`\nhelp: `verger crawlers` lists all crawlers with their operators\n"
    );
}

#[test]
fn a_purpose_and_an_operator_list_what_has_both() {
    let said = verger_on("", "crawlers --operator OpenAI --purpose ai-train").quietly(0);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(
        said.lines().nth(1).unwrap().starts_with("gptbot "),
        "{said}"
    );
}

#[test]
fn an_unknown_purpose_or_operator_is_refused_with_the_known_ones() {
    let purpose = verger_on("", "crawlers --purpose ai").refused();
    assert!(purpose.contains(": it takes ads, ai-input,"), "{purpose}");
    assert_eq!(
        verger_on("", "crawlers --operator OpnAI").refused(),
        "error: no known crawler has the operator `OpnAI`\nhelp: did you mean OpenAI?\n"
    );
}
