use core::time::Duration;

use verger_access::{Answer, Authority};
use verger_store::{Shortage, StoreError};

use crate::fetch::fetched::Fetched;

/// Receives notifications about fetches, for logs, counters and progress. Return soon, because the
/// fetch waits for each call.
pub trait Observer: Send + Sync {
    /// A fetch has begun.
    fn begun(&self, authority: &Authority) {
        let _ = authority;
    }

    /// A fetch has ended with the profile's answer.
    fn ended(&self, authority: &Authority, fetched: &Fetched, answer: &Answer) {
        let _ = (authority, fetched, answer);
    }

    /// A fetch has ended without a result because this machine ran out of a resource.
    fn cut_short(&self, authority: &Authority, shortage: &Shortage) {
        let _ = (authority, shortage);
    }

    /// The process named `holder` fetches the same authority. The call waits at most `longest` for
    /// it.
    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let _ = (authority, holder, longest);
    }

    /// The attempt could not be stored. It is kept in memory until it expires.
    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        let _ = (authority, error);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoObserver;

impl Observer for NoObserver {}
