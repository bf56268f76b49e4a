//! Recomputes the knowledge of an authority under another profile.
//!
//! A snapshot stores copy, streak and freshness as the fetching profile determined them. Another profile draws other
//! conclusions from the same attempts: `draft2019` keeps a copy through a 404 that ends it for `rfc9309`, `cautious`
//! closes a site for a status that `google` counts as one of several failures, and each follows a different number of
//! redirects. So the attempts are judged and recorded again. Reading goes back only to the first attempt that suffices
//! by itself, such as a body, which is usually one or two rows away.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use http::header::{ETAG, HeaderName, HeaderValue, LAST_MODIFIED, LOCATION};
use verger_access::{
    Attempt, Authority, GoodCopy, Jitter, Knowledge, LastAttempt, Profile, RecordedChain,
    Timestamp, Treatment,
};

use crate::body_hash::BodyHash;
use crate::kept_copy::KeptCopy;
use crate::snapshot::Snapshot;
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

/// Maximum number of attempts that are recorded again. For older ones, the state of the other profile is used.
pub const REPLAYED_SNAPSHOTS_MAX: usize = 1000;

/// The size of the first page, which suffices for most histories.
const FIRST_PAGE_SNAPSHOTS: usize = 8;

const PAGE_SNAPSHOTS: usize = 100;

/// Maximum number of times that a history is read again because a sweep changed it.
const READINGS_MAX: usize = 3;

/// Returns the knowledge of `profile` about an authority at a time, or `None` if the store has nothing that is
/// relevant for it.
///
/// If the snapshot in force was put under a profile with that name, its knowledge is returned. If not, the attempts
/// in the store, at most [`REPLAYED_SNAPSHOTS_MAX`], are judged redirect by redirect ([`RecordedChain::ended_under`])
/// and recorded again. Attempts that say nothing for `profile` are skipped, because it has to fetch by itself. The
/// snapshot in the result is the newest relevant one, as it was put.
///
/// The result equals the knowledge that `profile` would have recorded from the start, with these exceptions: a copy
/// without a snapshot in the store is lost. Failures before the oldest snapshot count as the other profile counted
/// them, and an older copy counts only if it was found without a redirect. The wait after a failure that was not a
/// failure under the other profile has no jitter. If `profile` would have ended a chain earlier, the answer has the
/// shortest lifetime.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn knowledge_under(
    store: &(impl Store + ?Sized),
    authority: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<StoredState>, StoreError> {
    let state = store.state_at(authority, at)?;
    let known = state.map(|state| state_under(store, state, profile, at));
    Ok(known.transpose()?.flatten())
}

/// Returns the result of [`knowledge_under`] for a state that was already read. Queries the store only if the state
/// is of another profile.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn state_under(
    store: &(impl Store + ?Sized),
    mut state: StoredState,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<StoredState>, StoreError> {
    for _ in 0..READINGS_MAX {
        if state.snapshot.profile == profile.name {
            return Ok(Some(state));
        }
        let Some((newest, known)) = replayed(store, &state.snapshot, profile, at)? else {
            return Ok(None);
        };
        if let Some(knowledge) = with_bytes(store, known, &state, profile)? {
            return Ok(Some(StoredState {
                snapshot: newest,
                knowledge,
            }));
        }
        // Either a sweep has deleted the body and its snapshot since it was read, or the body is damaged. A damaged
        // body means that nothing is known.
        let Some(read_again) = store.state_at(&state.snapshot.authority, at)? else {
            return Ok(None);
        };
        state = read_again;
    }
    Ok(Some(StoredState {
        knowledge: Knowledge::default(),
        ..state
    }))
}

/// A snapshot that is relevant for a profile.
struct Counted {
    snapshot: Snapshot,
    /// The attempt as it would have ended under that profile.
    last: LastAttempt,
}

impl Counted {
    /// Judges `snapshot` under `profile`, or returns `None` if it says nothing.
    fn of(snapshot: Snapshot, profile: &Profile) -> Option<Self> {
        if snapshot.profile == profile.name {
            let last = snapshot.attempt;
            return Some(Self { snapshot, last });
        }
        let fields = snapshot.headers.fields();
        let locations = fields.filter(|(name, _)| **name == LOCATION);
        let locations: Vec<&HeaderValue> = locations.map(|(_, value)| value).collect();
        let chain = RecordedChain {
            authority: &snapshot.authority,
            hops: &snapshot.hops,
            last: snapshot.attempt,
            locations: &locations,
        };
        let last = chain.ended_under(profile)?;
        Some(Self { snapshot, last })
    }

    /// Returns whether the knowledge of `profile` after it is independent of earlier attempts.
    fn is_enough(&self, profile: &Profile) -> bool {
        if self.snapshot.profile == profile.name {
            return true;
        }
        match profile.consequence(self.last.outcome).treatment {
            Treatment::Rules | Treatment::Open | Treatment::Closed => true,
            // This includes treatments that this version does not know, for which it reads further.
            _ => false,
        }
    }

    /// Returns the attempt, as far as [`Knowledge::record`] reads it.
    fn attempt(&self) -> Attempt {
        let is_as_recorded = self.last.outcome == self.snapshot.attempt.outcome;
        let copy = attempted_copy(&self.snapshot).filter(|_| is_as_recorded);
        Attempt {
            last: self.last,
            hops: Vec::new(),
            copy: copy.map(|copy| unread(&copy)),
            warnings: Vec::new(),
        }
    }

