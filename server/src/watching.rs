//! `Watching`: the sites of `--sites`, which the loop of `verger-watch` looks at.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use url::Url;
use verger_access::{Authority, Profile, Stance, Timestamp};
use verger_answer::{ReadAs, ReadError};
use verger_client::{Asking, Client, Clock as _, SettingsError, SystemClock, TransportSettings};
use verger_inputs::{JsonPoster, WebReader};
use verger_lint::Severity;
use verger_owner::SITEMAP_BYTES_MAX;
use verger_store::{Deliveries, SnapshotId};
use verger_watch::{
    EventLog, FailedDelivery, FetchedSite, ListedReceiver, ListedSite, LoggedEvent, Look,
    PostError, Program, Receiver, ReceiverAddress, SelectedReceiver, SiteFetcher, SiteList,
    SiteState, Watch, WatchEnd, WatchEventKind, WatchObserver, Webhook,
};

/// Time limit for a program that gets an event.
const PROGRAM_LIMIT: Duration = Duration::from_secs(60);

/// Time limit for a sitemap.
const SITEMAP_LIMIT: Duration = Duration::from_secs(30);

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
}

/// A site of the list, with the knowledge about it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) listed: ListedSite,
    pub(crate) seen: Seen,
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
    pub(crate) fn new(list: SiteList, store: Arc<dyn Deliveries>) -> Self {
        Self {
            log: EventLog::new(store),
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
        let names = list.watched().into_iter().map(|it| it.site.to_string());
        let names: BTreeSet<String> = names.collect();
        state.sites.retain(|site, _| names.contains(site));
        self.log.retain(|site| names.contains(site));
        state.list = Arc::new(list);
        state.end.end();
    }

    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopping = true;
        state.end.end();
    }

    /// Returns the list to watch and the end of the watch, or `None` if the server stops.
    fn next(&self) -> Option<(Arc<SiteList>, Arc<WatchEnd>)> {
        let mut state = self.lock();
        state.end = Arc::default();
        let next = (Arc::clone(&state.list), Arc::clone(&state.end));
        (!state.is_stopping).then_some(next)
    }

    /// Returns all sites in the order of the list.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let state = self.lock();
        let row = |listed: &ListedSite| Row {
            listed: listed.clone(),
            seen: match &listed.watched {
                Ok(watched) => {
                    let seen = state.sites.get(&watched.site.to_string());
                    seen.cloned().unwrap_or_default()
                }
                Err(problem) => Seen {
                    state: None,
                    problem: Some(format!("line {}: {problem}", listed.line)),
                },
            },
        };
        state.list.sites.iter().map(row).collect()
    }

    /// Returns the events of a site.
    pub(crate) fn events_of(&self, row: &Row) -> Arc<[LoggedEvent]> {
        let watched = row.listed.watched.as_ref();
        watched.map_or_else(|_| Arc::default(), |it| self.log.of_site(&it.site))
    }

    /// Returns a watched site.
    pub(crate) fn row(&self, site: &Authority) -> Option<Row> {
        let is_it = |row: &Row| row.listed.watched.as_ref().is_ok_and(|it| it.site == *site);
        self.rows().into_iter().find(is_it)
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
            for network in &list.own_addresses {
                settings.guard = settings.guard.allowing(*network);
            }
            let fetcher = Fetcher {
                client,
                settings,
                handle: world.handle.clone(),
            };
            let receivers = listed_receivers(&list, &world.settings);
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

    /// Appends the metrics of these sites. Their names are those of the list.
    pub(crate) fn write_metrics(&self, output: &mut String, rows: &[Row]) {
        let states = || rows.iter().filter_map(|row| row.seen.state.as_ref());
        let mut gauge = |name: &str, help: &str, of: &dyn Fn(&SiteState) -> Vec<(String, u64)>| {
            let _ = writeln!(
                output,
                "# HELP verger_site_{name} {help}\n# TYPE verger_site_{name} gauge"
            );
            for state in states() {
                let site = label(&state.site.to_string());
                for (labels, value) in of(state) {
                    let _ = writeln!(
                        output,
                        "verger_site_{name}{{site=\"{site}\"{labels}}} {value}"
                    );
                }
            }
        };
        let one = |value: u64| vec![(String::new(), value)];
        gauge(
            "up",
            "0 if the last fetch found no robots.txt server.",
            &|it| one(it.unreachable_since.is_none().into()),
        );
        gauge("stance", "1 for the stance of crawlers.", &|it| {
            let stances = Stance::ALL.iter();
            let stances = stances.map(|stance| {
                (
                    format!(",stance=\"{stance}\""),
                    u64::from(it.stance == *stance),
                )
            });
            stances.collect()
        });
        gauge("last_look_seconds", "Unix time of the last fetch.", &|it| {
            one(it.at.unix_seconds())
        });
        gauge(
            "last_change_seconds",
            "Unix time of the last event, or 0.",
            &|it| {
                let events = self.log.of_site(&it.site);
                one(events.last().map_or(0, |event| event.time.unix_seconds()))
            },
        );
        gauge(
            "search_closed",
            "Search engines that may not fetch the site.",
            &|it| one(it.search_closed.len() as u64),
        );
        gauge("claims_failed", "Claims that fail.", &|it| {
            one(it.claims_failed.len() as u64)
        });
        gauge(
            "differs_from_file",
            "1 if the served file differs from the expected one.",
            &|it| {
                it.differs_from_file
                    .map(|differs| (String::new(), differs.into()))
                    .into_iter()
                    .collect()
            },
        );
        gauge("findings", "Findings of lint.", &|it| {
            let findings = Severity::ALL.iter().zip(it.findings);
            let findings = findings
                .map(|(severity, count)| (format!(",severity=\"{severity}\""), count as u64));
            findings.collect()
        });
    }
}

