//! `HeldPolicy`: a compiled answer for one crawler, as it is cached.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

use verger::{Crawler, RuleId, allocated_bytes};
use verger_access::{AccessPolicy, AccessResult, Answer, Jitter, Profile, RestOfSite, Timestamp};
use verger_store::SnapshotId;

use crate::fetch::known::Known;
use crate::fetch::not_kept::NotKept;

/// The part of a lifetime, in thousandths, that is left when an answer is refreshed; jitter changes it
/// by up to half.
const AHEAD_THOUSANDTHS: u64 = 100;

/// The reference counts of an `Arc`.
const COUNTERS_BYTES: usize = 2 * size_of::<usize>();

/// A compiled answer for one crawler, as it is cached.
#[derive(Debug)]
pub(crate) struct HeldPolicy {
    pub(crate) policy: AccessPolicy,
    pub(crate) snapshot: Option<SnapshotId>,
    pub(crate) not_kept: Option<NotKept>,
    bytes: usize,
    /// How many tables of the policy they count.
    tables_counted: usize,
    made_at: Timestamp,
    refresh_at: Timestamp,
    is_refreshed: AtomicBool,
}

impl HeldPolicy {
    pub(crate) fn new(
        known: &Known,
        crawler: &Crawler,
        profile: &Profile,
        (now, rest): (Timestamp, RestOfSite),
        jitter: Jitter,
    ) -> Self {
        let answer = known.answer(profile, now, rest);
        let policy = AccessPolicy::new(&answer, crawler);
        Self {
            bytes: bytes_of(&policy),
            tables_counted: 0,
            policy,
            snapshot: known.snapshot,
            not_kept: known.not_kept.clone(),
            made_at: now,
            refresh_at: refresh_at(known, &answer, jitter),
            is_refreshed: AtomicBool::new(false),
        }
    }

    /// Whether its policy got a table since it was counted.
    pub(crate) fn has_grown(&self) -> bool {
        self.policy.rules().table_count() > self.tables_counted
    }

    /// The same, counted anew.
    pub(crate) fn recounted(&self) -> Self {
        let is_refreshed = self.is_refreshed.load(Ordering::Relaxed);
        self.with(self.policy.clone(), is_refreshed)
    }

    /// The same with one rule, or none.
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
        }
    }

    pub(crate) fn answer(&self) -> &Answer {
        self.policy.answer()
    }

    /// Whether the answer is valid now, and no attempt is due. Where the clock has gone back, it counts as
    /// expired.
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        let answer = self.answer();
        self.made_at <= now && now < answer.holds_until() && !answer.is_due(now)
    }

    /// Whether it is time for a refresh, and none has begun.
    pub(crate) fn is_to_be_refreshed(&self, now: Timestamp) -> bool {
        now >= self.refresh_at && !self.is_refreshed.load(Ordering::Relaxed)
    }

    /// Marks the refresh as begun; returns `false` where another caller has done so.
    pub(crate) fn begin_refresh(&self) -> bool {
        !self.is_refreshed.swap(true, Ordering::Relaxed)
    }

    /// Returns how many bytes it takes in an `Arc`, itself included.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

fn bytes_of(policy: &AccessPolicy) -> usize {
    allocated_bytes(COUNTERS_BYTES + size_of::<HeldPolicy>()) + policy.heap_bytes()
}

/// When to refresh: ahead of time, but never while the authority is unreachable: a retry must not be
/// early.
fn refresh_at(known: &Known, answer: &Answer, jitter: Jitter) -> Timestamp {
    let due = answer.ask_again_at();
    let (Some(last), Some(AccessResult::Successful(_) | AccessResult::Unavailable(_))) =
        (known.knowledge.last, answer.access_result())
    else {
        return due;
    };
    let thousandths = AHEAD_THOUSANDTHS.saturating_add_signed(i64::from(jitter.thousandths()) / 2);
    let ahead = due.since(last.at).as_secs().saturating_mul(thousandths) / 1000;
    last.at.after(
        due.since(last.at)
            .saturating_sub(Duration::from_secs(ahead)),
    )
}
