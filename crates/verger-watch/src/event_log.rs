use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verger_access::{Authority, Profile, Timestamp};
use verger_answer::json;
use verger_store::{Deliveries, Delivery, StoreError};

use crate::event_reason::EventReason;
use crate::event_severity::EventSeverity;
use crate::receiver::{NotTaken, Receiver};
use crate::watch_event::WatchEvent;

/// Maximum number of events kept for each site, and of bytes of an event.
const EVENTS_MAX: usize = 50;
const EVENT_BYTES_MAX: usize = 16 << 10;

/// Size of the events in memory, in bytes. Each site has the same share, and at least its last event.
const MEMORY_BYTES_MAX: usize = 64 << 20;

/// The name of the receiver in the store.
const NAME: &str = "log";

/// A receiver that keeps the last 50 events of each site in the store, for all processes that share
/// it, and up to 64 MiB of them in memory. An event that comes twice is kept once.
pub struct EventLog {
    store: Arc<dyn Deliveries>,
    /// The name of the events in the store.
    row: String,
    known: Mutex<Known>,
}

/// The events in memory.
struct Known {
    /// By site, the oldest event first.
    sites: BTreeMap<String, Arc<[LoggedEvent]>>,
    /// The share of a site, in bytes.
    bytes_max: usize,
}

impl core::fmt::Debug for EventLog {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EventLog").finish_non_exhaustive()
    }
}

/// An event of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoggedEvent {
    /// When the change was seen.
    pub time: Timestamp,
    /// The severity.
    pub severity: EventSeverity,
    /// The id.
    pub id: String,
    /// The event as JSON (`verger.watch/1`), at most 16 KiB. If it is longer, `changes` is empty, and if
    /// it is still longer, so are the `names` of its reasons.
    pub json: Arc<str>,
}

impl LoggedEvent {
    fn of(event: &WatchEvent<'_>) -> Result<Self, String> {
        let written =
            |event: &WatchEvent<'_>| json::to_string(event).map_err(|error| error.to_string());
        let without_names = |reason: &EventReason| EventReason {
            names: Vec::new(),
            more: reason.names.len() + reason.more,
            ..reason.clone()
        };
        let reasons: Vec<_> = event.reasons.iter().map(without_names).collect();
        let mut shorter = event.clone();
        let mut json = written(event)?;
        if json.len() > EVENT_BYTES_MAX {
            shorter.comparison = None;
            json = written(&shorter)?;
        }
        if json.len() > EVENT_BYTES_MAX {
            shorter.reasons = &reasons;
            json = written(&shorter)?;
        }
        Ok(Self {
            time: event.time,
            severity: event.severity(),
            id: event.id.clone(),
            json: json.into(),
        })
    }

    /// Returns its size in memory, in bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.id.len() + self.json.len()
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(4, ' ');
        let seconds = parts.next()?.parse().ok()?;
        let severity = parts.next()?;
        let mut severities = EventSeverity::ALL.iter();
        Some(Self {
            time: Timestamp::from_unix_seconds(seconds),
            severity: *severities.find(|it| it.as_str() == severity)?,
            id: parts.next()?.to_owned(),
            json: parts.next()?.into(),
        })
    }
}

impl EventLog {
    /// Creates a log whose events are in this store. The profile is part of their name, because
    /// watches with different profiles have different events.
    #[must_use]
    pub fn new(store: Arc<dyn Deliveries>, profile: &Profile) -> Self {
        Self {
            store,
            row: format!("{} {NAME} events", profile.name),
            known: Mutex::new(Known {
                sites: BTreeMap::new(),
                bytes_max: MEMORY_BYTES_MAX,
            }),
        }
    }

    /// Reads the events of a site from the store, including those of other processes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub fn read(&self, site: &Authority) -> Result<(), StoreError> {
        let events = self.stored(site)?;
        let mut known = self.known();
        let mut left = known.bytes_max;
        let mut fitting = |event: &&LoggedEvent| {
            let rest = left.checked_sub(event.bytes());
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        let count = events.iter().rev().take_while(&mut fitting).count();
        let first = events.len().saturating_sub(count.max(1));
        let kept = events.into_iter().skip(first).collect();
        known.sites.insert(site.to_string(), kept);
        Ok(())
    }

    fn stored(&self, site: &Authority) -> Result<Vec<LoggedEvent>, StoreError> {
        let row = self.store.delivery(site, &self.row)?;
        let text = row.map(|row| row.state).unwrap_or_default();
        Ok(text.lines().filter_map(LoggedEvent::parse).collect())
    }

    /// Returns the events of a site that are in memory, the oldest first.
    #[must_use]
    pub fn of_site(&self, site: &Authority) -> Arc<[LoggedEvent]> {
        let known = self.known().sites.get(&site.to_string()).cloned();
        known.unwrap_or_default()
    }

    /// Returns the events of all sites since a time, the oldest first, at most `max`.
    #[must_use]
    pub fn since(&self, time: Timestamp, max: usize) -> Vec<LoggedEvent> {
        self.sorted(max, |it| it.time >= time, |it| it.time.unix_seconds())
    }

    /// Returns the last events of all sites, the newest first, at most `max`.
    #[must_use]
    pub fn last(&self, max: usize) -> Vec<LoggedEvent> {
        self.sorted(max, |_| true, |it| Reverse(it.time.unix_seconds()))
    }

