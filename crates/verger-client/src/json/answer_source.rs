use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Authority, BodyEnd, Profile, Timestamp};
use verger_answer::{AuthorityLookup, AuthorityState};
use verger_store::{SnapshotId, Store, StoreError};

use super::authority_state::{state_at, state_of_report};
use super::body_end;
use crate::answers::asking::Asking;
use crate::answers::client::FetchReport;
use crate::clock::{Clock as _, SystemClock};
use crate::fetch::client_error::ClientError;

/// Queries a client about several authorities, like
/// [`Client::report_many`](crate::Client::report_many).
pub type Reporting = Box<dyn FnMut(&[Authority], Asking) -> Vec<Result<FetchReport, ClientError>>>;

/// The lookup of each authority, or an error message.
pub type FoundLookups = HashMap<Authority, Result<Rc<AuthorityLookup>, ReadError>>;

/// Looks up the knowledge about authorities: through a client, or in a store as of an earlier time.
pub struct AnswerSource {
    profile: Profile,
    origin: Origin,
}

enum Origin {
    /// The web, through a client that keeps its attempts in the store.
    Web {
        report: Reporting,
        store: Arc<dyn Store>,
        refreshing: Refreshing,
    },
    /// The store's knowledge at a time. Nothing is known without a store.
    Past {
        store: Option<Arc<dyn Store>>,
        at: Timestamp,
    },
}

/// Whether knowledge that has not expired is fetched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refreshing {
    No,
    /// Fetch again, unless this run or a later one put the snapshot. The number is that of the
    /// first snapshot that this run put.
    Before(Option<SnapshotId>),
}

type Looked = Result<AuthorityLookup, Box<dyn Error>>;

impl fmt::Debug for AnswerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("AnswerSource");
        debug.field("profile", &self.profile);
        debug.finish_non_exhaustive()
    }
}

impl AnswerSource {
    /// Looks authorities up on the web. `report` queries a client that uses `profile` and keeps its
    /// attempts in `store`. An authority is fetched when due, or once in any case if `refreshed`.
    #[must_use]
    pub fn web(
        profile: Profile,
        store: Arc<dyn Store>,
        refreshed: bool,
        report: Reporting,
    ) -> Self {
        let refreshing = if refreshed {
            Refreshing::Before(None)
        } else {
            Refreshing::No
        };
        let origin = Origin::Web {
            report,
            store,
            refreshing,
        };
        Self { profile, origin }
    }

    /// Looks authorities up in `store` as of a time. Nothing is known without a store.
    #[must_use]
    pub fn past(profile: Profile, store: Option<Arc<dyn Store>>, at: Timestamp) -> Self {
        let origin = Origin::Past { store, at };
        Self { profile, origin }
    }

    /// Looks up authorities, once each. Valid results that `held` has in memory are used.
    pub fn find<'a>(
        &mut self,
        authorities: impl IntoIterator<Item = &'a Authority>,
        held: impl Fn(&Authority) -> Option<Rc<AuthorityLookup>>,
    ) -> FoundLookups {
        let mut found = FoundLookups::new();
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        for authority in authorities {
            if !seen.insert(authority) {
                continue;
            }
            match held(authority).filter(|lookup| self.holds(lookup)) {
                Some(lookup) => drop(found.insert(authority.clone(), Ok(lookup))),
                None => wanted.push(authority.clone()),
            }
        }
        let looked = self.look(&wanted).into_iter();
        for (authority, looked) in wanted.into_iter().zip(looked) {
            let looked = looked
                .map(Rc::new)
                .map_err(|error| error.to_string().into());
            found.insert(authority, looked);
        }
        found
    }

    fn look(&mut self, authorities: &[Authority]) -> Vec<Looked> {
        let Self { profile, origin } = self;
        match origin {
            Origin::Web {
                report,
                store,
                refreshing,
            } => {
                let reports = match refreshing {
                    Refreshing::No => report(authorities, Asking::WhereDue),
                    Refreshing::Before(_) => refresh(report, &**store, refreshing, authorities),
                };
                let reports = reports.into_iter();
                reports
                    .map(|it| Ok(lookup_of_report(it?, profile, &**store)))
                    .collect()
            }
            Origin::Past { store, at } => {
                let look = |authority| Ok(lookup_at(store.as_deref(), profile, *at, authority)?);
                authorities.iter().map(look).collect()
            }
        }
    }

    fn holds(&self, lookup: &AuthorityLookup) -> bool {
        match (&self.origin, &lookup.state) {
            (Origin::Past { .. }, _) => true,
            (Origin::Web { .. }, Some(state)) => {
                let now = SystemClock.now();
                let answer = &state.answer;
                let is_seen = state.seen_at.is_none_or(|at| at <= now);
                is_seen && now < answer.holds_until() && !answer.is_due(now)
            }
            (Origin::Web { .. }, None) => false,
        }
    }
}

/// Returns the reported state of an authority, from a client that uses `profile` and keeps its
/// attempts in `store`. If the body is long and was not fetched now, this reads the history to
/// learn whether the body is complete, and may wait for the store.
#[must_use]
pub fn lookup_of_report(
    report: FetchReport,
    profile: &Profile,
    store: &dyn Store,
) -> AuthorityLookup {
    let authority = report.authority.clone();
    let fetched = body_end::of_fetch(&report);
    let state = state_of_report(report).map(|state| AuthorityState {
        body_end: fetched.unwrap_or_else(|| body_end::of_stored(store, &authority, &state)),
        ..state
    });
    AuthorityLookup {
        authority,
        profile: profile.name.to_string(),
        state,
    }
}

/// Returns the state of an authority under `profile` as of a time. It is empty without a store.
///
/// # Errors
///
/// Returns an error if the store fails.
pub fn lookup_at(
    store: Option<&dyn Store>,
    profile: &Profile,
    at: Timestamp,
    authority: &Authority,
) -> Result<AuthorityLookup, StoreError> {
    let state = match store {
        Some(store) => state_at(store, authority, profile, at)?,
        None => None,
    };
    let ended = state.map(|state| AuthorityState {
        body_end: store.map_or(BodyEnd::Whole, |store| {
            body_end::of_stored(store, authority, &state)
        }),
        ..state
    });
    Ok(AuthorityLookup {
        authority: authority.clone(),
        profile: profile.name.to_string(),
        state: ended,
    })
}

/// Fetches the authorities that this run has not fetched yet. Instead of remembering them all, it
/// compares snapshot numbers, because later snapshots have larger ones.
fn refresh(
    report: &mut Reporting,
    store: &dyn Store,
    refreshing: &mut Refreshing,
    authorities: &[Authority],
) -> Vec<Result<FetchReport, ClientError>> {
    let first = match refreshing {
        Refreshing::Before(first) => *first,
        Refreshing::No => None,
    };
    let is_due = |authority: &Authority| {
        let latest = first.and_then(|_| store.latest(authority).ok()?);
        latest.is_none_or(|latest| Some(latest.snapshot.id) < first)
    };
    let (due, known): (Vec<_>, Vec<_>) = authorities.iter().cloned().partition(is_due);
    let mut asked_now = report(&due, Asking::Now).into_iter();
    let mut known = report(&known, Asking::WhereDue).into_iter();
    let due: HashSet<&Authority> = due.iter().collect();
    let reports = authorities.iter().filter_map(|authority| {
        if due.contains(authority) {
            asked_now.next()
        } else {
            known.next()
        }
    });
    let reports: Vec<_> = reports.collect();
    let put = reports.iter().flatten().filter_map(|it| it.snapshot);
    *refreshing = Refreshing::Before(first.or(put.min()));
    reports
}
