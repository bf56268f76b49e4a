//! `Receiver`: gets changes; `WatchObserver`: is called about failures.

use std::io;

use verger_access::{Authority, Timestamp};

use crate::watch::watch_event::WatchEvent;

/// Gets changes: standard output, a program, a webhook.
///
/// Each gets the changes of a site in order, at least once: where the process ends before it has noted that a change was
/// taken, the receiver gets the change again, with the same id. Several changes of a site that a receiver has not taken
/// yet come as one.
pub trait Receiver: Sync {
    /// Its name in the store: that of the same receiver in the next process. Watches at the same time with one name
    /// share what is due: each change goes to one of them, or with the same id to each that sees it at once.
    fn name(&self) -> String;

    /// What it is, for people.
    fn in_words(&self) -> String;

    /// Which watch delivers what is still due to it, where this one ends.
    fn next_watch(&self) -> String;

    /// How many changes it gets at once, each of another site.
    fn changes_at_once(&self) -> usize;

    /// How many attempts there are in a watch that fetches once.
    fn attempts_once(&self) -> u32;

    /// Takes a change.
    ///
    /// # Errors
    ///
    /// Where it could not; then it gets the change again.
    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken>;
}

/// Why a receiver did not take a change.
#[derive(Debug)]
pub enum NotTaken {
    /// An attempt failed.
    Failed(String),
    /// It takes nothing any more, as a closed pipe, and the watch ends.
    Gone(io::Error),
}

/// Is called when something goes wrong.
pub trait WatchObserver: Sync {
    /// A site could not be fetched or compared.
    fn site_failed(&self, site: &Authority, problem: &str);

    /// A receiver did not take a change, which stays due.
    fn delivery_failed(&self, failed: &FailedDelivery<'_>);

    /// What is served differs from the file, as was said of what was seen at a time.
    fn still_differs(&self, site: &Authority, since: Timestamp);
}

/// A receiver did not take a change.
#[derive(Clone, Debug)]
pub struct FailedDelivery<'d> {
    /// The site.
    pub site: &'d Authority,
    /// The receiver ([`Receiver::in_words`]).
    pub receiver: String,
    /// Which watch delivers it, where this one ends ([`Receiver::next_watch`]).
    pub next_watch: String,
    /// Why.
    pub problem: &'d str,
    /// Whether it was the last attempt of this watch.
    pub is_last: bool,
}
