use std::rc::Rc;

use verger::allocated_bytes;
use verger_access::Authority;

use super::bounded_cache::{BYTES_DEFAULT, BoundedCache};
use verger_answer::AuthorityLookup;
use verger_answer::CheckedFiles;

/// Approximate size in bytes of a lookup without its body.
const LOOKUP_BYTES: usize = 2048;

/// A parsed file and its lookup.
#[derive(Debug)]
#[non_exhaustive]
pub struct CachedFile {
    /// The lookup.
    pub lookup: Rc<AuthorityLookup>,
    /// The file, in each reading of its crawlers.
    pub files: CheckedFiles,
}

/// A cache of parsed files by authority.
#[derive(Debug)]
pub struct FileCache {
    held: BoundedCache<Rc<CachedFile>>,
}

impl Default for FileCache {
    fn default() -> Self {
        Self::new(BYTES_DEFAULT)
    }
}

impl FileCache {
    fn new(bytes_max: u64) -> Self {
        let held = BoundedCache::new(bytes_max);
        Self { held }
    }

    /// Returns the cached lookup, if any.
    #[must_use]
    pub fn lookup(&self, authority: &Authority) -> Option<Rc<AuthorityLookup>> {
        let kept = self.held.held(authority.to_string().as_bytes())?;
        Some(Rc::clone(&kept.lookup))
    }

    /// Returns the cached file for `lookup`, or stores the result of `make`.
    pub fn file(
        &mut self,
        lookup: &Rc<AuthorityLookup>,
        make: impl FnOnce(&AuthorityLookup) -> CheckedFiles,
    ) -> Rc<CachedFile> {
        let authority = lookup.authority.to_string();
        let held = self.held.held(authority.as_bytes());
        if let Some(kept) = held.filter(|kept| Rc::ptr_eq(&kept.lookup, lookup)) {
            return kept;
        }
        let file = Rc::new(CachedFile {
            lookup: Rc::clone(lookup),
            files: make(lookup),
        });
        self.held
            .hold(authority.as_bytes(), Rc::clone(&file), bytes(&file));
        file
    }
}

fn bytes(kept: &CachedFile) -> usize {
    // The last good copy takes memory even if its rules do not decide.
    let state = kept.lookup.state.as_ref();
    let copy = state.and_then(|state| state.copy.as_ref());
    let copy = copy.map_or(0, |copy| allocated_bytes(copy.body.len()));
    LOOKUP_BYTES + size_of::<CachedFile>() + kept.files.heap_bytes() + copy
}

#[cfg(test)]
mod tests {
    use verger::Dialect;
    use verger_access::{
        GoodCopy, Knowledge, LastAttempt, Outcome, Profile, RestOfSite, Stance, Timestamp,
        TransportFailure,
    };
    use verger_answer::AuthorityState;

    use super::*;
    use verger_answer::{CheckedFile, Explaining};

    fn lookup(number: usize) -> Rc<AuthorityLookup> {
        Rc::new(AuthorityLookup {
            authority: Authority::from_url(&format!("http://h{number}.example/")).unwrap(),
            profile: "rfc9309".to_owned(),
            state: None,
        })
    }

    /// Returns whether the file had to be made.
    fn makes(kept: &mut FileCache, lookup: &Rc<AuthorityLookup>) -> bool {
        let mut is_made = false;
        kept.file(lookup, |lookup| {
            is_made = true;
            let own = Dialect::Rfc9309.into();
            CheckedFiles::new(own, Explaining::No, &[], |readings, of| {
                CheckedFile::from_authority(lookup, readings, of)
            })
        });
        is_made
    }

    #[test]
    fn it_never_holds_more_than_it_may() {
        let bytes_max = 1 << 20;
        let mut kept = FileCache::new(bytes_max);
        for number in 0..2000 {
            let lookup = lookup(number);
            assert!(makes(&mut kept, &lookup));
            assert!(kept.held.bytes() <= bytes_max);
        }
        let held = |number: &usize| kept.lookup(&lookup(*number).authority).is_some();
        let held = (0..2000).filter(held).count();
        assert!((100..512).contains(&held), "{held} are held");
    }

    #[test]
    fn a_copy_that_does_not_decide_counts_as_well() {
        let bytes_max = 16 << 20;
        let mut kept = FileCache::new(bytes_max);
        let now = Timestamp::from_unix_seconds(1_800_000_000);
        let knowledge = Knowledge {
            last: Some(LastAttempt {
                at: now,
                outcome: Outcome::Failed(TransportFailure::Timeout),
                stated_lifetime: None,
                retry_after: None,
            }),
            copy: Some(GoodCopy {
                body: vec![b'#'; 512_000].into(),
                url: "https://h.example/robots.txt".parse().unwrap(),
                entity_tag: None,
                last_modified: None,
                validated_at: now,
                stated_lifetime: None,
            }),
            streak: None,
        };
        for number in 0..100 {
            let answer = knowledge.answer(&Profile::GOOGLE, now, RestOfSite::default());
            assert_eq!(answer.stance(), Stance::Closed);
            let closed = AuthorityLookup {
                authority: lookup(number).authority.clone(),
                profile: "google".to_owned(),
                state: AuthorityState::new(knowledge.clone(), answer),
            };
            assert!(makes(&mut kept, &Rc::new(closed)));
            assert!(kept.held.bytes() >= 512_000);
            assert!(kept.held.bytes() <= bytes_max);
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
