//! `HeldPolicy`: a compiled answer for one crawler, as the cache keeps it.

use core::sync::atomic::{AtomicBool, Ordering};

use verger::{Crawler, RuleId, allocated_bytes};
use verger_access::{AccessPolicy, Answer, Jitter, Timestamp};
use verger_store::SnapshotId;

use crate::fetch::answered::Answered;
use crate::fetch::not_kept::NotKept;

const COUNTERS_BYTES: usize = 2 * size_of::<usize>();

#[derive(Debug)]
pub(crate) struct HeldPolicy {
    pub(crate) policy: AccessPolicy,
    pub(crate) snapshot: Option<SnapshotId>,
    pub(crate) not_kept: Option<NotKept>,
    /// The number of the overrides under which it was made.
    pub(crate) overrides: u64,
    bytes: usize,
    /// Number of the policy's tables that `bytes` includes.
    tables_counted: usize,
    made_at: Timestamp,
    refresh_at: Option<Timestamp>,
    is_refreshed: AtomicBool,
}

impl HeldPolicy {
    pub(crate) fn new(
        answered: &Answered,
        crawler: &Crawler,
        now: Timestamp,
        jitter: Jitter,
    ) -> Self {
        let Answered {
            answer,
            known,
            overrides,
        } = answered;
        let policy = AccessPolicy::new(answer, crawler);
        let last = known.knowledge.last;
        Self {
            bytes: bytes_of(&policy),
            tables_counted: 0,
            policy,
            snapshot: answered.snapshot(),
            not_kept: known.not_kept.clone(),
            made_at: now,
            refresh_at: last.and_then(|last| answer.refresh_at(last.at, jitter)),
            is_refreshed: AtomicBool::new(false),
            overrides: *overrides,
        }
    }

    /// Returns `true` if the policy has built a table since its size was measured.
    pub(crate) fn has_grown(&self) -> bool {
        self.policy.rules().table_count() > self.tables_counted
    }

    /// Returns a copy with its size measured again.
    pub(crate) fn recounted(&self) -> Self {
        let is_refreshed = self.is_refreshed.load(Ordering::Relaxed);
        self.with(self.policy.clone(), is_refreshed)
    }

    pub(crate) fn only(&self, rule: Option<RuleId>) -> Self {
        self.with(self.policy.only(rule), true)
    }

    fn with(&self, policy: AccessPolicy, is_refreshed: bool) -> Self {
        Self {
            bytes: bytes_of(&policy),
            tables_counted: policy.rules().table_count(),
            policy,
            snapshot: self.snapshot,
            not_kept: self.not_kept.clone(),
            made_at: self.made_at,
            refresh_at: self.refresh_at,
            is_refreshed: AtomicBool::new(is_refreshed),
            overrides: self.overrides,
        }
    }

    pub(crate) fn answer(&self) -> &Answer {
        self.policy.answer()
    }

    /// Returns `true` if the answer is valid now and no attempt is due. If the clock has gone back,
    /// the answer is expired.
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        let answer = self.answer();
        self.made_at <= now && now < answer.holds_until() && !answer.is_due(now)
    }

    pub(crate) fn is_to_be_refreshed(&self, now: Timestamp) -> bool {
        let is_time = self.refresh_at.is_some_and(|at| at <= now);
        is_time && !self.is_refreshed.load(Ordering::Relaxed)
    }

    /// Marks the refresh as begun. Returns `false` if another caller already did.
    pub(crate) fn begin_refresh(&self) -> bool {
        !self.is_refreshed.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

fn bytes_of(policy: &AccessPolicy) -> usize {
    allocated_bytes(COUNTERS_BYTES + size_of::<HeldPolicy>()) + policy.heap_bytes()
}
