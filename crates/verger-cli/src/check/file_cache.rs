//! `FileCache`: parsed files by authority, in bounded memory.
//!
//! There are two generations. What is asked for moves to the younger one; when that is full, it
//! becomes the older one, and what was left there is dropped.

use std::collections::HashMap;
use std::mem;
use std::rc::Rc;

use verger_access::Authority;
use verger_answer::{AuthorityLookup, CheckedFile};

/// About how many octets of bodies the cache holds; parsed they take a few times as much.
const BODY_OCTETS_MAX: usize = 16 << 20;

/// What a file takes beside its body, at least.
const FILE_OCTETS: usize = 4096;

/// A parsed file, and the lookup that gave it.
pub(super) struct CachedFile {
    pub(super) lookup: Rc<AuthorityLookup>,
    pub(super) file: CheckedFile,
}

/// Parsed files by authority.
#[derive(Default)]
pub(super) struct FileCache {
    younger: HashMap<Authority, Rc<CachedFile>>,
    older: HashMap<Authority, Rc<CachedFile>>,
    younger_octets: usize,
}

impl FileCache {
    /// What was found earlier, if it is held.
    pub(super) fn lookup(&self, authority: &Authority) -> Option<Rc<AuthorityLookup>> {
        let kept = self.younger.get(authority);
        let kept = kept.or_else(|| self.older.get(authority))?;
        Some(Rc::clone(&kept.lookup))
    }

    /// The file that `make` makes of `lookup`, or made of it earlier.
    pub(super) fn file(
        &mut self,
        lookup: &Rc<AuthorityLookup>,
        make: impl FnOnce(Vec<u8>) -> CheckedFile,
    ) -> Rc<CachedFile> {
        let is_same = |kept: &&Rc<CachedFile>| Rc::ptr_eq(&kept.lookup, lookup);
        if let Some(kept) = self.younger.get(&lookup.authority).filter(is_same) {
            return Rc::clone(kept);
        }
        let older = self.older.remove(&lookup.authority);
        let kept = older.filter(|kept| is_same(&kept)).unwrap_or_else(|| {
            Rc::new(CachedFile {
                lookup: Rc::clone(lookup),
                file: make(lookup.body()),
            })
        });
        self.keep(&kept);
        kept
    }

    fn keep(&mut self, kept: &Rc<CachedFile>) {
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

fn octets(kept: &CachedFile) -> usize {
    // The last good copy is held also where its rules do not decide.
    let state = kept.lookup.state.as_ref();
    let copy = state.and_then(|state| state.copy.as_ref());
    FILE_OCTETS + copy.map_or(0, |copy| copy.body.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use verger::{Dialect, Reading};
    use verger_access::{
        GoodCopy, Knowledge, LastAttempt, Outcome, Profile, RestOfSite, Stance, Timestamp,
        TransportFailure,
    };
    use verger_answer::{Explaining, Readings};
    use verger_client::FetchReport;

    use super::*;
    use crate::authority_state;

    fn lookup(number: usize) -> Rc<AuthorityLookup> {
        Rc::new(AuthorityLookup {
            authority: Authority::of(&format!("http://h{number}.example/")).unwrap(),
            profile: "rfc9309".to_owned(),
            state: None,
        })
    }

    /// Asks for the file of a lookup; true where it had to be made.
    fn makes(kept: &mut FileCache, lookup: &Rc<AuthorityLookup>) -> bool {
        let mut is_made = false;
        kept.file(lookup, |body| {
            is_made = true;
            let own = Dialect::Rfc9309.into();
            CheckedFile::new(body, &Readings::new(own, Explaining::No, Reading::of), &[])
        });
        is_made
    }

    #[test]
    fn it_never_holds_more_than_it_may_and_what_is_asked_for_stays() {
        let mut kept = FileCache::default();
        let first = lookup(0);
        assert!(makes(&mut kept, &first));
        for number in 1..5000 {
            assert!(makes(&mut kept, &lookup(number)));
            assert!(!makes(&mut kept, &first), "after {number}");
            let held = kept.younger.len() + kept.older.len();
            assert!(held * FILE_OCTETS <= BODY_OCTETS_MAX);
        }
        assert!(kept.lookup(&lookup(1).authority).is_none());
    }

    #[test]
    fn a_copy_that_does_not_decide_counts_as_well() {
        let mut kept = FileCache::default();
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let body: Arc<[u8]> = vec![b'#'; 512_000].into();
        for number in 0..100 {
            let AuthorityLookup {
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
            let state = authority_state::of_report(FetchReport {
                authority: authority.clone(),
                fetched: None,
                knowledge,
                answer,
                snapshot: None,
                not_kept: None,
            });
            let closed = Rc::new(AuthorityLookup {
                authority,
                profile,
                state,
            });
            assert!(makes(&mut kept, &closed));
            let held = kept.younger.len() + kept.older.len();
            assert!(held * body.len() <= BODY_OCTETS_MAX, "{held} are held");
        }
    }

    #[test]
    fn what_was_found_anew_is_read_anew() {
        let mut kept = FileCache::default();
        assert!(makes(&mut kept, &lookup(1)));
        let again = lookup(1);
        assert!(makes(&mut kept, &again));
        assert!(!makes(&mut kept, &again));
        let found = kept.lookup(&again.authority).unwrap();
        assert!(Rc::ptr_eq(&found, &again));
    }
}
