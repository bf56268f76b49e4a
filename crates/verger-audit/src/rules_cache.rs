//! `RulesCache`: histories of rules by authority and week, in bounded memory.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use verger_access::{Authority, Timestamp};

use crate::rules::{RulesHistory, RulesSource, span_of};

/// How much memory histories take before they are read again: 128 MiB.
const OCTETS_MAX: usize = 128 << 20;

/// After so many requests, what was compiled since is counted.
const REQUESTS_BETWEEN_COUNTS: u32 = 100_000;

/// Histories of rules by authority and week.
pub(crate) struct RulesCache<S> {
    source: S,
    grace: Duration,
    histories: BTreeMap<(Option<usize>, u64), RulesHistory>,
    octets: usize,
    requests: u32,
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
            octets: 0,
            requests: 0,
        }
    }

    /// Whether rules differ from authority to authority.
    pub(crate) fn needs_authority(&self) -> bool {
        self.source.needs_authority()
    }

    /// The rules of an authority around a time.
    pub(crate) fn history(
        &mut self,
        authority: Option<(usize, &Authority)>,
        time: Timestamp,
    ) -> Result<&mut RulesHistory, Box<dyn Error>> {
        self.requests += 1;
        if self.requests >= REQUESTS_BETWEEN_COUNTS {
            self.requests = 0;
            let each = self
                .histories
                .values()
                .map(|history| history.heap_octets() + history.compiled_octets());
            self.octets = each.sum();
        }
        let (week, during) = span_of(time, self.grace);
        let (number, authority) = authority.unzip();
        let key = (number, week);
        if !self.histories.contains_key(&key) {
            if self.octets > OCTETS_MAX {
                self.histories.clear();
                self.octets = 0;
            }
            let history = self.source.history(authority, during)?;
            self.octets += history.heap_octets();
            self.histories.insert(key, history);
        }
        Ok(self.histories.entry(key).or_default())
    }
}
