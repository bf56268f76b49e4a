//! `AnswerSource`: where what is known about authorities comes from.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;

use verger_access::{Authority, BodyEnd, Profile, Timestamp};
use verger_answer::{AuthorityLookup, AuthorityState};
use verger_client::{
    Asking, ClientError, Clock as _, FetchReport, SystemClock, state_of_report, state_of_stored,
};
use verger_store::{SnapshotId, SqliteStore, Store, knowledge_under};

use super::body_end;
use crate::fetch_progress::FetchProgress;
use crate::interrupt::FetchClient;

/// Where what is known about authorities comes from.
pub(super) enum AnswerSource {
    /// The web, through a client that keeps what it sees.
    Web(WebSource),
    /// What the store knew at a time; `None` where there is no store.
    Past {
        store: Option<Box<SqliteStore>>,
        profile: Box<Profile>,
        at: Timestamp,
    },
}

/// Fetches what is to be known.
pub(super) struct WebSource {
    pub(super) client: FetchClient,
    pub(super) store: Arc<dyn Store>,
    pub(super) progress: Arc<FetchProgress>,
    pub(super) refreshing: Refreshing,
}

/// Whether what is still good is fetched again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refreshing {
    /// It is not.
    No,
    /// It is, unless this run or a later one put it: then it is of the snapshot of this number or
    /// of a later one. `None` before this run has put anything.
    Before(Option<SnapshotId>),
}

/// What was found, or why nothing was.
pub(super) type Looked = Result<AuthorityLookup, Box<dyn Error>>;

impl AnswerSource {
    /// Looks authorities up, the results in their order. Fetches run concurrently.
    pub(super) fn look(&mut self, authorities: &[Authority]) -> Vec<Looked> {
        match self {
            Self::Web(web) => web.look(authorities),
            Self::Past { store, profile, at } => {
                let look = |authority| look_back(store.as_deref(), profile, *at, authority);
                authorities.iter().map(look).collect()
            }
        }
    }

    /// Counts a URL that was answered, for those who wait.
    pub(super) fn count_answer(&self) {
        if let Self::Web(web) = self {
            web.progress.answered();
        }
    }

    /// Whether an earlier result still holds.
    pub(super) fn holds(&self, lookup: &AuthorityLookup) -> bool {
        match (self, &lookup.state) {
            (Self::Past { .. }, _) => true,
            (Self::Web(_), Some(state)) => {
                let now = SystemClock.now();
                let answer = &state.answer;
                state.seen_at <= now && now < answer.holds_until() && !answer.is_due(now)
            }
            (Self::Web(_), None) => false,
        }
    }
}

fn look_back(
    store: Option<&SqliteStore>,
    profile: &Profile,
    at: Timestamp,
    authority: &Authority,
) -> Looked {
    let standing = match store {
        Some(store) => knowledge_under(store, authority, profile, at)?,
        None => None,
    };
    let state = standing.and_then(|standing| state_of_stored(standing, profile, at));
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

impl WebSource {
    fn look(&mut self, authorities: &[Authority]) -> Vec<Looked> {
        let progress = Arc::clone(&self.progress);
        let reports = progress.during(|| self.report(authorities));
        let profile = &self.client.client().profile().name;
        let looked = reports.into_iter().map(|report| {
            let report = report?;
            let authority = report.authority.clone();
            let fetched = body_end::of_fetch(&report);
            let state = state_of_report(report).map(|state| AuthorityState {
                body_end: fetched
                    .unwrap_or_else(|| body_end::of_stored(&*self.store, &authority, &state)),
                ..state
            });
            Ok(AuthorityLookup {
                authority,
                profile: profile.to_string(),
                state,
            })
        });
        looked.collect()
    }

    fn report(&mut self, authorities: &[Authority]) -> Vec<Result<FetchReport, ClientError>> {
        match self.refreshing {
            Refreshing::No => self.client.report_many(authorities, Asking::WhereDue),
            Refreshing::Before(first) => self.refresh(authorities, first),
        }
    }

    /// Fetches those that this run has not fetched yet. To remember them all would take memory
    /// without a bound; the store does, since later snapshots have larger numbers.
    fn refresh(
        &mut self,
        authorities: &[Authority],
        first: Option<SnapshotId>,
    ) -> Vec<Result<FetchReport, ClientError>> {
        let is_due = |authority: &Authority| !self.is_put_since(authority, first);
        let (due, known): (Vec<_>, Vec<_>) = authorities.iter().cloned().partition(is_due);
        let mut asked_now = self.client.report_many(&due, Asking::Now).into_iter();
        let mut known = self
            .client
            .report_many(&known, Asking::WhereDue)
            .into_iter();
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
        self.refreshing = Refreshing::Before(first.or(put.min()));
        reports
    }

    /// Where the store fails, the client that fetches reports it.
    fn is_put_since(&self, authority: &Authority, first: Option<SnapshotId>) -> bool {
        let latest = first.and_then(|_| self.store.latest(authority).ok()?);
        latest.is_some_and(|latest| Some(latest.snapshot.id) >= first)
    }
}
