//! Generated histories under several profiles that share a store: the replay agrees with the oracle.

use verger_access::{Authority, Knowledge, Profile, RestOfSite, Timestamp};
use verger_store::{Archive, KeptHeaders, MemoryStore, Observation, knowledge_under, state_under};
use verger_testkit::access_oracle::{history_of_several_profiles, hold_histories, told_by_oracle};

use crate::machine_driver::{Keeper, Seen, play};
use crate::scene::{MINUTE, facts_of_hops};

pub(crate) struct Shared<'s>(pub(crate) &'s dyn Archive);

impl Keeper for Shared<'_> {
    fn known(&self, authority: &Authority, profile: &Profile, _: Timestamp) -> Knowledge {
        let last_second = Timestamp::from_unix_seconds(u64::MAX);
        let state = self.0.latest(authority).unwrap();
        let state = state.map(|it| state_under(self.0, it, profile, last_second).unwrap());
        state.flatten().map(|it| it.knowledge).unwrap_or_default()
    }

    fn known_until(&self, authority: &Authority, profile: &Profile, until: Timestamp) -> Knowledge {
        let state = knowledge_under(self.0, authority, profile, until).unwrap();
        state.map(|it| it.knowledge).unwrap_or_default()
    }

    fn keep(&mut self, profile: &Profile, seen: &Seen, known: &Knowledge) {
        let now = seen.attempt.last.at;
        let answer = known.answer(profile, now, RestOfSite::default());
        let acquired = self
            .0
            .acquire(&seen.authority, "test", now, MINUTE)
            .unwrap();
        let verger_store::Acquisition::Granted(lease) = acquired else {
            panic!("{acquired:?}");
        };
        let observation = Observation {
            authority: seen.authority.clone(),
            profile: profile.name.clone(),
            attempt: seen.attempt.clone(),
            knowledge: known.clone(),
            headers: KeptHeaders::new(&seen.headers),
            peer: None,
            fresh_until: answer.ask_again_at(),
            facts: facts_of_hops(&seen.attempt),
        };
        let id = self.0.put(&observation, &lease).unwrap();
        if self.0.keeps_facts() {
            let kept = self.0.facts(&seen.authority, id..=id).unwrap();
            assert_eq!(kept, [(id, observation.facts)]);
        }
    }
}

#[test]
fn a_shared_store_answers_generated_histories_as_the_oracle_does() {
    hold_histories(
        500,
        history_of_several_profiles,
        told_by_oracle,
        |history| play(history, &mut Shared(&MemoryStore::new(64 << 20))),
    );
}
