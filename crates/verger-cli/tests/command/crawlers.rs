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
}

#[test]
fn an_unknown_name_is_refused_with_those_near_it() {
    assert_eq!(
        verger_on("", "crawlers gogglebot").refused(),
        "error: no crawler is known as `gogglebot`; perhaps googlebot\n"
    );
    assert_eq!(
        verger_on("", "crawlers qqqqqq").refused(),
        "error: no crawler is known as `qqqqqq`; `verger crawlers` lists them\n"
    );
}
