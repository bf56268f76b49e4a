//! `SiteFacts`: what is known about a site: its robots.txt, what happened to it, and its past.

use std::collections::VecDeque;

use verger_access::{Hop, Outcome, Timestamp, Warning};
use verger_answer::{AuthorityLookup, LineChanges};
use verger_store::Timeline;

/// What is known about a site.
#[derive(Debug)]
pub struct SiteFacts {
    /// The site, and what decides about it.
    pub lookup: AuthorityLookup,
    /// The time that is asked about.
    pub at: Timestamp,
    /// The requests of the last attempt.
    pub hops: Vec<Hop>,
    /// What was odd about it.
    pub warnings: Vec<Warning>,
    /// `None` where the store has nothing.
    pub history: Option<SiteHistory>,
}

/// What a store has of a site.
#[derive(Debug)]
pub struct SiteHistory {
    /// What happened, in slots of time.
    pub timeline: Timeline,
    /// The last changes of the body, oldest first.
    pub changes: VecDeque<BodyChange>,
}

/// A change of the body.
#[derive(Debug)]
pub struct BodyChange {
    /// When the attempt ended that brought it.
    pub at: Timestamp,
    /// How that attempt ended.
    pub outcome: Outcome,
    /// `None` where the store has not both bodies any more.
    pub lines: Option<LineChanges>,
}
