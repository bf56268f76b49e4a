//! `Waits`: which fetch waits for which, so that none waits for itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verger_access::Authority;

type Table = HashMap<Authority, Authority>;

/// Which fetch waits for which other one; each waits for one at most.
#[derive(Clone, Default)]
pub(crate) struct Waits(Arc<Mutex<Table>>);

/// A fetch that waits, until this is dropped.
pub(crate) struct Wait {
    waits: Waits,
    who: Authority,
}

impl Waits {
    /// Notes that the fetch of `who` waits for that of `for_whom`; `None` where that one waits,
    /// perhaps through others, for `who`.
    pub(crate) fn begin(&self, who: &Authority, for_whom: &Authority) -> Option<Wait> {
        let mut table = self.lock();
        let mut last = for_whom;
        while last != who {
            let Some(next) = table.get(last) else {
                table.insert(who.clone(), for_whom.clone());
                return Some(Wait {
                    waits: self.clone(),
                    who: who.clone(),
                });
            };
            last = next;
        }
        None
    }

    /// Nothing that holds the lock panics halfway.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.waits.lock().remove(&self.who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_not_closed() {
        let of = |name: &str| Authority::of(&format!("https://{name}.example/")).unwrap();
        let (a, b, c) = (of("a"), of("b"), of("c"));
        let waits = Waits::default();
        assert!(waits.begin(&a, &a).is_none());
        let first = waits.begin(&a, &b);
        let second = waits.begin(&b, &c);
        assert!(first.is_some() && second.is_some());
        assert!(waits.begin(&c, &a).is_none());
        drop(first);
        let third = waits.begin(&c, &a);
        assert!(third.is_some());
        drop((second, third));
        assert!(waits.lock().is_empty());
    }
}
