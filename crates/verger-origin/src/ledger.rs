//! What came to one port: how often, and the last words of it.

use std::collections::VecDeque;

/// Request heads that are kept; earlier ones are forgotten.
const HEADS_MAX: usize = 64;

/// Characters of a head that are kept.
const HEAD_CHARACTERS_MAX: usize = 8 * 1024;

/// What came to one port.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) connections: u64,
    pub(super) requests: u64,
    heads: VecDeque<String>,
}

impl Ledger {
    /// Takes in a whole request.
    pub(super) fn request(&mut self, head: &str) {
        self.requests += 1;
        if self.heads.len() == HEADS_MAX {
            self.heads.pop_front();
        }
        self.heads
            .push_back(head.chars().take(HEAD_CHARACTERS_MAX).collect());
    }

    /// The last heads, the newest at the end.
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
