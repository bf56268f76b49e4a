use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verger_access::{Authority, Timestamp};
use verger_answer::json;
use verger_store::{Deliveries, Delivery, StoreError};

use crate::event_severity::EventSeverity;
use crate::receiver::{NotTaken, Receiver};
use crate::watch_event::WatchEvent;

/// Maximum number of events kept for each site, and of bytes of an event.
const EVENTS_MAX: usize = 50;
const EVENT_BYTES_MAX: usize = 16 << 10;

/// The name of the receiver in the store, and of its events.
const NAME: &str = "log";
const EVENTS: &str = "log events";

/// A receiver that keeps the last 50 events of each site in the store, for all processes that share
/// it. An event that comes twice is kept once.
pub struct EventLog {
    store: Arc<dyn Deliveries>,
    /// By site, the oldest event first.
    known: Mutex<BTreeMap<String, Arc<[LoggedEvent]>>>,
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
    /// The event as JSON (`verger.watch/1`). Without `changes` if it were longer than 16 KiB.
    pub json: Arc<str>,
}

impl LoggedEvent {
    fn of(event: &WatchEvent<'_>) -> Result<Self, String> {
        let written = |event| json::to_string(event).map_err(|error| error.to_string());
        let mut json = written(event)?;
        if json.len() > EVENT_BYTES_MAX {
            let comparison = None;
            json = written(&WatchEvent {
                comparison,
                ..event.clone()
            })?;
        }
        Ok(Self {
            time: event.time,
            severity: event.severity(),
            id: event.id.clone(),
            json: json.into(),
        })
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
    /// Creates a log whose events are in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Deliveries>) -> Self {
        Self {
            store,
            known: Mutex::default(),
        }
    }

    /// Reads the events of a site from the store, also those of other processes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub fn read(&self, site: &Authority) -> Result<Arc<[LoggedEvent]>, StoreError> {
        let row = self.store.delivery(site, EVENTS)?;
        let text = row.map(|row| row.state).unwrap_or_default();
        let events: Arc<[_]> = text.lines().filter_map(LoggedEvent::parse).collect();
        self.known().insert(site.to_string(), Arc::clone(&events));
        Ok(events)
    }

    /// Returns the events of a site that were read last, the oldest first.
    #[must_use]
    pub fn of_site(&self, site: &Authority) -> Arc<[LoggedEvent]> {
        let known = self.known().get(&site.to_string()).cloned();
        known.unwrap_or_default()
    }

    /// Returns the events of all sites since a time, the oldest first, at most `max`.
    #[must_use]
    pub fn since(&self, time: Timestamp, max: usize) -> Vec<LoggedEvent> {
        let known = self.known();
        let events = known.values().flat_map(|events| events.iter());
        let mut events: Vec<&LoggedEvent> = events.filter(|it| it.time >= time).collect();
        events.sort_by_key(|it| it.time);
        events.into_iter().take(max).cloned().collect()
    }

    /// Returns the last events of all sites, the newest first, at most `max`.
    #[must_use]
    pub fn last(&self, max: usize) -> Vec<LoggedEvent> {
        let mut events = self.since(Timestamp::default(), usize::MAX);
        events.reverse();
        events.truncate(max);
        events
    }

    /// Forgets the sites that are watched no more.
    pub fn retain(&self, is_watched: impl Fn(&str) -> bool) {
        self.known().retain(|site, _| is_watched(site));
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<[LoggedEvent]>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, event: &WatchEvent<'_>) -> Result<(), String> {
        let failed = |error: StoreError| error.to_string();
        let events = self.read(event.site).map_err(failed)?;
        if events.iter().any(|it| it.id == event.id) {
            return Ok(());
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
            .put_delivery(event.site, EVENTS, &row)
            .map_err(failed)?;
        self.read(event.site).map(|_| ()).map_err(failed)
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

    /// The thread that fetched a site keeps its event, so that none is merged with a later one.
    fn changes_at_once(&self) -> usize {
        0
    }

    fn attempts_once(&self) -> u32 {
        1
    }

    fn take(&self, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        self.keep(event).map_err(NotTaken::Failed)
    }
}
