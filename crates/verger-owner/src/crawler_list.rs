//! The crawlers that a question about whole files is about.

use std::collections::BTreeSet;

use verger::{DiagnosticKind, Reading, RobotsTxt};
use verger_answer::{CrawlerQueryError, ResolvedCrawler};
use verger_crawlers::Registry;

/// The crawler of a name in a file: one of the registry that is out of use, or any other of that name.
/// Those in use are listed anyway, by their own tokens.
fn named(name: &str, reading: Reading) -> Result<ResolvedCrawler, CrawlerQueryError> {
    let known = Registry::bundled().by_name(name);
    match known.filter(|known| known.is_retired()) {
        Some(known) => ResolvedCrawler::of_name(known.name(), reading),
        None => ResolvedCrawler::of_token(name, reading),
    }
}

/// The crawlers that files can say something about: one to which only `*` groups apply, all known
/// crawlers in use, and those that a file names and the registry does not know.
///
/// A crawler is listed only under a name that a line can have for it in the reading of the file: what
/// `User-agent: Foo Bar` names is `Foo`.
pub fn crawlers_of<'r>(files: impl IntoIterator<Item = &'r RobotsTxt>) -> Vec<ResolvedCrawler> {
    let mut crawlers = vec![ResolvedCrawler::unnamed()];
    crawlers.extend(ResolvedCrawler::all_in_use());
    let own = crawlers
        .iter()
        .filter_map(|it| it.crawler().tokens().first());
    let mut seen: BTreeSet<String> = own.map(|it| it.as_str().to_ascii_lowercase()).collect();
    for robots in files {
        let lines = robots
            .groups()
            .flat_map(|group| group.user_agents().collect::<Vec<_>>());
        let written = lines.map(|line| line.value());
        let cut = robots
            .diagnostics()
            .filter_map(|diagnostic| match diagnostic.kind {
                DiagnosticKind::AgentCut { token } => Some(token),
                _ => None,
            });
        for name in written.chain(cut) {
            let name = String::from_utf8_lossy(name);
            let Ok(crawler) = named(&name, *robots.reading()) else {
                continue;
            };
            // `*` is no name, though Google's library takes any text for one.
            let is_named = !crawler.crawler().tokens().is_empty()
                && !name.starts_with('*')
                && crawler.unmatchable(*robots.reading()).is_none();
            if is_named && seen.insert(name.to_ascii_lowercase()) {
                crawlers.push(crawler);
            }
        }
    }
    crawlers
}
