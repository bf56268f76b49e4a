//! The names by which directives address a crawler.

use verger::{ProductToken, Reading};
use verger_crawlers::{KnownCrawler, Purpose, Registry, ResolvedCrawler};
use verger_extensions::{PageConvention, PageOperator, PageReader};

/// Returns the [`PageReader`] of a crawler. `read` is the reading of its robots.txt.
///
/// A crawler obeys directives for all crawlers and those with one of its product tokens, such as
/// `yandex` for `YandexBot`, but not with a token of another operator. Bing also reads `bingbot` and
/// `msnbot` for its other crawlers. Google's documentation restricts its crawlers: they know the names
/// `googlebot` and `googlebot-news` only, and crawlers that are not for search obey only directives
/// with their own name.
pub(super) fn page_reader(crawler: &ResolvedCrawler, read: Reading) -> PageReader {
    let convention = PageConvention::from(read.dialect());
    let own = crawler.own_tokens().iter().map(ProductToken::as_str);
    let Some(known) = crawler.known() else {
        return PageReader::named(own, convention);
    };
    let is_search = is_for_search(known);
    let tokens = known.tokens().iter().map(ProductToken::as_str);
    match known.operator() {
        "Google" if !is_search => PageReader::named(own, convention).by_name_only(),
        "Google" => PageReader::named(tokens, convention).of_operator(PageOperator::Google),
        "Microsoft" if is_search => {
            let names = own.chain(["bingbot", "msnbot"]);
            PageReader::named(names, convention).of_operator(PageOperator::Bing)
        }
        operator => {
            let names = own.chain(tokens.filter(|token| !is_of_another(token, operator)));
            PageReader::named(names, convention).of_operator(match operator {
                "Amazon" => PageOperator::Amazon,
                _ => PageOperator::Other,
            })
        }
    }
}

/// Returns whether a crawler reads the directives of pages as a search engine does: it fetches for
/// search, or it is one of Google's that also follow the rules for Googlebot, such as
/// Google-InspectionTool, which shows the page as Google's search sees it.
#[must_use]
pub fn is_for_search(crawler: &KnownCrawler) -> bool {
    let mut tokens = crawler.tokens().iter();
    crawler.purposes().contains(&Purpose::Search)
        || crawler.operator() == "Google" && tokens.any(|it| it.as_str() == "Googlebot")
}

/// Returns whether a token is that of a crawler of another operator. Applebot follows the groups of
/// Googlebot in robots.txt, but not its directives.
fn is_of_another(token: &str, operator: &str) -> bool {
    let owner = Registry::bundled().by_name(token);
    owner.is_some_and(|owner| owner.operator() != operator)
}
