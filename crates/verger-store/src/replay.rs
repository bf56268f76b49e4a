//! What another profile would know: the history of an authority, replayed.
//!
//! A snapshot keeps copy, streak and freshness as the profile counted them that fetched. Another
//! one counts the same attempts otherwise: `draft2019` keeps a copy through a 404 that ends it for
//! `rfc9309`, and what is closed for `cautious` is a failure in a row for `google`. So the attempts
//! are judged and recorded again: another profile may follow fewer redirects, or more. Reading goes
//! backwards only until an attempt says all by itself, as a body does, so that a usual history costs
//! a row or two.

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

/// No more attempts are recorded again: what was before them is taken as it was counted then.
pub const REPLAYED_SNAPSHOTS_MAX: usize = 1000;

/// The first page; most histories are read no further.
const FIRST_PAGE_SNAPSHOTS: usize = 8;

const PAGE_SNAPSHOTS: usize = 100;

/// How often a history is read that is swept meanwhile.
const READINGS_MAX: usize = 3;

/// How things stood with an authority at a time, as `profile` counts; `None` where nothing that
/// counts for it was known then.
///
/// Where the snapshot in force was put under a profile of that name, its knowledge is taken. Else
/// the attempts that the store still has, at most [`REPLAYED_SNAPSHOTS_MAX`], are judged redirect by
/// redirect ([`RecordedChain::ended_under`]) and recorded again. Those that say nothing for `profile`
/// are skipped, as if they had not been made: it has to fetch for itself. The snapshot that is
/// answered is the newest one that counts, as it was put, under whichever profile.
///
/// It is what recording the attempts that count under `profile` from the start would have made of
/// them, with these exceptions: a copy that every snapshot left in the store had given up is not
/// known any more; failures before the oldest one count as they were counted then, and a copy that
/// is older than it only where it was found without a redirect; the wait after a failure that was
/// none under the other profile is not jittered; and where `profile` would have ended a chain
/// earlier, the answer lasts the least.
///
/// # Errors
///
/// Where the store fails.
pub fn knowledge_under(
    store: &dyn Store,
    authority: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<StoredState>, StoreError> {
    for _ in 0..READINGS_MAX {
        let Some(standing) = store.standing_at(authority, at)? else {
            return Ok(None);
        };
        if standing.snapshot.profile == profile.name {
            return Ok(Some(standing));
        }
        let Some((newest, known)) = replayed(store, &standing.snapshot, profile, at)? else {
            return Ok(None);
        };
        if let Some(knowledge) = with_octets(store, known, &standing, profile)? {
            return Ok(Some(StoredState {
                snapshot: newest,
                knowledge,
            }));
        }
        // The body was there a moment ago: a sweep took it away together with its snapshot. Or its
        // octets are lost until it is fetched again, and then nothing is known.
    }
    let standing = store.standing_at(authority, at)?;
    Ok(standing.map(|standing| StoredState {
        knowledge: Knowledge::default(),
        ..standing
    }))
}

/// A snapshot that says something for a profile.
struct Counted {
    snapshot: Snapshot,
    /// The attempt as it would have ended under that profile.
    last: LastAttempt,
}

impl Counted {
    /// What `snapshot` says for `profile`; `None` where it says nothing.
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

    /// Whether nothing before it matters to what `profile` knows after it.
    fn is_enough(&self, profile: &Profile) -> bool {
        if self.snapshot.profile == profile.name {
            return true;
        }
        match profile.consequence(self.last.outcome).treatment {
            Treatment::Rules | Treatment::Open | Treatment::Closed => true,
            Treatment::OpenUnlessCopyYoungerThan(_) | Treatment::Unreachable => false,
        }
    }

    /// What recording reads of the attempt.
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

/// What `profile` knows after the snapshot in force at `at`, and the newest snapshot that says
/// something for it; `None` where none does. In place of the octets of the copy stands their hash.
fn replayed(
    store: &dyn Store,
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
            // Where the clock went back, what was put before may have ended later.
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
        // All before it says nothing.
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

/// What `profile` knows after a snapshot before which nothing is read.
fn knowledge_after(oldest: &Counted, profile: &Profile) -> Knowledge {
    let Counted { snapshot, last } = oldest;
    let is_own = snapshot.profile == profile.name;
    // What led to a copy that is older than the history is not known any more, unless nothing did.
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

/// The copy that an attempt brought: the one that was known after it, where its profile took it;
/// else it is put together from what the last response said.
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

/// A copy in which the hash stands for the octets, until it is clear which copy remains.
fn unread(copy: &KeptCopy) -> GoodCopy {
    copy.with_octets(Arc::from(copy.body.hash.octets().as_slice()))
}

/// The same knowledge with the octets of its copy; `None` where the store has them no more.
fn with_octets(
    store: &dyn Store,
    mut known: Knowledge,
    standing: &StoredState,
    profile: &Profile,
) -> Result<Option<Knowledge>, StoreError> {
    let Some(copy) = &mut known.copy else {
        return Ok(Some(known));
    };
    let Ok(octets) = <[u8; 32]>::try_from(&*copy.body) else {
        return Ok(None);
    };
    let hash = BodyHash::from_octets(octets);
    // Most often it is the one that was just read.
    let in_force = standing
        .snapshot
        .copy
        .as_ref()
        .zip(standing.knowledge.copy.as_ref());
    let read = match in_force.filter(|(kept, _)| kept.body.hash == hash) {
        Some((_, copy)) => Some(Arc::clone(&copy.body)),
        None => store.body(hash)?,
    };
    let Some(octets) = read else {
        return Ok(None);
    };
    copy.body = octets;
    // What is older than the history may be a page that only another profile takes for a file.
    known.copy = known.copy.filter(|copy| profile.takes(copy));
    Ok(Some(known))
}
