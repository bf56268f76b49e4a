//! `SeenRules`: what is known of a site's robots.txt at a time.

use std::sync::Arc;

use verger::{Reading, RobotsTxt};
use verger_access::{Answer, Authority, Profile, RestOfSite, Stance, Timestamp};
use verger_store::{BodyHash, Delivery, Store, StoreError, knowledge_under};

/// What is known of a site's robots.txt, as a profile understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenRules {
    pub(crate) stance: Stance,
    /// The body whose rules decide; `None` where the stance has no rules.
    pub(crate) body: Option<Arc<[u8]>>,
}

impl SeenRules {
    pub(crate) fn of(answer: &Answer) -> Self {
        Self {
            stance: answer.stance(),
            body: answer.body().cloned(),
        }
    }

    /// What a store knows, and when that was seen; `None` where it knows nothing.
    pub(crate) fn stored(
        store: &dyn Store,
        site: &Authority,
        profile: &Profile,
        now: Timestamp,
    ) -> Result<Option<(Self, Timestamp)>, StoreError> {
        let state = knowledge_under(store, site, profile, now)?;
        Ok(state.map(|state| {
            let seen = state.snapshot.attempt.at;
            let answer = state.knowledge.answer(profile, seen, RestOfSite::default());
            (Self::of(&answer), seen)
        }))
    }

    /// What a receiver was told; `None` where the store has it in words that are not understood.
    pub(crate) fn delivered(delivery: &Delivery) -> Option<Self> {
        Some(Self {
            stance: delivery.state.parse().ok()?,
            body: delivery.body.clone(),
        })
    }

    /// Whether there are rules, or everything is allowed; else everything is disallowed.
    pub(crate) fn has_rules(&self) -> bool {
        matches!(self.stance, Stance::Rules | Stance::Copy | Stance::Open)
    }

    /// The rules; `None` where everything is disallowed without any.
    pub(crate) fn rules(&self, reading: Reading) -> Option<RobotsTxt> {
        let body = self.body.as_deref().unwrap_or_default();
        self.has_rules().then(|| RobotsTxt::parse(body, reading))
    }

    /// The id of what comes after an event: the same for the same past and present, and another one where a state
    /// returns.
    pub(crate) fn id_after(&self, what: &str, before: &str) -> String {
        let body = self.body.as_ref().map(|body| BodyHash::new(body));
        let body = body.map_or_else(|| "-".to_owned(), |hash| hash.to_string());
        let text = format!("{what}\n{before}\n{}\n{body}\n", self.stance);
        let mut id = BodyHash::new(text.as_bytes()).to_string();
        id.truncate(ID_DIGITS);
        id
    }
}

/// 128 bits of a hash.
const ID_DIGITS: usize = 32;