/// Escapes the value of a label.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// Returns the receivers of the list. One that cannot be made is logged.
fn listed_receivers<'l>(
    list: &'l SiteList,
    settings: &TransportSettings,
) -> Vec<SelectedReceiver<'l>> {
    let listed = list.receivers.iter().enumerate();
    let receivers = listed.filter_map(|(place, listed)| match receiver(listed, settings) {
        Ok(receiver) => Some(SelectedReceiver::new(list, place, receiver)),
        Err(error) => {
            tracing::error!(receiver = listed.name, %error, "a receiver cannot be used");
            None
        }
    });
    receivers.collect()
}

fn receiver<'l>(
    listed: &'l ListedReceiver,
    settings: &TransportSettings,
) -> Result<Box<dyn Receiver + 'l>, SettingsError> {
    let name = Some(listed.name.as_str());
    Ok(match &listed.to {
        ReceiverAddress::Program(path) => Box::new(Program {
            path,
            name,
            limit: PROGRAM_LIMIT,
        }),
        ReceiverAddress::Webhook { url, is_chat } => {
            // The owner chose the address, not a site.
            let mut settings = settings.clone();
            settings.guard = settings.guard.allowing_all();
            let poster = JsonPoster::new(settings)?;
            Box::new(Webhook {
                url,
                name,
                message: is_chat.then_some(|event| event.to_string()),
                post: Box::new(move |url, body| {
                    let sent = poster.post(url, body);
                    sent.map_err(|error| PostError(error.to_string()))
                }),
            })
        }
    })
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
        let read = std::fs::read(path);
        read.map_err(|error| format!("cannot read `{}`: {error}", path.display()).into())
    }

    fn sitemap(&self, url: &Url) -> Result<Vec<u8>, ReadError> {
        let settings = || Ok::<_, SettingsError>(self.settings.clone());
        let mut reader = WebReader::new(settings, SITEMAP_LIMIT, SITEMAP_BYTES_MAX);
        let read = reader.read(url.clone());
        read.map_err(|error| error.to_string().into())
    }
}
