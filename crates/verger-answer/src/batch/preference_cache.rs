use std::collections::BTreeMap;

use verger::{Crawler, Dialect, RobotsTxt};
use verger_extensions::{StatedPreferences, stated_preferences};

use crate::batch::request::Agent;

/// Maximum number of lines in the cache, unless a single crawler has more.
const LINES_KEPT_MAX: usize = 100_000;

/// A cache of the preferences that the body of one line states. Crawlers with the same rules may have different
/// preferences, because AIPREF has its own grouping, so they are kept by name.
#[derive(Debug, Default)]
pub(crate) struct PreferenceCache {
    by_agent: BTreeMap<(Dialect, Agent), StatedPreferences>,
    lines: usize,
}

impl PreferenceCache {
    /// Returns the preferences that `robots` states to the crawler with this name.
    pub(crate) fn of(
        &mut self,
        agent: &Agent,
        crawler: &Crawler,
        robots: &RobotsTxt,
    ) -> &StatedPreferences {
        let key = (robots.dialect(), agent.clone());
        if !self.by_agent.contains_key(&key) {
            let stated = stated_preferences(robots, crawler);
            let lines = 1 + stated.len();
            if self.lines + lines > LINES_KEPT_MAX {
                self.by_agent.clear();
                self.lines = 0;
            }
            self.lines += lines;
            self.by_agent.insert(key.clone(), stated);
        }
        &self.by_agent[&key]
    }
}
