//! `Observer`: is called when fetches begin, end, wait, or cannot be stored.

use core::time::Duration;

use verger_access::{Answer, Authority};
use verger_store::{Shortage, StoreError};

use crate::fetch::fetched::Fetched;

/// Observes fetches: for logs, counters and progress. Each call should return soon, since a fetch
/// waits for it.
pub trait Observer: Send + Sync {
    /// A fetch has begun.
    fn begun(&self, authority: &Authority) {
        let _ = authority;
    }

    /// A fetch has ended, with the answer of the profile.
    fn ended(&self, authority: &Authority, fetched: &Fetched, answer: &Answer) {
        let _ = (authority, fetched, answer);
    }

    /// A fetch has ended without a result, since this machine lacks something.
    fn cut_short(&self, authority: &Authority, shortage: &Shortage) {
        let _ = (authority, shortage);
    }

    /// Another process, with the name `holder`, fetches the same authority; the call waits for it, at
    /// most `longest`.
    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let _ = (authority, holder, longest);
    }

    /// The attempt could not be stored. It is kept in memory until it expires.
    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        let _ = (authority, error);
    }
}

/// Ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoObserver;

impl Observer for NoObserver {}
