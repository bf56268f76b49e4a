use std::sync::OnceLock;

/// The SHA-256 of a body, computed on first use.
///
/// The caller provides the hash function. Without one, answers omit the hash.
#[derive(Clone, Debug, Default)]
pub struct LazyHash {
    hash: Option<fn(&[u8]) -> String>,
    computed: OnceLock<String>,
}

impl LazyHash {
    /// Creates a hash that `hash` computes. It must return 64 hexadecimal digits.
    #[must_use]
    pub fn by(hash: fn(&[u8]) -> String) -> Self {
        Self {
            hash: Some(hash),
            computed: OnceLock::new(),
        }
    }

    /// Returns the hash of `body`, which must be the same body on every call.
    pub(crate) fn of(&self, body: &[u8]) -> Option<&str> {
        let hash = self.hash?;
        Some(self.computed.get_or_init(|| hash(body)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    static COMPUTED: AtomicU32 = AtomicU32::new(0);

    fn counted(body: &[u8]) -> String {
        COMPUTED.fetch_add(1, Ordering::Relaxed);
        format!("{} bytes", body.len())
    }

    #[test]
    fn a_hash_is_computed_once_and_only_where_it_is_asked_for() {
        let lazy = LazyHash::by(counted);
        assert_eq!(COMPUTED.load(Ordering::Relaxed), 0);
        for _ in 0..2 {
            assert_eq!(lazy.of(b"abc"), Some("3 bytes"));
        }
        assert_eq!(COMPUTED.load(Ordering::Relaxed), 1);
        assert_eq!(LazyHash::default().of(b"abc"), None);
    }
}
