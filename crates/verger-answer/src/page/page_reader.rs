//! The names by which directives address a crawler.

use verger::{ProductToken, Reading};
use verger_crawlers::{Purpose, ResolvedCrawler};
use verger_extensions::{PageConvention, PageOperator, PageReader};

/// Returns the [`PageReader`] of a crawler. `read` is the reading of its robots.txt.
///
/// A crawler obeys directives for all crawlers and those with one of its own product tokens. Bing
/// also reads `bingbot` and `msnbot` for its other crawlers. Google's documentation restricts its
/// crawlers: they know the names `googlebot` and `googlebot-news` only, and crawlers for other purposes
/// than search obey only directives with their own name.
pub(super) fn page_reader(crawler: &ResolvedCrawler, read: Reading) -> PageReader {
    let convention = PageConvention::from(read.dialect());
    let own = crawler.own_tokens().iter().map(ProductToken::as_str);
    let Some(known) = crawler.known() else {
        return PageReader::named(own, convention);
    };
    let is_search = known.purposes().contains(&Purpose::Search);
    match known.operator() {
        "Google" if !is_search => PageReader::named(own, convention).by_name_only(),
        "Google" => {
            let tokens = known.tokens().iter().map(ProductToken::as_str);
            PageReader::named(tokens, convention).of_operator(PageOperator::Google)
        }
        "Microsoft" if is_search => {
            let names = own.chain(["bingbot", "msnbot"]);
            PageReader::named(names, convention).of_operator(PageOperator::Bing)
        }
        _ => PageReader::named(own, convention),
    }
}
