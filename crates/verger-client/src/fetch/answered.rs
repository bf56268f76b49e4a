//! `Answered`: the answer that follows from knowledge and from the overrides in force. V-89.

use std::sync::Arc;

use tokio::time::Instant;
use verger_access::session::Wanted;
use verger_access::{Answer, Authority, RestOfSite, Stance};
use verger_store::SnapshotId;

use crate::fetch::chain::FetchContext;
use crate::fetch::client_error::ClientError;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::known::Known;

/// The answer about an authority, and the knowledge that it follows from.
pub(crate) struct Answered {
    pub(crate) answer: Answer,
    /// Empty if the authority has an override.
    pub(crate) known: Arc<Known>,
    /// The number of the overrides in force, or of earlier ones if they were being replaced.
    pub(crate) overrides: u64,
}

impl Answered {
    /// Returns the snapshot that the answer follows from, if it is in a store.
    pub(crate) fn snapshot(&self) -> Option<SnapshotId> {
        let is_overridden = self.answer.is_overridden();
        self.known.snapshot.filter(|_| !is_overridden)
    }
}

impl Fetcher {
    /// Returns the answer from knowledge as recent as `wanted`. Without a deadline, the time starts
    /// with the fetch permit.
    pub(crate) async fn answered(
        self: &Arc<Self>,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Instant>,
        rest: RestOfSite,
    ) -> Result<Answered, ClientError> {
        if self.flights.is_closed() {
            return Err(ClientError::Closed);
        }
        loop {
            if let Some(answered) = self.context.overridden(authority) {
                return Ok(answered);
            }
            let known = self.find_out(authority, wanted, deadline).await?;
            if let Some(answered) = self.context.answered(known, rest) {
                return Ok(answered);
            }
            // The override that ended the fetch is gone.
        }
    }
}

impl FetchContext {
    /// Returns the answer of the authority's own override, if it has one.
    fn overridden(&self, authority: &Authority) -> Option<Answered> {
        let overrides = self.overrides.number();
        let given = self.overrides.of(authority)?;
        Some(Answered {
            answer: given.answer(&self.profile, self.clock.now()),
            known: Arc::default(),
            overrides,
        })
    }

    /// Returns the answer that follows from the knowledge, as [`FetchContext::answer`] does.
    fn answered(&self, known: Arc<Known>, rest: RestOfSite) -> Option<Answered> {
        // Read first, because the answer may follow from later overrides.
        let overrides = self.overrides.number();
        Some(Answered {
            answer: self.answer(&known, rest)?,
            known,
            overrides,
        })
    }

    /// Returns the answer now: that of the first override among the URLs that led to the knowledge,
    /// or else of the knowledge. Returns `None` if an override ended the attempt and is gone.
    pub(crate) fn answer(&self, known: &Known, rest: RestOfSite) -> Option<Answer> {
        let (profile, now, last) = (&self.profile, self.clock.now(), known.knowledge.last);
        let answer = known.knowledge.answer(profile, now, rest);
        let copy = known.knowledge.copy.as_ref();
        let copy = copy.filter(|_| answer.stance() == Stance::Copy);
        let mut urls = known.urls.iter().chain(copy.map(|copy| &copy.url));
        match urls.find_map(|url| self.override_at(url)) {
            Some(given) => Some(given.answer(profile, last.map_or(now, |last| last.at))),
            None if known.is_overridden() => None,
            None => Some(answer),
        }
    }

    pub(crate) fn is_met(&self, wanted: Wanted, known: &Known) -> bool {
        let answer = self.answer(known, RestOfSite::default());
        let snapshot = known.snapshot.map(|id| id.0);
        answer.is_some_and(|answer| wanted.is_met(snapshot, answer.is_due(self.clock.now())))
    }

    /// Returns `false` if an override ended the attempt and was replaced since.
    pub(crate) fn applies(&self, known: &Known) -> bool {
        self.answer(known, RestOfSite::default()).is_some()
    }
}
