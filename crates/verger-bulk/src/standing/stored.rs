use std::sync::Arc;
use verger_answer::ReadError;

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{InForce, Store, StoreError, in_force};

use super::access_source::{CaptureEvidence, KnowledgeSource, KnownAt};
use super::known_standing::{CapturePlace, END_OF_TIME};
use super::standing_source::When;

/// The knowledge of a store at a time, as `verger check --at` uses it.
#[derive(Debug)]
pub struct StoredKnowledge<S: ?Sized> {
    store: Arc<S>,
}

impl<S: Store + ?Sized> StoredKnowledge<S> {
    /// Creates the knowledge of a store.
    #[must_use]
    pub fn new(store: Arc<S>) -> Self {
        Self { store }
    }

    fn read(&self, authority: &str, profile: &Profile, when: When) -> Result<KnownAt, StoreError> {
        let Ok(authority) = Authority::from_url(authority) else {
            return Ok(KnownAt::NothingUntil(END_OF_TIME));
        };
        let since = match when {
            When::At(at) => at,
            When::Newest => END_OF_TIME,
        };
        for period in in_force(&*self.store, &authority, profile, since) {
            let period = period?;
            if period.from > since {
                return Ok(KnownAt::NothingUntil(period.from));
            }
            // The newest knowledge is asked about its own time.
            if since < period.until || when == When::Newest {
                let copy = period.knowledge.copy.as_ref();
                let evidence = CaptureEvidence {
                    last: place_of(period.evidence.attempt.at),
                    copy: copy.map(|copy| place_of(copy.validated_at)),
                    lacks_body: false,
                };
                let (knowledge, from, until) = (period.knowledge, period.from, period.until);
                let period = InForce::new(evidence, knowledge, profile, from, until);
                return Ok(KnownAt::InForce(Box::new(period)));
            }
        }
        Ok(KnownAt::NothingUntil(END_OF_TIME))
    }
}

fn place_of(time: Timestamp) -> CapturePlace {
    CapturePlace {
        time_micros: micros(time),
        file: None,
        offset: None,
    }
}

pub(crate) fn micros(time: Timestamp) -> i64 {
    let seconds = i64::try_from(time.unix_seconds()).unwrap_or(i64::MAX);
    seconds.saturating_mul(1_000_000)
}

impl<S: Store + ?Sized> KnowledgeSource for StoredKnowledge<S> {
    fn known(&self, authority: &str, profile: &Profile, when: When) -> Result<KnownAt, ReadError> {
        let read = self.read(authority, profile, when);
        read.map_err(|error| error.to_string().into())
    }
}
