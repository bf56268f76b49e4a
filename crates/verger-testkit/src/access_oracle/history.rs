use std::fmt;

use super::profile::ProfileName;
use super::web::{Page, Reply, Site};
use crate::scenario::FetchWhen;

/// A new reply of a page.
#[derive(Clone, Debug)]
pub struct Change {
    /// The page.
    pub page: Page,
    /// The reply.
    pub reply: Reply,
}

/// A question about one authority.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The authority.
    pub site: Site,
    /// The profile that decides.
    pub profile: ProfileName,
    /// Whether to fetch first.
    pub fetch: FetchWhen,
}

/// Changes of the web, followed by a question.
#[derive(Clone, Debug)]
pub struct Event {
    /// Seconds after time zero, by a clock that may stop, jump and go back.
    pub at: u64,
    /// The changes. A page that never changed does not resolve.
    pub changes: Vec<Change>,
    /// The question.
    pub question: Question,
}

/// A changing web with questions at times.
#[derive(Clone, Debug)]
pub struct History {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Replaces lifetimes if captures answer, in seconds.
    pub hold: Option<u64>,
}

impl History {
    pub(super) fn shortened(&self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut least = self.clone();
        loop {
            let Some(shorter) = least.shorter().into_iter().find(&fails) else {
                return least;
            };
            least = shorter;
        }
    }

    fn shorter(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for number in 0..self.events.len() {
            let mut shorter = self.clone();
            let removed = shorter.events.remove(number);
            // Its changes still apply.
            if let Some(event) = shorter.events.get_mut(number) {
                event.changes.splice(0..0, removed.changes);
            }
            all.push(shorter);
        }
        for (number, event) in self.events.iter().enumerate() {
            for change in 0..event.changes.len() {
                let mut shorter = self.clone();
                shorter.events[number].changes.remove(change);
                all.push(shorter);
            }
        }
        all
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "hold {:?}", self.hold)?;
        for (number, event) in self.events.iter().enumerate() {
            writeln!(f, "event {number}, {} s:", event.at)?;
            for change in &event.changes {
                writeln!(f, "  {} says {:?}", change.page, change.reply.served())?;
            }
            let Question {
                site,
                profile,
                fetch,
            } = event.question;
            let site = site.robots();
            writeln!(f, "  {site} as {}, fetched {fetch:?}", profile.as_str())?;
        }
        Ok(())
    }
}
