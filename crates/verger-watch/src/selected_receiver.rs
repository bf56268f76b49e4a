use std::collections::BTreeSet;
use std::time::Duration;

use verger_access::Authority;

use crate::event_severity::EventSeverity;
use crate::receiver::{NotTaken, Receiver};
use crate::site_list::SiteList;
use crate::watch_event::WatchEvent;

/// A receiver of the events of some sites, from a severity on.
pub struct SelectedReceiver<'r> {
    receiver: Box<dyn Receiver + 'r>,
    sites: BTreeSet<String>,
    at_least: EventSeverity,
}

impl core::fmt::Debug for SelectedReceiver<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut debug = f.debug_struct("SelectedReceiver");
        debug.field("at_least", &self.at_least);
        debug.finish_non_exhaustive()
    }
}

impl<'r> SelectedReceiver<'r> {
    /// Selects the sites and the severity that the list states for its receiver at this place.
    #[must_use]
    pub fn new(list: &SiteList, place: usize, receiver: Box<dyn Receiver + 'r>) -> Self {
        let sites = list.sites.iter();
        let sites = sites.filter(|it| it.receivers.contains(&place));
        let sites = sites.filter_map(|it| it.watched.as_ref().ok());
        Self {
            receiver,
            sites: sites.map(|it| it.site.to_string()).collect(),
            at_least: list.receivers[place].at_least,
        }
    }
}

impl Receiver for SelectedReceiver<'_> {
    fn name(&self) -> String {
        self.receiver.name()
    }

    fn in_words(&self) -> String {
        self.receiver.in_words()
    }

    fn next_watch(&self) -> String {
        self.receiver.next_watch()
    }

    fn changes_at_once(&self) -> usize {
        self.receiver.changes_at_once()
    }

    fn attempts_once(&self) -> u32 {
        self.receiver.attempts_once()
    }

    fn limit(&self) -> Duration {
        self.receiver.limit()
    }

    fn is_for(&self, site: &Authority) -> bool {
        self.sites.contains(&site.to_string())
    }

    /// Accepts events of a lower severity without a word.
    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        if event.severity() < self.at_least {
            return Ok(());
        }
        self.receiver.take(event)
    }
}
