//! `History`: a web that changes, and questions at times.

use std::fmt;

use super::profile::ProfileName;
use super::web::{Page, Reply, Site};
use crate::scenario::FetchWhen;

/// What a page says from now on.
#[derive(Clone, Debug)]
pub struct Change {
    /// The page.
    pub page: Page,
    /// What it says.
    pub reply: Reply,
}

/// A question about one authority.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Whose robots.txt it is about.
    pub site: Site,
    /// The profile that decides.
    pub profile: ProfileName,
    /// Whether it is fetched first.
    pub fetch: FetchWhen,
}

/// Changes of the web, and a question after them.
#[derive(Clone, Debug)]
pub struct Event {
    /// When, in seconds after time zero, by a clock that may stop, jump and go back.
    pub at: u64,
    /// What changes; a page that never changed has no name.
    pub changes: Vec<Change>,
    /// What is asked then.
    pub question: Question,
}

/// Events in order.
#[derive(Clone, Debug)]
pub struct History {
    /// What happens.
    pub events: Vec<Event>,
    /// What takes the place of lifetimes, in seconds, where captures answer.
    pub hold: Option<u64>,
}

impl History {
    /// The history without all that it fails without.
    pub(super) fn shortened(&self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut least = self.clone();
        loop {
            let Some(shorter) = least.shorter().into_iter().find(&fails) else {
                return least;
            };
            least = shorter;
        }
    }

    /// The histories with one event or one change less.
    fn shorter(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for number in 0..self.events.len() {
            let mut shorter = self.clone();
            let removed = shorter.events.remove(number);
            // What changed then still does.
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
