//! Generated histories: the machine and `Knowledge` agree with the oracle.

use std::collections::BTreeMap;

use verger_access::{Authority, Knowledge, Profile, Timestamp};
use verger_testkit::access_oracle::{history_of_one_profile, hold_histories};

use crate::machine_driver::{Keeper, Seen, play};

/// Knowledge as one profile counts it.
#[derive(Default)]
struct OneProfile(BTreeMap<Authority, Knowledge>);

impl Keeper for OneProfile {
    fn known(&self, authority: &Authority, _: &Profile, _: Timestamp) -> Knowledge {
        self.0.get(authority).cloned().unwrap_or_default()
    }

    fn keep(&mut self, _: &Profile, seen: &Seen, known: &Knowledge) {
        let last = seen.attempt.last;
        assert_eq!(known.last, Some(last));
        let is_stated = seen.headers.contains_key("retry-after");
        assert_eq!(last.retry_after.is_some(), is_stated);
        self.0.insert(seen.authority.clone(), known.clone());
    }
}

#[test]
fn the_machine_answers_generated_histories_as_the_oracle_does() {
    hold_histories(600, history_of_one_profile, |history| {
        play(history, &mut OneProfile::default())
    });
}
