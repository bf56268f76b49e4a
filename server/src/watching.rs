//! `Watching`: the sites of `--sites`, which the loop of `verger-watch` looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use url::Url;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{ReadAs, ReadError};
use verger_client::{Asking, Client, Clock as _, SettingsError, SystemClock, TransportSettings};
use verger_inputs::{JsonPoster, WebReader, read_regular};
use verger_store::{Deliveries, SnapshotId};
use verger_watch::{
    EventLog, FailedDelivery, FetchedSite, ListedSite, LoggedEvent, Look, PostError, Receiver,
    ReceiverMeans, SelectedReceiver, SiteFetcher, SiteList, SiteState, WATCH_SITEMAP_BYTES_MAX,
    Watch, WatchEnd, WatchEventKind, WatchObserver,
};

use crate::site_metrics::{SiteMetrics, write_site_metrics};

/// Time limit for a program that gets an event.
const PROGRAM_LIMIT: Duration = Duration::from_secs(60);

/// Time limit for a sitemap.
const SITEMAP_LIMIT: Duration = Duration::from_secs(10);

/// The watched sites.
pub(crate) struct Watching {
    pub(crate) log: EventLog,
    state: Mutex<State>,
}

struct State {
    list: Arc<SiteList>,
    /// By site, as far as it was looked at.
    sites: BTreeMap<String, Seen>,
    end: Arc<WatchEnd>,
    is_stopping: bool,
}

impl State {
    fn row(&self, place: usize) -> Row {
        let listed = &self.list.sites[place];
        let seen = match &listed.watched {
            Ok(watched) => {
                let seen = self.sites.get(&watched.site.to_string());
                seen.cloned().unwrap_or_default()
            }
            Err(problem) => Seen {
                state: None,
                problem: Some(format!("line {}: {problem}", listed.line)),
                undelivered: BTreeMap::new(),
            },
        };
        Row {
            list: Arc::clone(&self.list),
            place,
            seen,
        }
    }
}

/// The parts of the server that a watch needs.
pub(crate) struct World<'w> {
    pub(crate) store: &'w dyn Deliveries,
    pub(crate) profile: &'w Profile,
    pub(crate) read_as: ReadAs,
    /// How requests that are not for a robots.txt are sent.
    pub(crate) settings: TransportSettings,
    pub(crate) handle: &'w Handle,
}

/// The knowledge about a listed site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) state: Option<Arc<SiteState>>,
    /// Why it cannot be watched, or the last problem, until a look succeeds.
    pub(crate) problem: Option<String>,
    /// Why events are still due, by receiver.
    undelivered: BTreeMap<String, String>,
}

impl Seen {
    /// Returns the problem, and those of receivers that have not accepted an event.
    pub(crate) fn problems(&self) -> Vec<String> {
        let due = self.undelivered.iter();
        let due =
            due.map(|(receiver, problem)| format!("an event is due to {receiver}: {problem}"));
        self.problem.iter().cloned().chain(due).collect()
    }
}

/// A site of the list, with the knowledge about it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    list: Arc<SiteList>,
    place: usize,
    pub(crate) seen: Seen,
}

impl Row {
    pub(crate) fn listed(&self) -> &ListedSite {
        &self.list.sites[self.place]
    }

    /// Returns the place in the list, counted from 1.
    pub(crate) fn place(&self) -> usize {
        self.place + 1
    }

    /// Returns the site, if it can be watched.
    pub(crate) fn site(&self) -> Option<&Authority> {
        Some(&self.listed().watched.as_ref().ok()?.site)
    }
}

/// Reads a list of sites.
///
/// # Errors
///
/// Returns an error if the file cannot be used.
pub(crate) fn read_list(path: &Path, read_as: ReadAs) -> Result<SiteList, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let list = SiteList::parse(&text, directory, read_as);
    list.map_err(|error| error.to_string())
}

impl Watching {
    pub(crate) fn new(list: SiteList, store: Arc<dyn Deliveries>, profile: &Profile) -> Self {
        Self {
            log: EventLog::new(store, profile),
            state: Mutex::new(State {
                list: Arc::new(list),
                sites: BTreeMap::new(),
                end: Arc::default(),
                is_stopping: false,
            }),
        }
    }

