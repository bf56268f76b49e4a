use std::rc::Rc;

use verger::allocated_bytes;
use verger_access::Authority;

use super::bounded_cache::{BYTES_DEFAULT, BoundedCache};
use crate::access::authority_lookup::AuthorityLookup;
use crate::checked_files::CheckedFiles;

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
    use verger_access::{Knowledge, Outcome, Profile, Stance, TransportFailure};

    use super::*;
    use crate::access::looked_up::{self, NOW, attempt, fetched};
    use crate::checked_file::{CheckedFile, Explaining};

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
        let knowledge = Knowledge {
            last: Some(attempt(Outcome::Failed(TransportFailure::Timeout))),
            ..fetched(&vec![b'#'; 512_000])
        };
        for number in 0..100 {
            let authority = lookup(number).authority.clone();
            let closed = looked_up::lookup(authority, knowledge.clone(), &Profile::GOOGLE, NOW);
            let answer = &closed.state.as_ref().unwrap().answer;
            assert_eq!(answer.stance(), Stance::Closed);
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
