use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use url::Url;
use verger_access::Authority;

use crate::event_severity::EventSeverity;
use crate::program::Program;
use crate::receiver::{NotTaken, Receiver};
use crate::site_list::{ListedReceiver, ListedSite, ReceiverAddress, SiteList};
use crate::watch_event::WatchEvent;
use crate::webhook::{PostError, Webhook};

/// The places of the receivers of each site, shared by all receivers of a list.
type ReceiversOfSites = Arc<BTreeMap<String, Arc<[usize]>>>;

/// A receiver of the events of some sites, from a severity on.
pub struct SelectedReceiver<'r> {
    receiver: Box<dyn Receiver + 'r>,
    name: &'r str,
    place: usize,
    sites: ReceiversOfSites,
    at_least: EventSeverity,
}

impl core::fmt::Debug for SelectedReceiver<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut debug = f.debug_struct("SelectedReceiver");
        debug.field("at_least", &self.at_least);
        debug.finish_non_exhaustive()
    }
}

/// Sends a body to a URL, for all receivers.
type SharedPost<'m> = &'m (dyn Fn(&Url, Vec<u8>) -> Result<(), PostError> + Sync);

/// The means of the receivers of a list.
#[derive(Clone, Copy)]
pub struct ReceiverMeans<'m> {
    /// Sends a body to a URL.
    pub post: SharedPost<'m>,
    /// Renders a change as a chat message.
    pub message: fn(&WatchEvent<'_>) -> String,
    /// Time limit for each run of a program.
    pub program_limit: Duration,
}

impl core::fmt::Debug for ReceiverMeans<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ReceiverMeans").finish_non_exhaustive()
    }
}

impl<'r> SelectedReceiver<'r> {
    /// Creates the receivers of a list, in the order of the list.
    #[must_use]
    pub fn all(list: &'r SiteList, means: ReceiverMeans<'r>) -> Vec<Self> {
        let of_site = |it: &ListedSite| {
            let site = it.watched.as_ref().ok()?.site.to_string();
            Some((site, Arc::clone(&it.receivers)))
        };
        let sites: ReceiversOfSites = Arc::new(list.sites.iter().filter_map(of_site).collect());
        let listed = list.receivers.iter().enumerate();
        let selected = listed.map(|(place, listed)| Self {
            receiver: receiver(listed, means),
            name: &listed.name,
            place,
            sites: Arc::clone(&sites),
            at_least: listed.at_least,
        });
        selected.collect()
    }
}

fn receiver<'r>(listed: &'r ListedReceiver, means: ReceiverMeans<'r>) -> Box<dyn Receiver + 'r> {
    let name = Some(listed.name.as_str());
    match &listed.to {
        ReceiverAddress::Program(path) => Box::new(Program {
            path,
            name,
            limit: means.program_limit,
        }),
        ReceiverAddress::Webhook { url, is_chat } => Box::new(Webhook {
            url,
            name,
            message: is_chat.then_some(means.message),
            post: Box::new(means.post),
        }),
    }
}

impl Receiver for SelectedReceiver<'_> {
    fn name(&self) -> String {
        self.receiver.name()
    }

    fn in_words(&self) -> String {
        format!("`{}`, {}", self.name, self.receiver.in_words())
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
        let receivers = self.sites.get(&site.to_string());
        receivers.is_some_and(|it| it.contains(&self.place))
    }

    /// Accepts events of a lower severity without a word.
    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        if event.severity() < self.at_least {
            return Ok(());
        }
        self.receiver.take(event)
    }
}
