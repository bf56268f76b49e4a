//! What another profile would know: the history of an authority, replayed.
//!
//! A snapshot keeps copy, streak and freshness as the profile counted them that fetched. Another
//! one counts the same attempts otherwise: `draft2019` keeps a copy through a 404 that ends it for
//! `rfc9309`, and what is closed for `cautious` is a failure in a row for `google`. So the attempts
//! are recorded again. Reading goes backwards only until an attempt says all by itself, as a body
//! does, so that a usual history costs a row or two.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use http::header::{ETAG, HeaderName, HeaderValue, LAST_MODIFIED};
use verger_access::{
    Attempt, Authority, GoodCopy, Jitter, Knowledge, Profile, Timestamp, Treatment,
};

use crate::body_hash::BodyHash;
use crate::kept_copy::KeptCopy;
use crate::snapshot::Snapshot;
use crate::standing::Standing;
use crate::store::{Store, StoreError};

/// No more attempts are recorded again: what was before them is taken as it was counted then.
pub const REPLAYED_SNAPSHOTS_MAX: usize = 1000;

/// The first page; most histories are read no further.
const FIRST_PAGE_SNAPSHOTS: usize = 8;

const PAGE_SNAPSHOTS: usize = 100;

/// How often a history is read that is swept meanwhile.
const READINGS_MAX: usize = 3;

/// How things stood with an authority at a time, as `profile` counts; `None` where nothing was
/// known then. The snapshot is as it was put, under whichever profile.
///
/// Where the snapshot in force was put under a profile of that name, its knowledge is taken. Else
/// the attempts that the store still has, at most [`REPLAYED_SNAPSHOTS_MAX`], are recorded again. It
/// is what recording them under `profile` from the start would have made of them, with three
/// exceptions: a copy that every snapshot left in the store had given up is not known any more;
/// failures before the oldest one count as they were counted then; and the wait after a failure that
/// was none under the other profile is not jittered.
///
/// # Errors
///
/// Where the store fails.
pub fn knowledge_under(
    store: &dyn Store,
    authority: &Authority,
    profile: &Profile,
    at: Timestamp,
) -> Result<Option<Standing>, StoreError> {
    for _ in 0..READINGS_MAX {
        let Some(standing) = store.standing_at(authority, at)? else {
            return Ok(None);
        };
        if standing.snapshot.profile == profile.name {
            return Ok(Some(standing));
        }
        let known = replayed(store, &standing.snapshot, profile)?;
        if let Some(knowledge) = with_octets(store, known, &standing)? {
            let snapshot = standing.snapshot;
            return Ok(Some(Standing {
                snapshot,
                knowledge,
            }));
        }
        // The body was there a moment ago: a sweep took it away together with its snapshot.
    }
    let what = format!("a body of {authority} is missing");
    Err(StoreError::Damaged(what))
}

/// What `profile` knows after the snapshot in force. In place of the octets of its copy stands
/// their hash.
fn replayed(
    store: &dyn Store,
    in_force: &Snapshot,
    profile: &Profile,
) -> Result<Knowledge, StoreError> {
    let mut history = VecDeque::from([in_force.clone()]);
    let mut page_max = FIRST_PAGE_SNAPSHOTS;
    while let Some(oldest) = history.front()
        && history.len() < REPLAYED_SNAPSHOTS_MAX
        && !is_enough(oldest, profile)
    {
        let room = page_max.min(REPLAYED_SNAPSHOTS_MAX - history.len());
        let page = store.snapshots_before(&in_force.authority, oldest.id, room)?;
        if page.is_empty() {
            break;
        }
        for snapshot in page {
            let is_enough = is_enough(&snapshot, profile);
            history.push_front(snapshot);
            if is_enough {
                break;
            }
        }
        page_max = PAGE_SNAPSHOTS;
    }
    let mut history = history.iter();
    let first = history
        .next()
        .map(|oldest| knowledge_after(oldest, profile));
    let mut known = first.unwrap_or_default();
    for snapshot in history {
        known.record(&attempt(snapshot), profile, jitter(snapshot));
    }
    Ok(known)
}

/// Whether nothing before it matters to what `profile` knows after it.
fn is_enough(snapshot: &Snapshot, profile: &Profile) -> bool {
    if snapshot.profile == profile.name {
        return true;
    }
    match profile.consequence(snapshot.attempt.outcome).treatment {
        Treatment::Rules | Treatment::Open | Treatment::Closed => true,
        Treatment::OpenUnlessCopyYoungerThan(_) | Treatment::Unreachable => false,
    }
}

/// What `profile` knows after a snapshot before which nothing is read.
fn knowledge_after(oldest: &Snapshot, profile: &Profile) -> Knowledge {
    let mut known = Knowledge {
        last: Some(oldest.attempt),
        copy: oldest.copy.as_ref().map(unread),
        streak: oldest.streak,
    };
    let treatment = profile.consequence(oldest.attempt.outcome).treatment;
    let is_counted = treatment == Treatment::Unreachable && known.streak.is_some();
    if oldest.profile != profile.name && !is_counted {
        known.record(&attempt(oldest), profile, jitter(oldest));
    }
    known
}

fn jitter(snapshot: &Snapshot) -> Jitter {
    snapshot.streak.map_or(Jitter::NONE, |streak| streak.jitter)
}

/// What recording reads of the attempt that a snapshot keeps.
fn attempt(snapshot: &Snapshot) -> Attempt {
    Attempt {
        last: snapshot.attempt,
        hops: Vec::new(),
        copy: attempted_copy(snapshot).map(|copy| unread(&copy)),
        warnings: Vec::new(),
    }
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
    standing: &Standing,
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
    Ok(Some(known))
}
