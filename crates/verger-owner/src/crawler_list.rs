//! The crawlers that a question about whole files is about.

use std::collections::BTreeSet;

use verger::{ProductToken, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_crawlers::Registry;

/// The crawlers that files can say something about: one to which only `*` groups apply, all known
/// crawlers in use, and those that a file names and the registry does not know, in file order.
///
/// The files are read in one reading.
pub fn crawlers_of<'r>(files: impl IntoIterator<Item = &'r RobotsTxt>) -> Vec<ResolvedCrawler> {
    let mut crawlers = vec![ResolvedCrawler::unnamed()];
    crawlers.extend(ResolvedCrawler::all_in_use());
    let known = Registry::bundled().iter();
    let tokens = known.flat_map(|known| known.tokens().iter().map(ProductToken::as_str));
    let mut seen: BTreeSet<String> = tokens.map(str::to_ascii_lowercase).collect();
    for robots in files {
        for group in robots.groups() {
            for line in group.user_agents() {
                let name = String::from_utf8_lossy(line.value());
                if seen.contains(&name.to_ascii_lowercase()) {
                    continue;
                }
                let crawler = ResolvedCrawler::of_token(&name, *robots.reading());
                if let Some(crawler) = crawler.ok().filter(|it| it.crawler().tokens().len() == 1) {
                    seen.insert(name.to_ascii_lowercase());
                    crawlers.push(crawler);
                }
            }
        }
    }
    crawlers
}
