//! Subjects by authority, in bounded memory.
//!
//! There are two generations. What is asked for moves to the younger one; when that is full, it
//! becomes the older one, and what was left there is dropped.

use std::collections::HashMap;
use std::mem;
use std::rc::Rc;

use verger_access::Authority;

use super::lookup::Lookup;
use super::subject::Subject;

/// So many octets of bodies are held read, about; reading takes a few times as much.
const BODY_OCTETS_MAX: usize = 16 << 20;

/// What a subject takes beside its body, as a guess at least.
const SUBJECT_OCTETS: usize = 4096;

/// A subject, and what it is made of.
pub(super) struct KeptSubject {
    pub(super) lookup: Rc<Lookup>,
    pub(super) subject: Subject,
}

/// Subjects by authority.
#[derive(Default)]
pub(super) struct KeptSubjects {
    younger: HashMap<Authority, Rc<KeptSubject>>,
    older: HashMap<Authority, Rc<KeptSubject>>,
    younger_octets: usize,
}

impl KeptSubjects {
    /// What was found earlier, if it is held.
    pub(super) fn lookup(&self, authority: &Authority) -> Option<Rc<Lookup>> {
        let kept = self.younger.get(authority);
        let kept = kept.or_else(|| self.older.get(authority))?;
        Some(Rc::clone(&kept.lookup))
    }

    /// The subject that `make` makes of `lookup`, or made of it earlier.
    pub(super) fn subject(
        &mut self,
        lookup: &Rc<Lookup>,
        make: impl FnOnce(Vec<u8>) -> Subject,
    ) -> Rc<KeptSubject> {
        let is_same = |kept: &&Rc<KeptSubject>| Rc::ptr_eq(&kept.lookup, lookup);
        if let Some(kept) = self.younger.get(&lookup.authority).filter(is_same) {
            return Rc::clone(kept);
        }
        let older = self.older.remove(&lookup.authority);
        let kept = older.filter(|kept| is_same(&kept)).unwrap_or_else(|| {
            Rc::new(KeptSubject {
                lookup: Rc::clone(lookup),
                subject: make(lookup.body()),
            })
        });
        self.keep(&kept);
        kept
    }

    fn keep(&mut self, kept: &Rc<KeptSubject>) {
        let octets = octets(kept);
        if self.younger_octets + octets > BODY_OCTETS_MAX / 2 {
            self.older = mem::take(&mut self.younger);
            self.younger_octets = 0;
        }
        let authority = kept.lookup.authority.clone();
        if let Some(before) = self.younger.insert(authority, Rc::clone(kept)) {
            self.younger_octets -= self::octets(&before);
        }
        self.younger_octets += octets;
    }
}

fn octets(kept: &KeptSubject) -> usize {
    // The last good copy is held also where its rules do not decide.
    let sighting = kept.lookup.sighting.as_ref();
    let copy = sighting.and_then(|sighting| sighting.copy.as_ref());
    SUBJECT_OCTETS + copy.map_or(0, |copy| copy.body.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use verger::{Dialect, Reading};
    use verger_access::{
        GoodCopy, Knowledge, LastAttempt, Outcome, Profile, RestOfSite, Stance, Timestamp,
        TransportFailure,
    };
    use verger_client::FetchReport;

    use super::super::subject::{Explaining, Readings};
    use super::*;
    use crate::sighting::Sighting;

    fn lookup(number: usize) -> Rc<Lookup> {
        Rc::new(Lookup {
            authority: Authority::of(&format!("http://h{number}.example/")).unwrap(),
            profile: "rfc9309".to_owned(),
            sighting: None,
        })
    }

    /// Asks for the subject of a lookup; true where it had to be made.
    fn makes(kept: &mut KeptSubjects, lookup: &Rc<Lookup>) -> bool {
        let mut is_made = false;
        kept.subject(lookup, |body| {
            is_made = true;
            let own = Dialect::Rfc9309.into();
            Subject::new(body, &Readings::new(own, Explaining::No, Reading::of), &[])
        });
        is_made
    }

    #[test]
    fn it_never_holds_more_than_it_may_and_what_is_asked_for_stays() {
        let mut kept = KeptSubjects::default();
        let first = lookup(0);
        assert!(makes(&mut kept, &first));
        for number in 1..5000 {
            assert!(makes(&mut kept, &lookup(number)));
            assert!(!makes(&mut kept, &first), "after {number}");
            let held = kept.younger.len() + kept.older.len();
            assert!(held * SUBJECT_OCTETS <= BODY_OCTETS_MAX);
        }
        assert!(kept.lookup(&lookup(1).authority).is_none());
    }

    #[test]
    fn a_copy_that_does_not_decide_counts_as_well() {
        let mut kept = KeptSubjects::default();
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let body: Arc<[u8]> = vec![b'#'; 512_000].into();
        for number in 0..100 {
            let Lookup {
                authority, profile, ..
            } = Rc::into_inner(lookup(number)).unwrap();
            let knowledge = Knowledge {
                last: Some(LastAttempt {
                    at: now,
                    outcome: Outcome::Failed(TransportFailure::Timeout),
                    stated_lifetime: None,
                    retry_after: None,
                }),
                copy: Some(GoodCopy {
                    body: Arc::clone(&body),
                    url: authority.robots_url().clone(),
                    entity_tag: None,
                    last_modified: None,
                    validated_at: now,
                    stated_lifetime: None,
                }),
                streak: None,
            };
            let answer = knowledge.answer(&Profile::GOOGLE, now, RestOfSite::default());
            assert_eq!(answer.stance(), Stance::Closed);
            let sighting = Sighting::of_report(FetchReport {
                authority: authority.clone(),
                fetched: None,
                knowledge,
                answer,
                snapshot: None,
                not_kept: None,
            });
            let closed = Rc::new(Lookup {
                authority,
                profile,
                sighting,
            });
            assert!(makes(&mut kept, &closed));
            let held = kept.younger.len() + kept.older.len();
            assert!(held * body.len() <= BODY_OCTETS_MAX, "{held} are held");
        }
    }

    #[test]
    fn what_was_found_anew_is_read_anew() {
        let mut kept = KeptSubjects::default();
        assert!(makes(&mut kept, &lookup(1)));
        let again = lookup(1);
        assert!(makes(&mut kept, &again));
        assert!(!makes(&mut kept, &again));
        let found = kept.lookup(&again.authority).unwrap();
        assert!(Rc::ptr_eq(&found, &again));
    }
}
