//! Describes the crawlers behind a token.

use verger::{ProductToken, Star};
use verger_crawlers::{KnownCrawler, Obeys, Registry};

use verger_answer::{CountOf, purposes_of};

/// Maximum number of crawlers named in a text.
const NAMES_MAX: usize = 10;

/// Lists the first crawlers and the number of others.
pub(crate) fn names(crawlers: &[&KnownCrawler]) -> String {
    let shown = crawlers.iter().take(NAMES_MAX);
    let shown = shown.map(|it| it.own_token().as_str()).collect::<Vec<_>>();
    let shown = shown.join(", ");
    match crawlers.len().saturating_sub(NAMES_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

pub(crate) fn count(crawlers: usize) -> impl std::fmt::Display {
    let count = u64::try_from(crawlers).unwrap_or(u64::MAX);
    CountOf(count, "known crawler", "known crawlers")
}

/// Returns paragraphs about the crawlers of a token.
pub(crate) fn about_token(token: &str) -> Vec<String> {
    let registry = Registry::bundled();
    let is_token = |it: &ProductToken| it.as_str().eq_ignore_ascii_case(token);
    let own = registry.iter().find(|it| is_token(it.own_token()));
    let others = registry.iter().filter(|it| !it.is_retired());
    let others: Vec<_> = others
        .filter(|it| it.tokens().iter().skip(1).any(is_token))
        .collect();
    let mut paragraphs = match own {
        Some(crawler) => about_crawler(crawler),
        None if others.is_empty() => vec![unknown(token)],
        None => Vec::new(),
    };
    if !others.is_empty() {
        let names = names(&others);
        paragraphs.push(format!(
            "Without a group of their own, these obey the group of `{token}`: {names}."
        ));
    }
    paragraphs
}

fn unknown(token: &str) -> String {
    let meant = Registry::bundled().misspelt(token);
    let meant = meant.map(|it| format!(" Did you mean `{}`?", it.own_token()));
    let meant = meant.unwrap_or_default();
    format!("No known crawler has the token `{token}`.{meant}")
}

fn about_crawler(crawler: &KnownCrawler) -> Vec<String> {
    let token = crawler.own_token();
    let (operator, purposes) = (crawler.operator(), purposes_of(crawler));
    let mut facts = vec![format!(
        "`{token}`: a crawler of {operator}. Purposes: {purposes}."
    )];
    let star = (crawler.star() == Star::Honoured).then_some("*");
    let fallback = crawler.tokens().iter().skip(1).map(ProductToken::as_str);
    let fallback: Vec<_> = fallback.chain(star).map(|it| format!("`{it}`")).collect();
    facts.push(if fallback.is_empty() {
        "Without a group of its own, it obeys no group, not even `*`.".to_owned()
    } else {
        let fallback = fallback.join(", then of ");
        format!("Without a group of its own, it obeys the group of {fallback}.")
    });
    let notes = [
        (crawler.obeys() == Obeys::No).then_some("It does not obey robots.txt."),
        (crawler.obeys() == Obeys::Unclear).then_some("It is unclear whether it obeys robots.txt."),
        crawler
            .is_control_only()
            .then_some("It is a token for rules only and sends no requests."),
        crawler.is_retired().then_some("It is retired."),
    ];
    let notes: Vec<_> = notes.into_iter().flatten().collect();
    if !notes.is_empty() {
        facts.push(notes.join(" "));
    }
    facts.extend(crawler.docs().map(|docs| format!("<{docs}>")));
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_that_of_a_crawler_or_of_none() {
        let text = |token| about_token(token).join("\n");
        assert!(text("gptbot").starts_with("`GPTBot`: a crawler of OpenAI. Purposes: ai-train."));
        assert!(text("googlebot").contains("Without a group of their own, these obey"));
        assert_eq!(
            text("Googelbot"),
            "No known crawler has the token `Googelbot`. Did you mean `Googlebot`?"
        );
        assert_eq!(text("xyzzy"), "No known crawler has the token `xyzzy`.");
    }
}
