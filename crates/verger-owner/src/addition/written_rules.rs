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

/// Returns the policy of the new rules alone.
pub(super) fn policy_of(rules: &[NewRule], reading: Reading) -> Policy {
    let rules: Vec<String> = rules.iter().map(ToString::to_string).collect();
    let body = format!("User-agent: *\n{}\n", rules.join("\n"));
    Policy::read(&body, &Crawler::unnamed(), reading)
}
