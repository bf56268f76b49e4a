use std::collections::VecDeque;
use std::time::{Duration, Instant};

use verger_access::{Authority, Hop, Outcome, Profile, Timestamp, Warning};
use verger_answer::{AuthorityLookup, LineChanges};
use verger_store::{BodyHash, Store, StoreError, Timeline};

/// Maximum number of time slots in the history.
const SLOTS_MAX: u64 = 160;
/// Maximum number of body changes shown, the last ones.
const CHANGES_MAX: usize = 10;
/// Maximum time to compare two bodies.
const COMPARISON_MAX: Duration = Duration::from_millis(500);

/// The robots.txt of a site, its fetch result, and its history.
#[derive(Debug)]
pub struct SiteFacts {
    /// The site and its state.
    pub lookup: AuthorityLookup,
    /// The time of the state.
    pub at: Timestamp,
    /// Requests of the last attempt.
    pub hops: Vec<Hop>,
    /// Warnings about the attempt.
    pub warnings: Vec<Warning>,
    /// The history, if the store has any.
    pub history: Option<SiteHistory>,
}

/// The history of a site in a store.
#[derive(Debug)]
pub struct SiteHistory {
    /// Attempts in time slots.
    pub timeline: Timeline,
    /// Last changes of the body, oldest first.
    pub changes: VecDeque<BodyChange>,
}

/// A change of the body.
#[derive(Debug)]
pub struct BodyChange {
    /// When the attempt ended that fetched the new body.
    pub at: Timestamp,
    /// Outcome of that attempt.
    pub outcome: Outcome,
    /// The changed lines, or `None` if the store no longer has both bodies.
    pub lines: Option<LineChanges>,
}

impl SiteHistory {
    /// Reads the facts that `store` had at a time, as `profile` interprets them. Returns `None` if
    /// it had none. Reads only the bodies of the last changes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
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
