use crate::evidence::Evidence;
use crate::known_crawler::KnownCrawler;
use verger::{ProductToken, Star};

/// Returns the facts about a crawler for people, each with a short label.
///
/// ```
/// use verger_crawlers::crawler_facts;
/// use verger_crawlers::Registry;
///
/// let gptbot = Registry::bundled().by_name("gptbot").unwrap();
/// let facts: Vec<_> = crawler_facts(gptbot).collect();
/// assert!(facts.contains(&("operator", "OpenAI".to_owned())));
/// ```
pub fn crawler_facts(crawler: &KnownCrawler) -> impl Iterator<Item = (&'static str, String)> {
    let star = match crawler.star() {
        Star::Honoured => "honoured: rules for `*` apply if no group names it",
        Star::Ignored => "ignored: rules for `*` do not apply to it",
    };
    let retired = crawler.is_retired().then_some("retired");
    let control_only = "a token for rules only, which sends no requests";
    let control_only = crawler.is_control_only().then_some(control_only);
    let status: Vec<_> = retired.into_iter().chain(control_only).collect();
    let evidence = match crawler.evidence() {
        Evidence::SecondHand => "second-hand: some facts come from third-party lists or quotations",
        _ => "the operator's own page",
    };
    let header_names = std::iter::once(crawler.header_name());
    let aliases = crawler.header_aliases().iter().map(String::as_str);
    let header_names: Vec<_> = header_names.chain(aliases).collect();
    let crawl_delay = crawler.crawl_delay().map(|delay| delay.to_string());
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let facts = [
        ("tokens in order", tokens_in_order(crawler)),
        ("star", star.to_owned()),
        ("operator", crawler.operator().to_owned()),
        ("purposes", purposes_of(crawler)),
        ("obeys", crawler.obeys().to_string()),
        ("crawl-delay", crawl_delay.unwrap_or_default()),
        ("in headers", header_names.join(", ")),
        ("status", status.join("; ")),
        ("docs", text(crawler.docs())),
        ("reverse DNS", crawler.reverse_dns().join(", ")),
        ("addresses", crawler.ip_ranges().join(", ")),
        ("note", text(crawler.note())),
        ("source", crawler.source().to_owned()),
        ("evidence", evidence.to_owned()),
        ("source read", crawler.read_on().to_string()),
    ];
    facts.into_iter().filter(|(_, fact)| !fact.is_empty())
}

/// Lists the tokens of a crawler, then `*` if it honors `*` groups.
#[must_use]
pub fn tokens_in_order(crawler: &KnownCrawler) -> String {
    let star = (crawler.star() == Star::Honoured).then_some("*");
    let tokens = crawler.tokens().iter().map(ProductToken::as_str);
    tokens.chain(star).collect::<Vec<_>>().join(", ")
}

/// Lists the purposes of a crawler.
#[must_use]
pub fn purposes_of(crawler: &KnownCrawler) -> String {
    let names = crawler.purposes().iter().map(|purpose| purpose.as_str());
    names.collect::<Vec<_>>().join(", ")
}
