//! `Observer`: who is told what happens besides the answers.

use core::time::Duration;

use verger_access::{Answer, Authority};
use verger_store::StoreError;

use crate::fetch::fetched::Fetched;

/// Observes what happens besides the answers: for logs, counters and progress. Each call is to
/// come back soon, since a fetch waits for it.
pub trait Observer: Send + Sync {
    /// A fetch has begun.
    fn begun(&self, authority: &Authority) {
        let _ = authority;
    }

    /// A fetch has ended, with what the profile makes of it.
    fn ended(&self, authority: &Authority, fetched: &Fetched, answer: &Answer) {
        let _ = (authority, fetched, answer);
    }

    /// Another process, `holder` in its own words, fetches the same authority. It is waited for, at
    /// most so long.
    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let _ = (authority, holder, longest);
    }

    /// What was fetched could not be kept. It is answered from memory while it holds there.
    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        let _ = (authority, error);
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoObserver;

impl Observer for NoObserver {}
