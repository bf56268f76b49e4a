//! The knowledge of another profile: the history of an authority, replayed.
//!
//! A snapshot keeps copy, streak and freshness as determined by the profile that fetched. Another
//! profile draws other conclusions from the same attempts: `draft2019` keeps a copy through a 404 that
//! ends it for `rfc9309`, and what is closed for `cautious` is one of several failures for `google`.
//! Another profile may also follow fewer redirects, or more. So the attempts are judged and recorded
//! again. Reading goes backwards only to the first attempt that is enough by itself, as a body is: a
//! row or two in a usual history.

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

/// Maximum number of attempts are recorded again. The state before them is taken from the other profile.
pub const REPLAYED_SNAPSHOTS_MAX: usize = 1000;

/// The first page. Most histories are read no further.
const FIRST_PAGE_SNAPSHOTS: usize = 8;

const PAGE_SNAPSHOTS: usize = 100;

/// How often a history is read again because a sweep changed it meanwhile.
const READINGS_MAX: usize = 3;

/// Returns what `profile` would know of an authority at a time, or `None` if the store has nothing
/// that counts for it.
///
/// Where the snapshot in force was put under a profile of that name, its knowledge is returned.
/// Otherwise the attempts that the store still has, at most [`REPLAYED_SNAPSHOTS_MAX`], are judged
/// redirect by redirect ([`RecordedChain::ended_under`]) and recorded again. Those that say nothing
/// for `profile` are skipped, as if they had not been made: it has to fetch itself. The snapshot in
/// the result is the newest one that counts, as it was put.
///
/// The knowledge is the same as if the attempts that count had been recorded under `profile` from the
/// start, with these exceptions: a copy that no snapshot left in the store refers to is not known any
/// more; failures before the oldest snapshot count as the other profile counted them, and an older
/// copy only if it was found without a redirect. The wait after a failure that was none under the
/// other profile has no jitter; and where `profile` would have ended a chain earlier, the answer has
/// the shortest lifetime.
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

/// Returns what [`knowledge_under`] returns, where the state at that time is read already. The store is asked only where it
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
        // A sweep has deleted the body together with its snapshot since it was read. Or the body is
        // damaged. Then nothing is known.
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

/// A snapshot that counts for a profile.
struct Counted {
    snapshot: Snapshot,
    /// The attempt as it would have ended under that profile.
    last: LastAttempt,
}

impl Counted {
    /// Judges `snapshot` under `profile`, or `None` if it says nothing.
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

    /// Returns whether what `profile` knows after it depends on nothing before it.
    fn is_enough(&self, profile: &Profile) -> bool {
        if self.snapshot.profile == profile.name {
            return true;
        }
        match profile.consequence(self.last.outcome).treatment {
            Treatment::Rules | Treatment::Open | Treatment::Closed => true,
            // Also of a treatment that this version does not know: more is read then.
            _ => false,
        }
    }

    /// The attempt, as far as [`Knowledge::record`] reads it.
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

/// Returns what `profile` knows after the snapshot in force at `at`, and the newest snapshot that
/// counts for it, or `None` if none does. The body of the copy is its hash for now ([`unread`]).
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
            // Where the clock has gone back, an earlier snapshot may have ended later.
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
        // No snapshot before it counts.
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

/// Returns what `profile` knows after the oldest snapshot that is read.
fn knowledge_after(oldest: &Counted, profile: &Profile) -> Knowledge {
    let Counted { snapshot, last } = oldest;
    let is_own = snapshot.profile == profile.name;
    // Which redirects led to a copy that is older than the history is not known any more.
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

/// The copy that an attempt fetched: the last good copy after it, where its profile accepted it.
/// Otherwise it is made again of the last response.
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

/// A copy whose body is the hash of the body. Only the copy that remains at the end is read.
fn unread(copy: &KeptCopy) -> GoodCopy {
    copy.with_bytes(Arc::from(copy.body.hash.bytes().as_slice()))
}

/// Reads the body of the copy, or `None` if the store does not have it any more.
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
    // Usually it is the copy of the snapshot in force, which is read already.
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
    // A copy that is older than the history may be a page that only another profile accepts.
    known.copy = known.copy.filter(|copy| profile.accepts(copy));
    Ok(Some(known))
}
