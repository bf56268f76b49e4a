use std::borrow::Cow;

use verger::{Crawler, GroupMatch, Policy, Reading, RobotsTxt};
use verger_answer::ResolvedCrawler;

use super::new_rule::NewRule;

/// Returns the file in the reading of a crawler.
pub(super) fn read_for<'r>(robots: &'r RobotsTxt, crawler: &ResolvedCrawler) -> Cow<'r, RobotsTxt> {
    let reading = crawler.reading(*robots.reading());
    if reading == *robots.reading() {
        return Cow::Borrowed(robots);
    }
    Cow::Owned(RobotsTxt::parse(robots.body(), reading))
}

/// Returns the rules that apply to a crawler, as written.
pub(super) fn rules_of(robots: &RobotsTxt, crawler: &ResolvedCrawler) -> Vec<Vec<u8>> {
    let found = robots.groups_for(crawler.crawler());
    let groups = found.iter().flat_map(GroupMatch::groups);
    let rules = groups.flat_map(|group| group.rules().collect::<Vec<_>>());
    rules.map(|rule| rule.record().text().to_vec()).collect()
}

/// Returns the lines of new rules.
pub(super) fn lines_of<'n>(rules: impl IntoIterator<Item = &'n NewRule>) -> Vec<Vec<u8>> {
    let lines = rules.into_iter();
    lines.map(|rule| rule.to_string().into_bytes()).collect()
}

/// Returns the policy of these lines.
pub(super) fn policy_of(lines: &[Vec<u8>], reading: Reading) -> Policy {
    let body = [b"User-agent: *\n".to_vec(), lines.join(&b'\n')].concat();
    Policy::read(&body, &Crawler::unnamed(), reading)
}
