//! `HeldPolicy`: an answer for one crawler as it is held in memory.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;

use verger::{Crawler, allocated_octets};
use verger_access::{AccessPolicy, AccessResult, Answer, Jitter, Profile, RestOfSite, Timestamp};
use verger_store::SnapshotId;

use crate::fetch::known::Known;
use crate::fetch::not_kept::NotKept;

/// What part of a lifetime is left when an answer is refreshed ahead, in thousandths; jitter moves
/// it by half as much again.
const AHEAD_THOUSANDTHS: u64 = 100;

/// The counters of an `Arc`.
const COUNTERS_OCTETS: usize = 2 * size_of::<usize>();

/// An answer for one crawler as it is held in memory.
#[derive(Debug)]
pub(crate) struct HeldPolicy {
    pub(crate) policy: AccessPolicy,
    pub(crate) snapshot: Option<SnapshotId>,
    pub(crate) not_kept: Option<NotKept>,
    octets: usize,
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
        let policy = AccessPolicy::new(&answer, crawler).compacted();
        Self {
            octets: allocated_octets(COUNTERS_OCTETS + size_of::<Self>()) + policy.heap_octets(),
            policy,
            snapshot: known.snapshot,
            not_kept: known.not_kept.clone(),
            made_at: now,
            refresh_at: refresh_at(known, &answer, jitter),
            is_refreshed: AtomicBool::new(false),
        }
    }

    pub(crate) fn answer(&self) -> &Answer {
        self.policy.answer()
    }

    /// Whether the answer is the one that would be given now. Where the clock has gone back, nobody
    /// knows.
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        self.made_at <= now && now < self.answer().holds_until()
    }

    /// Whether the authority is to be asked again ahead of time, and nobody has begun to.
    pub(crate) fn is_to_be_refreshed(&self, now: Timestamp) -> bool {
        now >= self.refresh_at && !self.is_refreshed.load(Ordering::Relaxed)
    }

    /// Takes it upon the caller to ask again; only one may.
    pub(crate) fn begin_refresh(&self) -> bool {
        !self.is_refreshed.swap(true, Ordering::Relaxed)
    }

    /// How many octets it takes behind an `Arc`, itself included.
    pub(crate) fn octets(&self) -> usize {
        self.octets
    }
}

/// When to ask ahead of time; never while the authority is unreachable, since then the wait is
/// meant.
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
