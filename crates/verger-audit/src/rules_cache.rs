//! `RulesCache`: histories of rules by authority and week, in bounded memory.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use verger_store::StoreError;

use verger_access::{Authority, Timestamp};

use crate::rules::{Period, RulesHistory, RulesSource, span_of};

/// Size at which all histories are dropped, in bytes.
const BYTES_MAX: usize = 128 << 20;

/// Maximum number of changes in memory, 32 MiB.
const CHANGES_MAX: usize = 4 << 20;

/// Overhead of a cached history, in bytes.
const PLACE_BYTES: usize = 2 * size_of::<(Key, RulesHistory)>();

/// Authority number and week.
type Key = (Option<usize>, u64);

/// Histories by authority and week. Either part of the key is unused if it is irrelevant.
pub(crate) struct RulesCache<S> {
    source: S,
    grace: Duration,
    histories: BTreeMap<Key, RulesHistory>,
    /// Total size of the histories when each was last returned.
    bytes: usize,
    /// The times of changes, by authority number.
    changes: BTreeMap<Option<usize>, Vec<Timestamp>>,
    /// The last history returned and its size then. Its use compiles rules, so it may grow.
    last: Option<(Key, usize)>,
}

impl<S> fmt::Debug for RulesCache<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RulesCache");
        shown.field("histories", &self.histories.len());
        shown.finish_non_exhaustive()
    }
}

impl<S: RulesSource> RulesCache<S> {
    pub(crate) fn new(source: S, grace: Duration) -> Self {
        Self {
            source,
            grace,
            histories: BTreeMap::new(),
            bytes: 0,
            changes: BTreeMap::new(),
            last: None,
        }
    }

    pub(crate) fn needs_authority(&self) -> bool {
        self.source.needs_authority()
    }

    pub(crate) fn has(&self, authority: &Authority) -> Result<bool, StoreError> {
        self.source.has(authority)
    }

    /// Returns when the robots.txt in force at `time` was in force.
    pub(crate) fn in_force(
        &mut self,
        authority: Option<(usize, &Authority)>,
        time: Timestamp,
    ) -> Result<Period, StoreError> {
        let (number, authority) = authority.unzip();
        if let Some(changes) = self.changes.get(&number) {
            return Ok(Period::at(time, changes));
        }
        let changes = self.source.changes(authority)?;
        if self.changes.values().map(Vec::len).sum::<usize>() + changes.len() > CHANGES_MAX {
            self.changes.clear();
        }
        let in_force = Period::at(time, &changes);
        self.changes.insert(number, changes);
        Ok(in_force)
    }

    pub(crate) fn history(
        &mut self,
        authority: Option<(usize, &Authority)>,
        time: Timestamp,
    ) -> Result<&mut RulesHistory, StoreError> {
        self.count_last();
        if self.bytes > BYTES_MAX {
            self.histories.clear();
            self.bytes = 0;
        }
        let (week, during) = span_of(time, self.grace);
        let (number, authority) = authority.unzip();
        let key = (
            number.filter(|_| self.source.needs_authority()),
            if self.source.needs_time() { week } else { 0 },
        );
        if !self.histories.contains_key(&key) {
            let history = self.source.history(authority, during)?;
            self.bytes += PLACE_BYTES + history.heap_bytes();
            self.histories.insert(key, history);
        }
        let history = self.histories.entry(key).or_default();
        self.last = Some((key, history.heap_bytes()));
        Ok(history)
    }

    /// Accounts for rules that the last history compiled.
    fn count_last(&mut self) {
        if let Some((key, before)) = self.last.take()
            && let Some(history) = self.histories.get(&key)
        {
            self.bytes += history.heap_bytes().saturating_sub(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use verger::{Dialect, RobotsTxt, TargetPath};
    use verger_answer::ReadAs;
    use verger_crawlers::Registry;

    use super::*;
    use crate::rules::{Judgement, RulesInForce};

    /// A large file for every authority and week.
    struct Large(String);

    impl RulesSource for Large {
        fn history(
            &self,
            _authority: Option<&Authority>,
            _during: Range<Timestamp>,
        ) -> Result<RulesHistory, StoreError> {
            let robots = RobotsTxt::parse(self.0.as_str(), Dialect::Rfc9309);
            Ok(RulesHistory::always(RulesInForce::from_robots(robots)))
        }

        fn needs_authority(&self) -> bool {
            true
        }

        fn needs_time(&self) -> bool {
            true
        }
    }

    #[test]
    fn many_weeks_of_large_files_stay_within_bounds() {
        let rules = (0..30_000).map(|rule| format!("Disallow: /{rule}*a\n"));
        let rules = rules.collect::<Vec<_>>().concat();
        let source = Large(format!("User-agent: *\n{rules}"));
        let authority = Authority::from_url("https://h.example/").unwrap();
        let grace = Duration::from_secs(1);
        let mut cache = RulesCache::new(source, grace);
        let crawler = Registry::bundled().by_name("gptbot").unwrap();
        let target = TargetPath::new("/29999/a", Dialect::Rfc9309).unwrap();
        let (mut most, mut most_counted) = (0, 0);
        for week in 0..60 {
            let time = Timestamp::from_unix_seconds(week * 7 * 24 * 60 * 60);
            let history = cache.history(Some((1, &authority)), time).unwrap();
            let judged = history.judge(time, grace, (0, crawler, ReadAs::default()), &target);
            assert!(matches!(judged, Judgement::Disallowed(_)), "{judged:?}");
            let bytes = cache.histories.values().map(RulesHistory::heap_bytes);
            most = most.max(bytes.sum());
            cache.count_last();
            most_counted = most_counted.max(cache.bytes);
        }
        // One more history is read before the cache is cleared.
        assert!(most > BYTES_MAX / 2 && most < 2 * BYTES_MAX, "{most}");
        assert!(most_counted >= most, "{most_counted}");
    }
}
