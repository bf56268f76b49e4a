//! `SeenRules`: what was known of a site's robots.txt at a time.

use verger::RobotsTxt;
use verger_access::{Answer, Profile, RestOfSite, Stance, Timestamp};
use verger_store::{Store, StoreError, knowledge_under};

use verger_access::Authority;

/// What was known of a site's robots.txt at a time, as a profile understands it.
pub(super) struct SeenRules {
    pub(super) stance: Stance,
    answer: Answer,
}

impl SeenRules {
    pub(super) fn of(answer: &Answer) -> Self {
        Self {
            stance: answer.stance(),
            answer: answer.clone(),
        }
    }

    /// What a store knew at a time; `None` where it knew nothing.
    pub(super) fn at(
        store: &dyn Store,
        site: &Authority,
        profile: &Profile,
        at: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        let state = knowledge_under(store, site, profile, at)?;
        Ok(state.map(|state| {
            let seen = state.snapshot.attempt.at;
            let answer = state.knowledge.answer(profile, seen, RestOfSite::default());
            Self::of(&answer)
        }))
    }

    /// The rules; `None` where everything is disallowed without any.
    pub(super) fn rules(&self) -> Option<RobotsTxt> {
        match self.stance {
            Stance::Rules | Stance::Copy | Stance::Open => Some(self.answer.robots_txt()),
            Stance::Closed | Stance::Defer => None,
        }
    }

    /// Whether the octets are the same, so that nothing need be compared.
    pub(super) fn has_same_octets(&self, other: &Self) -> bool {
        self.answer.body() == other.answer.body()
    }
}