    fn record_into(&self, known: &mut Knowledge, profile: &Profile) {
        known.record(&self.attempt(), profile, jitter(&self.snapshot));
    }
}

/// Returns the knowledge of `profile` after the snapshot in force at `at`, and the newest relevant snapshot, if any.
/// The body of the copy is its hash for now ([`unread`]).
fn replayed(
    store: &(impl Store + ?Sized),
    in_force: &Snapshot,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<(Snapshot, Knowledge)>, StoreError> {
    let (mut oldest_read, mut snapshots_read) = (in_force.id, 1);
    let mut history = VecDeque::new();
    let mut page = vec![in_force.clone()];
    let mut page_max = FIRST_PAGE_SNAPSHOTS;
    'pages: while !page.is_empty() {
        for snapshot in page {
            oldest_read = snapshot.id;
            // If the clock has gone back, an earlier snapshot may have ended later.
            if history.is_empty() && snapshot.attempt.at > at {
                continue;
            }
            let Some(counted) = Counted::of(snapshot, profile) else {
                continue;
            };
            let is_enough = counted.is_enough(profile);
            history.push_front(counted);
            if is_enough {
                break 'pages;
            }
        }
        let room = page_max.min(REPLAYED_SNAPSHOTS_MAX - snapshots_read);
        if room == 0 {
            break;
        }
        page = store.snapshots_before(&in_force.authority, oldest_read, room)?;
        snapshots_read += page.len();
        page_max = PAGE_SNAPSHOTS;
    }
    let Some(oldest) = history.pop_front() else {
        return Ok(None);
    };
    let mut known = if oldest.snapshot.id == oldest_read {
        knowledge_after(&oldest, profile)
    } else {
        // No earlier snapshot is relevant.
        let mut known = Knowledge::default();
        oldest.record_into(&mut known, profile);
        known
    };
    for counted in &history {
        counted.record_into(&mut known, profile);
    }
    let newest = history.pop_back().unwrap_or(oldest);
    Ok(Some((newest.snapshot, known)))
}

/// Returns the knowledge of `profile` after the oldest snapshot that is read.
fn knowledge_after(oldest: &Counted, profile: &Profile) -> Knowledge {
    let Counted { snapshot, last } = oldest;
    let is_own = snapshot.profile == profile.name;
    // The redirects that led to a copy older than the history are unknown.
    let direct = snapshot.authority.robots_url();
    let copy = snapshot.copy.as_ref();
    let copy = copy.filter(|copy| is_own || copy.url == *direct);
    let mut known = Knowledge {
        last: Some(*last),
        copy: copy.map(unread),
        streak: snapshot.streak,
    };
    let treatment = profile.consequence(last.outcome).treatment;
    let is_counted = treatment == Treatment::Unreachable && known.streak.is_some();
    if !is_own && !is_counted {
        oldest.record_into(&mut known, profile);
    }
    known
}

fn jitter(snapshot: &Snapshot) -> Jitter {
    snapshot.streak.map_or(Jitter::NONE, |streak| streak.jitter)
}

/// Returns the copy that an attempt fetched: the last good copy after it if its profile accepted it, and a copy
/// rebuilt from the last response if not.
fn attempted_copy(snapshot: &Snapshot) -> Option<Cow<'_, KeptCopy>> {
    let body = snapshot.body?;
    let at = snapshot.attempt.at;
    let is_attempted = |copy: &&KeptCopy| copy.body == body && copy.validated_at == at;
    if let Some(copy) = snapshot.copy.as_ref().filter(is_attempted) {
        return Some(Cow::Borrowed(copy));
    }
    let header = |name: HeaderName| -> Option<HeaderValue> {
        let mut fields = snapshot.headers.fields();
        let (_, value) = fields.find(|(field, _)| **field == name)?;
        Some(value.clone())
    };
    Some(Cow::Owned(KeptCopy {
        body,
        url: snapshot.hops.last()?.url.clone(),
        entity_tag: header(ETAG),
        last_modified: header(LAST_MODIFIED),
        validated_at: at,
        stated_lifetime: snapshot.attempt.stated_lifetime,
    }))
}

/// Returns a copy whose body is the hash of the real body, because only the last copy's body is read.
fn unread(copy: &KeptCopy) -> GoodCopy {
    copy.with_bytes(Arc::from(copy.body.hash.bytes().as_slice()))
}

/// Reads the body of the copy, or returns `None` if the store no longer has it.
fn with_bytes(
    store: &(impl Store + ?Sized),
    mut known: Knowledge,
    state: &StoredState,
    profile: &Profile,
) -> Result<Option<Knowledge>, StoreError> {
    let Some(copy) = &mut known.copy else {
        return Ok(Some(known));
    };
    let Ok(bytes) = <[u8; 32]>::try_from(&*copy.body) else {
        return Ok(None);
    };
    let hash = BodyHash::from_bytes(bytes);
    // Usually this is the copy of the snapshot in force, which was read already.
    let in_force = state
        .snapshot
        .copy
        .as_ref()
        .zip(state.knowledge.copy.as_ref());
    let read = match in_force.filter(|(kept, _)| kept.body.hash == hash) {
        Some((_, copy)) => Some(Arc::clone(&copy.body)),
        None => store.body(hash)?,
    };
    let Some(bytes) = read else {
        return Ok(None);
    };
    copy.body = bytes;
    // A copy older than the history may be a page that only another profile accepts.
    known.copy = known.copy.filter(|copy| profile.accepts(copy));
    Ok(Some(known))
}
