use std::io;
use std::time::Duration;

use verger_access::{Authority, Timestamp};

use crate::site_state::Look;
use crate::watch_event::{WatchEvent, WatchEventKind};

/// A destination for changes: standard output, a program or a webhook.
///
/// A receiver gets the changes of a site in order, at least once. If the process ends before it
/// records that a change was accepted, the receiver gets the change again with the same id. Several
/// pending changes of a site are combined into one.
pub trait Receiver: Sync {
    /// Returns the name in the store, which identifies the receiver in the next process. Concurrent
    /// watches with the same name share its changes: each change goes to one watch.
    fn name(&self) -> String;

    /// Describes the receiver for people.
    fn in_words(&self) -> String;

    /// Describes which later watch delivers the changes that are still due.
    fn next_watch(&self) -> String;

    /// Returns the maximum number of changes delivered at once, each of a different site. With 0, the
    /// thread that fetched a site delivers its change, so no change is merged with a later one.
    fn changes_at_once(&self) -> usize;

    /// Returns the maximum number of attempts in a watch that fetches once.
    fn attempts_once(&self) -> u32;

    /// Returns the time limit of [`Receiver::take`]. Other processes do not deliver to this receiver
    /// about the same site until it is over. Default: 10 seconds.
    fn limit(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// Returns whether the receiver gets the changes of a site. Default: of every site.
    fn is_for(&self, _site: &Authority) -> bool {
        true
    }

    /// Delivers a change.
    ///
    /// # Errors
    ///
    /// Returns an error if delivery fails. The receiver then gets the change again.
    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken>;

    /// Called once everything about a site has been told, by this process or another one. Default: does
    /// nothing.
    fn settled(&self, _site: &Authority) {}
}

/// The reason why a receiver did not accept a change.
#[derive(Debug)]
pub enum NotTaken {
    /// This attempt failed.
    Failed(String),
    /// The receiver has closed, such as a closed pipe. The watch ends.
    Gone(io::Error),
}

/// A callback for failures.
pub trait WatchObserver: Sync {
    /// Called if a site cannot be fetched or compared.
    fn site_failed(&self, site: &Authority, problem: &str);

    /// Called if a receiver does not accept a change, which stays due.
    fn delivery_failed(&self, failed: &FailedDelivery<'_>);

    /// Called once a receiver has accepted everything about a site. Default: does nothing.
    fn delivered(&self, _site: &Authority, _receiver: &str) {}

    /// Called if the served file still differs from the local one, or claims still fail, as `kind`
    /// says and as already reported at `since`.
    fn still_differs(&self, site: &Authority, kind: WatchEventKind, since: Timestamp);

    /// Called after each successful look at a site. Default: does nothing.
    fn looked(&self, _look: &Look<'_>) {}
}

/// A change that a receiver did not accept.
#[derive(Clone, Debug)]
pub struct FailedDelivery<'d> {
    /// The site.
    pub site: &'d Authority,
    /// The receiver, as [`Receiver::in_words`] describes it.
    pub receiver: String,
    /// The watch that delivers the change if this one ends, from [`Receiver::next_watch`].
    pub next_watch: String,
    /// The reason.
    pub problem: &'d str,
    /// Whether it was the last attempt of this watch.
    pub is_last: bool,
}