    fn sorted<K: Ord>(
        &self,
        max: usize,
        is_meant: impl Fn(&LoggedEvent) -> bool,
        key: impl Fn(&LoggedEvent) -> K,
    ) -> Vec<LoggedEvent> {
        let known = self.known();
        let events = known.sites.values().flat_map(|events| events.iter());
        let mut events: Vec<&LoggedEvent> = events.filter(|it| is_meant(it)).collect();
        events.sort_by_key(|it| key(it));
        events.into_iter().take(max).cloned().collect()
    }

    /// Forgets all sites but these, and divides the memory among them.
    pub fn retain(&self, sites: &BTreeSet<String>) {
        let mut known = self.known();
        known.sites.retain(|site, _| sites.contains(site));
        known.bytes_max = MEMORY_BYTES_MAX / sites.len().max(1);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, event: &WatchEvent<'_>) -> Result<(), String> {
        let failed = |error: StoreError| error.to_string();
        let events = self.stored(event.site).map_err(failed)?;
        if events.iter().any(|it| it.id == event.id) {
            return self.read(event.site).map_err(failed);
        }
        let new = LoggedEvent::of(event)?;
        let old = events
            .iter()
            .skip((events.len() + 1).saturating_sub(EVENTS_MAX));
        let mut state = String::new();
        for it in old.chain([&new]) {
            let (seconds, severity) = (it.time.unix_seconds(), it.severity);
            let _ = writeln!(state, "{seconds} {severity} {} {}", it.id, it.json);
        }
        let row = Delivery {
            event: event.id.clone(),
            at: event.time,
            state,
            body: None,
        };
        self.store
            .put_delivery(event.site, &self.row, &row)
            .map_err(failed)?;
        self.read(event.site).map_err(failed)
    }
}

impl Receiver for EventLog {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn in_words(&self) -> String {
        "the log of events".to_owned()
    }

    fn next_watch(&self) -> String {
        "the next watch keeps it".to_owned()
    }

    /// The thread that fetched a site keeps its event. No event is merged with a later one.
    fn changes_at_once(&self) -> usize {
        0
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        self.keep(event).map_err(NotTaken::Failed)
    }

    /// Reads the events again, because another process may have kept the last one. A store that fails is
    /// reported by the next look.
    fn settled(&self, site: &Authority) {
        let _ = self.read(site);
    }
}

#[cfg(test)]
mod tests {
    use verger_store::MemoryStore;

    use super::*;
    use crate::event_reason::ReasonKind;
    use crate::watch_event::WatchEventKind;

    fn keep(log: &EventLog, site: &Authority, nth: u64, reasons: &[EventReason]) {
        let event = WatchEvent {
            id: format!("{nth:032}"),
            kind: WatchEventKind::Changed,
            time: Timestamp::from_unix_seconds(nth),
            site,
            stances: [None; 2],
            outcome: "200",
            comparison: None,
            reasons,
        };
        log.keep(&event).unwrap();
    }

    #[test]
    fn each_profile_has_events_of_its_own() {
        let store: Arc<dyn Deliveries> = Arc::new(MemoryStore::new(1 << 20));
        let site = Authority::from_url("https://h.example/").unwrap();
        let [rfc9309, google] = [&Profile::RFC9309, &Profile::GOOGLE]
            .map(|profile| EventLog::new(Arc::clone(&store), profile));
        keep(&rfc9309, &site, 1, &[]);
        for (log, count) in [(&rfc9309, 1), (&google, 0)] {
            log.read(&site).unwrap();
            assert_eq!(log.of_site(&site).len(), count);
        }
    }

    #[test]
    fn a_log_shows_the_event_that_another_process_kept() {
        let store: Arc<dyn Deliveries> = Arc::new(MemoryStore::new(1 << 20));
        let site = Authority::from_url("https://h.example/").unwrap();
        let [one, other] = [(); 2].map(|()| EventLog::new(Arc::clone(&store), &Profile::RFC9309));
        keep(&one, &site, 1, &[]);
        other.settled(&site);
        assert_eq!(other.of_site(&site).len(), 1);
        // A delivery that was repeated.
        keep(&one, &site, 2, &[]);
        keep(&other, &site, 2, &[]);
        assert_eq!(other.of_site(&site), one.of_site(&site));
    }

    #[test]
    fn long_events_and_many_sites_take_bounded_memory() {
        let store = Arc::new(MemoryStore::new(64 << 20));
        let log = EventLog::new(store, &Profile::RFC9309);
        let names = vec!["\u{1}".repeat(1 << 20); 30];
        let reasons: Vec<_> = [ReasonKind::SitemapGone, ReasonKind::LintError]
            .into_iter()
            .filter_map(|kind| EventReason::of_names(kind, names.clone()))
            .collect();
        let site = Authority::from_url("https://h.example/").unwrap();
        for nth in 0..60 {
            keep(&log, &site, nth, &reasons);
        }
        let events = log.of_site(&site);
        assert_eq!((events.len(), events[0].time.unix_seconds()), (50, 10));
        assert!(events.iter().all(|it| it.json.len() <= EVENT_BYTES_MAX));
        assert_eq!(log.last(2)[0].time.unix_seconds(), 59);
        // With many sites, a share has fewer events, but the store has all.
        let sites = (0..100_000).map(|nth| nth.to_string());
        log.retain(&sites.chain([site.to_string()]).collect());
        log.read(&site).unwrap();
        assert!((1..5).contains(&log.of_site(&site).len()));
        assert_eq!(log.stored(&site).unwrap().len(), 50);
    }
}
