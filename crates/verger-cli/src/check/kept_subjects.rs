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
    let sighting = kept.lookup.sighting.as_ref();
    let body = sighting.and_then(|sighting| sighting.body());
    SUBJECT_OCTETS + body.map_or(0, |body| body.len())
}
