//! `Ending`: how a fetch ended, which decides where its outcome is kept.

use verger_store::Shortage;

use crate::fetch::fetched::Fetched;
use crate::fetch::known::Known;

/// How a fetch ended.
pub(crate) enum Ending {
    /// A fact about the site, every hop checked: all processes may know it.
    Fact(Fetched),
    /// What this client refuses, such as an address: its callers are answered, the store learns nothing.
    RefusedHere(Fetched),
    /// Hops were followed without a check: it answers the question about a hop, and is not kept.
    Unchecked(Fetched),
    /// A limit of this client took the time, so nothing is known about the site.
    NotSent(Fetched),
    /// This machine lacks something.
    Shortage(Shortage),
}

/// What one attempt to fetch gives its callers.
pub(crate) enum Attempted {
    Known(Box<Known>),
    /// Another process took the lease over meanwhile; what it stored may be newer.
    LeaseLost,
    /// [`Ending::NotSent`].
    NotSent,
}
