//! Generated histories: the machine and `Knowledge` agree with the oracle.

use std::collections::BTreeMap;

use verger_access::{Authority, Knowledge, Profile, Timestamp};
use verger_testkit::access_oracle::{history_of_one_profile, hold_histories, told_by_oracle};

use crate::machine_driver::{Keeper, Seen, answer, play};

/// The knowledge under one profile: after each attempt that a store would keep, and after a refusal, which a client
/// remembers by itself.
#[derive(Default)]
struct OneProfile {
    kept: BTreeMap<Authority, Vec<Knowledge>>,
    refused: BTreeMap<Authority, Knowledge>,
}

impl Keeper for OneProfile {
    fn known(&self, authority: &Authority, profile: &Profile, now: Timestamp) -> Knowledge {
        let kept = self.kept.get(authority).and_then(|kept| kept.last());
        let kept = kept.cloned().unwrap_or_default();
        let last_at = |known: &Knowledge| known.last.map(|last| last.at);
        match self.refused.get(authority) {
            Some(refused) if !answer(refused, profile, now).is_due(now) => refused.clone(),
            // The clock may have gone back between the two.
            Some(refused) if last_at(refused) >= last_at(&kept) => Knowledge {
                last: refused.last,
                ..kept
            },
            _ => kept,
        }
    }

    fn known_until(&self, authority: &Authority, _: &Profile, until: Timestamp) -> Knowledge {
        let kept = self.kept.get(authority).into_iter().flatten();
        let at = |known: &&Knowledge| known.last.unwrap().at;
        let last = kept.filter(|known| at(known) <= until).max_by_key(at);
        last.cloned().unwrap_or_default()
    }

    fn keep(&mut self, _: &Profile, seen: &Seen, known: &Knowledge) {
        let last = seen.attempt.last;
        assert_eq!(known.last, Some(last));
        let is_stated = seen.headers.contains_key("retry-after");
        assert_eq!(last.retry_after.is_some(), is_stated);
        let (authority, known) = (seen.authority.clone(), known.clone());
        if last.outcome.is_about_the_site() {
            self.refused.remove(&authority);
            self.kept.entry(authority).or_default().push(known);
        } else {
            self.refused.insert(authority, known);
        }
    }
}

#[test]
fn the_machine_answers_generated_histories_as_the_oracle_does() {
    hold_histories(600, history_of_one_profile, told_by_oracle, |history| {
        play(history, &mut OneProfile::default())
    });
}
