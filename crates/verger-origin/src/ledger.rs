//! Statistics of a port: connections, requests and the last request heads.

use std::collections::VecDeque;

/// Maximum number of request heads kept.
const HEADS_MAX: usize = 64;

/// Maximum length of a stored request head, in characters.
const HEAD_CHARACTERS_MAX: usize = 8 * 1024;

/// Statistics of a port.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) connections: u64,
    pub(super) requests: u64,
    heads: VecDeque<String>,
}

impl Ledger {
    /// Records a complete request.
    pub(super) fn request(&mut self, head: &str) {
        self.requests += 1;
        if self.heads.len() == HEADS_MAX {
            self.heads.pop_front();
        }
        self.heads
            .push_back(head.chars().take(HEAD_CHARACTERS_MAX).collect());
    }

    /// Returns the last request heads, oldest first.
    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_heads_are_kept_and_all_are_counted() {
        let mut ledger = Ledger::default();
        for number in 0..100 {
            ledger.request(&format!("{number} {}", "x".repeat(10_000)));
        }
        let heads = ledger.heads();
        assert_eq!((ledger.requests, heads.len()), (100, HEADS_MAX));
        assert!(heads[0].starts_with("36 ") && heads[63].starts_with("99 "));
        assert_eq!(heads[0].len(), HEAD_CHARACTERS_MAX);
    }
}
