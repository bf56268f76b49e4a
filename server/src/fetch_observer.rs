//! `FetchObserver`: counts and logs fetches.

use core::time::Duration;
use std::sync::Arc;

use verger_access::{Answer, Authority, Profile};
use verger_client::{Fetched, Observer, Shortage};
use verger_store::{OutcomeClass, StoreError};

use crate::metrics::{Event, Metrics};

pub(crate) struct FetchObserver {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) profile: Profile,
}

impl Observer for FetchObserver {
    fn ended(&self, authority: &Authority, fetched: &Fetched, answer: &Answer) {
        let outcome = fetched.attempt.last.outcome;
        self.metrics
            .count_fetch(OutcomeClass::new(outcome, &self.profile));
        let stance = answer.stance().as_str();
        tracing::debug!(%authority, %outcome, stance, "fetched");
    }

    fn cut_short(&self, authority: &Authority, shortage: &Shortage) {
        self.metrics.count_event(Event::CutShort);
        tracing::error!(%authority, %shortage, "fetch aborted by a local shortage");
    }

    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        self.metrics.count_event(Event::LeaseWait);
        let seconds = longest.as_secs();
        tracing::debug!(%authority, holder, seconds, "waiting for another process");
    }

    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        self.metrics.count_event(Event::NotKept);
        tracing::warn!(%authority, %error, "cannot store the fetched file");
    }
}