    /// Ignores poisoning, because a panic under the lock leaves no half-made change.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with another list. Sites in both keep their states.
    pub(crate) fn replace(&self, list: SiteList) {
        let mut state = self.lock();
        state.list = Arc::new(list);
        state.end.end();
    }

    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopping = true;
        state.end.end();
    }

    /// Returns the list to watch and the end of the watch, or `None` if the server stops. Forgets the
    /// sites of the list before, because its watch is over.
    fn next(&self) -> Option<(Arc<SiteList>, Arc<WatchEnd>)> {
        let mut state = self.lock();
        state.end = Arc::default();
        let (list, end) = (Arc::clone(&state.list), Arc::clone(&state.end));
        let sites = list.sites.iter().filter_map(|it| it.watched.as_ref().ok());
        let names: BTreeSet<String> = sites.map(|it| it.site.to_string()).collect();
        state.sites.retain(|site, _| names.contains(site));
        // The next watch tries again at its first look.
        state
            .sites
            .values_mut()
            .for_each(|it| it.undelivered.clear());
        self.log.retain(&names);
        (!state.is_stopping).then_some((list, end))
    }

    /// Returns all sites in the order of the list.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let state = self.lock();
        let places = 0..state.list.sites.len();
        places.map(|place| state.row(place)).collect()
    }

    /// Returns the events of a site.
    pub(crate) fn events_of(&self, row: &Row) -> Arc<[LoggedEvent]> {
        row.site()
            .map_or_else(Arc::default, |site| self.log.of_site(site))
    }

    /// Returns a watched site.
    pub(crate) fn row(&self, site: &Authority) -> Option<Row> {
        let state = self.lock();
        let is_it = |it: &ListedSite| it.watched.as_ref().is_ok_and(|it| it.site == *site);
        let place = state.list.sites.iter().position(is_it)?;
        Some(state.row(place))
    }

    /// Appends the metrics of these sites. Their names are those of the list.
    pub(crate) fn write_metrics(&self, output: &mut String, rows: &[Row]) {
        let metrics = rows.iter().filter_map(|row| {
            Some(SiteMetrics {
                state: row.seen.state.as_deref(),
                site: Some(row.site()?.to_string()),
                last_event: self.events_of(row).last().map(|event| event.time),
            })
        });
        write_site_metrics(output, &metrics.collect::<Vec<_>>());
    }

    /// Watches until the server stops. Blocks. `client` makes the client for a list.
    pub(crate) fn run<E: std::fmt::Display>(
        &self,
        world: &World<'_>,
        client: impl Fn(&SiteList) -> Result<Client, E>,
    ) {
        while let Some((list, end)) = self.next() {
            let client = match client(&list) {
                Ok(client) => client,
                Err(error) => {
                    tracing::error!(%error, "the sites are not watched");
                    return;
                }
            };
            let mut settings = world.settings.clone();
            for (hosts, networks) in list.own_hosts() {
                settings.guard = settings.guard.allowing_for(hosts, networks);
            }
            let fetcher = Fetcher {
                client,
                settings,
                handle: world.handle.clone(),
            };
            let poster = poster(&world.settings);
            let post = |url: &Url, body| match &poster {
                Ok(poster) => poster
                    .post(url, body)
                    .map_err(|it| PostError(it.to_string())),
                Err(error) => Err(PostError(error.to_string())),
            };
            let means = ReceiverMeans {
                post: &post,
                message: |event| event.to_string(),
                program_limit: PROGRAM_LIMIT,
            };
            let receivers = SelectedReceiver::all(&list, means);
            let mut all: Vec<&dyn Receiver> = vec![&self.log];
            all.extend(receivers.iter().map(|it| it as &dyn Receiver));
            let watch = Watch {
                store: world.store,
                profile: world.profile,
                read_as: world.read_as,
                receivers: &all,
                fetcher: &fetcher,
                observer: self,
                now: &|| SystemClock.now(),
                resumes: true,
            };
            if let Err(error) = watch.run(&list.watched(), &end) {
                tracing::error!(%error, "a receiver has closed");
            }
            world.handle.block_on(fetcher.client.close());
        }
    }
}

