//! Makes an attempt, and keeps its outcome in the store, or in memory if it cannot be stored.

use std::sync::Arc;

use tokio::time::Instant;
use verger_access::session::{Event, Keeping, Step};
use verger_access::{Answer, RestOfSite};
use verger_store::{KeptHeaders, Observation, PackedFacts, Shortage, StoreError};

use crate::fetch::async_store::HeldLease;
use crate::fetch::client_error::ClientError;
use crate::fetch::course::Course;
use crate::fetch::fetched::Fetched;
use crate::fetch::known::Known;
use crate::fetch::not_kept::NotKept;
use crate::fetch::spans::{self, Span};

impl Course {
    /// Returns the knowledge after an attempt. Returns `None` if the attempt does not count, because
    /// another process took over the lease or a limit of this client used up the time.
    pub(crate) async fn attempt(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<Known>, ClientError> {
        let (client, flight) = (Arc::clone(&self.fetcher), Arc::clone(&self.flight));
        let authority = &flight.authority;
        client.observer.begun(authority);
        let span = Span::of_fetch(authority);
        let fetched = match span.around(self.fetch(deadline)).await {
            Ok(fetched) => Arc::new(fetched),
            Err(shortage) => {
                client.observer.cut_short(authority, &shortage);
                self.release(deadline).await;
                return Err(ClientError::of_shortage(authority, shortage));
            }
        };
        let last = fetched.attempt.last;
        let ended = if fetched.is_not_sent {
            Event::NotSent
        } else {
            Event::Ended(last.outcome)
        };
        let step = flight.next(ended).await;
        let (profile, mut knowledge) = (&client.context.profile, self.known.knowledge.clone());
        knowledge.record(&fetched.attempt, profile, (client.jitter)());
        let answer = knowledge.answer(profile, last.at, RestOfSite::default());
        spans::fetched(authority, last.outcome);
        client.observer.ended(authority, &fetched, &answer);
        let known = Known::fetched(knowledge, Arc::clone(&fetched));
        if step == Step::Keep(Keeping::Put)
            && let Some(lease) = self.lease.take()
        {
            return self.put(known, &fetched, &answer, lease, deadline).await;
        }
        self.release(deadline).await;
        Ok(match step {
            Step::Keep(Keeping::Hold) => Some(self.hold(
                known,
                match &self.store_error {
                    Some(error) if last.outcome.is_about_the_site() => {
                        NotKept::Store(Arc::clone(error))
                    }
                    _ if fetched.overridden_at.is_some() => NotKept::Overridden,
                    _ => NotKept::RefusedHere,
                },
            )),
            Step::Keep(Keeping::Return) => Some(known),
            _ => None,
        })
    }

    /// Fetches, while renewing the lease. Fails if this machine runs out of a resource.
    async fn fetch(&mut self, deadline: Instant) -> Result<Fetched, Shortage> {
        let Self {
            fetcher,
            flight,
            known,
            lease,
            ..
        } = self;
        let hop = |url| fetcher.ask_about_hop(flight, url, deadline);
        let copy = known.knowledge.copy.as_ref();
        let fetch = fetcher.context.fetch(flight, copy, deadline, hop);
        match lease {
            Some(lease) => {
                let now = || fetcher.now();
                fetcher.store.holding(lease, now, fetch).await
            }
            None => fetch.await,
        }
    }

    async fn release(&mut self, deadline: Instant) {
        if let Some(lease) = self.lease.take() {
            self.fetcher.store.release(lease, deadline).await;
        }
    }

    async fn put(
        &self,
        known: Known,
        fetched: &Fetched,
        answer: &Answer,
        lease: HeldLease,
        deadline: Instant,
    ) -> Result<Option<Known>, ClientError> {
        let (client, authority) = (&self.fetcher, &self.flight.authority);
        let observation = Observation {
            authority: authority.clone(),
            profile: client.context.profile.name.clone(),
            attempt: fetched.attempt.clone(),
            knowledge: known.knowledge.clone(),
            headers: KeptHeaders::new(&fetched.headers),
            peer: fetched.peer(),
            fresh_until: answer.ask_again_at(),
            facts: PackedFacts::default(),
        };
        let put = (client.store).put(observation, &fetched.exchanges, lease, deadline);
        match put.await {
            Ok(id) => {
                let known = Known {
                    snapshot: Some(id),
                    ..known
                };
                let (local, profile) = (&client.local, &client.context.profile);
                local.hold_beside_store(authority, &known, &fetched.attempt, profile);
                Ok(Some(known))
            }
            Err(error) if matches!(*error, StoreError::LeaseLost(_)) => Ok(None),
            Err(error) => {
                let error = ClientError::unless_shortage(authority, error)?;
                Ok(Some(self.hold(known, NotKept::Store(error))))
            }
        }
    }

    fn hold(&self, known: Known, why: NotKept) -> Known {
        let (client, authority) = (&self.fetcher, &self.flight.authority);
        if let NotKept::Store(error) = &why {
            client.observer.not_kept(authority, error);
        }
        let known = Known {
            not_kept: Some(why),
            ..known
        };
        client.local.hold(authority, &known);
        known
    }
}
