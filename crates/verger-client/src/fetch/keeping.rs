//! Keeps the outcome of a fetch in the store, or in memory if it cannot be stored.

use std::sync::Arc;

use tokio::time::Instant;
use verger_access::{Answer, Authority};
use verger_store::{KeptHeaders, Observation, PackedFacts, StoreError};

use crate::fetch::async_store::HeldLease;
use crate::fetch::client_error::ClientError;
use crate::fetch::ending::Attempted;
use crate::fetch::fetched::Fetched;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::known::Known;
use crate::fetch::not_kept::NotKept;

impl Fetcher {
    pub(crate) async fn put(
        &self,
        authority: &Authority,
        known: Known,
        fetched: &Fetched,
        answer: &Answer,
        lease: HeldLease,
        deadline: Instant,
    ) -> Result<Attempted, ClientError> {
        let observation = Observation {
            authority: authority.clone(),
            profile: self.context.profile.name.clone(),
            attempt: fetched.attempt.clone(),
            knowledge: known.knowledge.clone(),
            headers: KeptHeaders::new(&fetched.headers),
            peer: fetched.peer(),
            fresh_until: answer.ask_again_at(),
            facts: PackedFacts::default(),
        };
        let exchanges = &fetched.exchanges;
        match self
            .store
            .put(observation, exchanges, lease, deadline)
            .await
        {
            Ok(id) => {
                let known = Known {
                    snapshot: Some(id),
                    ..known
                };
                let (local, profile) = (&self.local, &self.context.profile);
                local.hold_beside_store(authority, &known, &fetched.attempt, profile);
                Ok(Attempted::Known(Box::new(known)))
            }
            Err(error) if matches!(*error, StoreError::LeaseLost(_)) => Ok(Attempted::LeaseLost),
            Err(error) => {
                let error = ClientError::unless_shortage(authority, error)?;
                Ok(Attempted::Known(Box::new(
                    self.not_kept(authority, known, error),
                )))
            }
        }
    }

    pub(crate) fn not_kept(
        &self,
        authority: &Authority,
        known: Known,
        error: Arc<StoreError>,
    ) -> Known {
        self.observer.not_kept(authority, &error);
        self.hold(authority, known, NotKept::Store(error))
    }

    pub(crate) fn hold(&self, authority: &Authority, known: Known, why: NotKept) -> Known {
        let known = Known {
            not_kept: Some(why),
            ..known
        };
        self.local.hold(authority, &known);
        known
    }
}
