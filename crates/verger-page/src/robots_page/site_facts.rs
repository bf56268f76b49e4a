//! `SiteFacts`: what is known about a site: its robots.txt, what happened to it, and its past.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use verger_access::{Authority, Hop, Outcome, Profile, Timestamp, Warning};
use verger_answer::{AuthorityLookup, LineChanges};
use verger_store::{BodyHash, Store, StoreError, Timeline};

/// How many slots of time the history has.
const SLOTS_MAX: u64 = 160;
/// How many changes of the body are shown, the last ones.
const CHANGES_MAX: usize = 10;
/// A comparison of two bodies ends after this time.
const COMPARISON_MAX: Duration = Duration::from_millis(500);

/// The facts about a site.
#[derive(Debug)]
pub struct SiteFacts {
    /// The site, and what decides about it.
    pub lookup: AuthorityLookup,
    /// The time that is asked about.
    pub at: Timestamp,
    /// The requests of the last attempt.
    pub hops: Vec<Hop>,
    /// Warnings about it.
    pub warnings: Vec<Warning>,
    /// `None` where the store has nothing.
    pub history: Option<SiteHistory>,
}

/// The history of a site in a store.
#[derive(Debug)]
pub struct SiteHistory {
    /// The attempts, in slots of time.
    pub timeline: Timeline,
    /// The last changes of the body, oldest first.
    pub changes: VecDeque<BodyChange>,
}

/// A change of the body.
#[derive(Debug)]
pub struct BodyChange {
    /// When the attempt ended that brought it.
    pub at: Timestamp,
    /// How that attempt ended.
    pub outcome: Outcome,
    /// `None` where the store has not both bodies any more.
    pub lines: Option<LineChanges>,
}

impl SiteHistory {
    /// Reads the facts that `store` had at a time, judged by `profile`; `None` where it had nothing. Only the bodies of
    /// the last changes are read.
    ///
    /// # Errors
    ///
    /// Where the store fails.
    pub fn read(
        store: &dyn Store,
        authority: &Authority,
        profile: &Profile,
        at: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        let until = at.after(Duration::from_secs(1));
        let during = Timestamp::default()..until;
        let mut last_changed = VecDeque::new();
        let timeline = Timeline::read(
            store,
            authority,
            during,
            (profile, SLOTS_MAX),
            |snapshot, before| -> Result<(), StoreError> {
                if let (Some(before), Some(now)) = (before, snapshot.body) {
                    if last_changed.len() == CHANGES_MAX {
                        last_changed.pop_front();
                    }
                    last_changed.push_back((snapshot.attempt, before, now.hash));
                }
                Ok(())
            },
        )?;
        let Some(timeline) = timeline else {
            return Ok(None);
        };
        let mut changes = VecDeque::new();
        for (attempt, before, now) in last_changed {
            changes.push_back(BodyChange {
                at: attempt.at,
                outcome: attempt.outcome,
                lines: lines(store, before, now)?,
            });
        }
        Ok(Some(Self { timeline, changes }))
    }
}

fn lines(
    store: &dyn Store,
    before: BodyHash,
    now: BodyHash,
) -> Result<Option<LineChanges>, StoreError> {
    let (Some(before), Some(now)) = (store.body(before)?, store.body(now)?) else {
        return Ok(None);
    };
    let deadline = Instant::now() + COMPARISON_MAX;
    Ok(Some(LineChanges::between(before, now, Some(deadline))))
}
