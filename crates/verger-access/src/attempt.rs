//! `Attempt`: one fetch, from its first request to its end.

use core::time::Duration;

use url::Url;

use crate::good_copy::GoodCopy;
use crate::outcome::{Outcome, Reply};
use crate::timestamp::Timestamp;
use crate::warning::Warning;

/// One request of a fetch and the reply to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What was asked for.
    pub url: Url,
    /// The reply; `None` where no whole one came.
    pub reply: Option<Reply>,
}

/// The parts of an attempt that decide: what is kept of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// What became of it.
    pub outcome: Outcome,
    /// The lifetime that the last response states, less its age.
    pub stated_lifetime: Option<Duration>,
    /// The wait that the last response states.
    pub retry_after: Option<Duration>,
}

/// One fetch, ended: what a history keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What became of it, and when.
    pub last: LastAttempt,
    /// Every request and its reply, in order; never empty.
    pub hops: Vec<Hop>,
    /// The body, where the attempt was successful.
    pub copy: Option<GoodCopy>,
    /// What an operator should know.
    pub warnings: Vec<Warning>,
}