/// Returns the sender of webhooks, to which the owner's addresses are open: the owner chose them, not
/// a site.
fn poster(settings: &TransportSettings) -> Result<JsonPoster, SettingsError> {
    let mut settings = settings.clone();
    settings.guard = settings.guard.allowing_all();
    JsonPoster::new(settings)
}

impl WatchObserver for Watching {
    fn site_failed(&self, site: &Authority, problem: &str) {
        tracing::warn!(%site, problem, "a watched site was not looked at");
        let mut state = self.lock();
        state.sites.entry(site.to_string()).or_default().problem = Some(problem.to_owned());
    }

    fn delivery_failed(&self, failed: &FailedDelivery<'_>) {
        let FailedDelivery {
            site,
            receiver,
            problem,
            ..
        } = failed;
        tracing::warn!(%site, receiver, problem, "an event was not delivered and stays due");
        let mut state = self.lock();
        let seen = state.sites.entry(site.to_string()).or_default();
        seen.undelivered
            .insert(receiver.clone(), (*problem).to_owned());
    }

    fn delivered(&self, site: &Authority, receiver: &str) {
        if let Some(seen) = self.lock().sites.get_mut(&site.to_string()) {
            seen.undelivered.remove(receiver);
        }
    }

    fn still_differs(&self, _: &Authority, _: WatchEventKind, _: Timestamp) {}

    fn looked(&self, look: &Look<'_>) {
        let state = Arc::new(look.state());
        if let Err(error) = self.log.read(&state.site) {
            tracing::warn!(site = %state.site, %error, "the events of a site were not read");
        }
        let mut all = self.lock();
        let seen = all.sites.entry(state.site.to_string()).or_default();
        seen.problem = (!state.problems.is_empty()).then(|| state.problems.join("; "));
        seen.state = Some(state);
    }
}

struct Fetcher {
    client: Client,
    settings: TransportSettings,
    handle: Handle,
}

impl SiteFetcher for Fetcher {
    fn fetch(&self, site: &Authority, seen: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
        let asking = seen.map_or(Asking::Now, |seen| Asking::NewerThan(Some(seen)));
        let asked = [(site.clone(), asking)];
        let mut reports = self.handle.block_on(self.client.report_each(&asked));
        let report = reports.pop().ok_or("not fetched")?;
        let report = report.map_err(|error| error.to_string())?;
        let now = SystemClock.now();
        let (answer, knowledge) = (report.answer, &report.knowledge);
        Ok(FetchedSite::new(answer, knowledge, report.snapshot, now))
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let read = read_regular(path);
        read.map_err(|error| error.to_string().into())
    }

    fn sitemap(&self, url: &Url) -> Result<Vec<u8>, ReadError> {
        let settings = || Ok::<_, SettingsError>(self.settings.clone());
        let mut reader = WebReader::new(settings, SITEMAP_LIMIT, WATCH_SITEMAP_BYTES_MAX);
        let read = reader.read(url.clone());
        read.map_err(|error| error.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use verger_store::MemoryStore;

    use super::*;

    #[test]
    fn a_removed_site_does_not_come_back_with_a_look_that_ends_late() {
        let list = |text: &str| SiteList::parse(text, Path::new(""), ReadAs::default()).unwrap();
        let store = Arc::new(MemoryStore::new(1 << 20));
        let old = list("[[site]]\nurl = 'h.example'\n");
        let site = old.watched()[0].site.clone();
        let watching = Watching::new(old, store, &Profile::RFC9309);
        watching.next().unwrap();
        watching.replace(list(""));
        watching.site_failed(&site, "no answer");
        watching.delivered(&site, "ops");
        watching.next().unwrap();
        assert!(watching.lock().sites.is_empty());
        watching.stop();
        assert!(watching.next().is_none());
    }
}
