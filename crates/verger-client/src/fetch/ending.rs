//! `Ending`: how a fetch ended. That decides whether its outcome is stored.

use verger_store::Shortage;

use crate::fetch::fetched::Fetched;
use crate::fetch::known::Known;

pub(crate) enum Ending {
    /// A fact about the site, with every hop checked. All processes may know it.
    Fact(Fetched),
    /// This client refused, because of the address or of an override. Only its callers get the
    /// answer.
    RefusedHere(Fetched),
    /// Hops were followed unchecked. The outcome answers a question about a hop and is not kept.
    Unchecked(Fetched),
    /// A limit of this client used up the time. Nothing is known about the site.
    NotSent(Fetched),
    /// This machine ran out of a resource.
    Shortage(Shortage),
}

/// The result that callers of one attempt get.
pub(crate) enum Attempted {
    Known(Box<Known>),
    /// Another process took over the lease. Its stored result may be newer.
    LeaseLost,
    /// See [`Ending::NotSent`].
    NotSent,
}
