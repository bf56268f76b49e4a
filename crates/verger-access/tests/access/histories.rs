//! Generated histories: the machine and `Knowledge` agree with the oracle.

use std::collections::BTreeMap;

use verger_access::{Authority, Knowledge, Profile, Timestamp};
use verger_testkit::access_oracle::{history_of_one_profile, hold_histories, told_by_oracle};

use crate::machine_driver::{Keeper, Seen, play};

/// Knowledge as one profile counts it: the newest, and that after each attempt that a store would keep.
#[derive(Default)]
struct OneProfile {
    newest: BTreeMap<Authority, Knowledge>,
    kept: BTreeMap<Authority, Vec<Knowledge>>,
}

impl Keeper for OneProfile {
    fn known(&self, authority: &Authority, _: &Profile) -> Knowledge {
        self.newest.get(authority).cloned().unwrap_or_default()
    }

    fn known_until(&self, authority: &Authority, _: &Profile, until: Timestamp) -> Knowledge {
        let mut kept = self.kept.get(authority).into_iter().flatten().rev();
        let last = kept.find(|known| known.last.unwrap().at <= until);
        last.cloned().unwrap_or_default()
    }

    fn keep(&mut self, _: &Profile, seen: &Seen, known: &Knowledge) {
        let last = seen.attempt.last;
        assert_eq!(known.last, Some(last));
        let is_stated = seen.headers.contains_key("retry-after");
        assert_eq!(last.retry_after.is_some(), is_stated);
        self.newest.insert(seen.authority.clone(), known.clone());
        if last.outcome.is_about_the_site() {
            let kept = self.kept.entry(seen.authority.clone()).or_default();
            kept.push(known.clone());
        }
    }
}

#[test]
fn the_machine_answers_generated_histories_as_the_oracle_does() {
    hold_histories(600, history_of_one_profile, told_by_oracle, |history| {
        play(history, &mut OneProfile::default())
    });
}
