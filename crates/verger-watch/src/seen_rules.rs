use std::sync::Arc;

use verger::{Reading, RobotsTxt};
use verger_access::{Answer, Authority, Profile, RestOfSite, Stance, Timestamp};
use verger_store::{BodyHash, Delivery, Store, StoreError, knowledge_under};

/// A site's robots.txt as a profile interprets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenRules {
    pub(crate) stance: Stance,
    /// The body whose rules apply, or `None` if the stance has no rules.
    pub(crate) body: Option<Arc<[u8]>>,
}

impl SeenRules {
    pub(crate) fn of(answer: &Answer) -> Self {
        Self {
            stance: answer.stance(),
            body: answer.body().cloned(),
        }
    }

    /// Returns what the store has of a site, if anything, and when it was seen.
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

    /// Returns what a receiver was told, or `None` if the stored text is not understood.
    pub(crate) fn delivered(delivery: &Delivery) -> Option<Self> {
        Some(Self {
            stance: delivery.state.parse().ok()?,
            body: delivery.body.clone(),
        })
    }

    /// Returns false if everything is disallowed without rules.
    pub(crate) fn has_rules(&self) -> bool {
        matches!(self.stance, Stance::Rules | Stance::Copy | Stance::Open)
    }

    /// Returns the rules, or `None` if everything is disallowed without rules.
    pub(crate) fn rules(&self, reading: Reading) -> Option<RobotsTxt> {
        let body = self.body.as_deref().unwrap_or_default();
        self.has_rules().then(|| RobotsTxt::parse(body, reading))
    }

    /// Returns the id of the event after `before`. The same history yields the same id, and a
    /// change back yields a new one.
    pub(crate) fn id_after(&self, what: &str, before: &str) -> String {
        let body = self.body.as_ref().map(|body| BodyHash::new(body));
        let body = body.map_or_else(|| "-".to_owned(), |hash| hash.to_string());
        let text = format!("{what}\n{before}\n{}\n{body}\n", self.stance);
        let mut id = BodyHash::new(text.as_bytes()).to_string();
        id.truncate(ID_DIGITS);
        id
    }
}

/// Length of an id: 128 bits of a hash.
const ID_DIGITS: usize = 32;
