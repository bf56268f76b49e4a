//! `Service`: everything that requests share: the store, clients, parsed files, limits and counters.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use verger::{Crawler, Dialect};
use verger_access::{Authority, Override, Profile, UnknownProfile};
use verger_answer::{CrawlerQuery, NoSite, PacingBounds, ReadAs, ResolvedCrawler, written_sites};
use verger_client::{
    Client, ClientBuilder, FetchLimits, FetchShares, SettingsError, TransportSettings,
};
use verger_crawlers::UserAgentHeader;
use verger_inputs::{NotAnOverride, PageFetcher, overrides_of};
use verger_store::{BodyHash, Deliveries, MemoryStore};
use verger_watch::SiteList;

use crate::fetch_observer::FetchObserver;
use crate::given::{Settings, UnusableFile};
use crate::metrics::{Gauges, Metrics, Shed, StoreCall};
use crate::problem::Problem;
use crate::site_file::SiteFiles;
use crate::store_choice::{STORE_PATIENCE, StoreChoice, StoreChoiceError};
use crate::timed_store::TimedStore;
use crate::tokens::{Tokens, TokensError};
use crate::watching::{Watching, World, read_list};

/// Memory of a client for another than the default profile. Its answers are kept with all others.
const OTHER_CLIENT_BYTES: u64 = 1 << 20;

/// The unit in which space for bodies is measured, in bytes.
pub(crate) const ROOM_BYTES: usize = 1024;

/// Maximum number of threads that wait for the store, not counting those of the clients.
const STORE_JOBS_MAX: usize = 16;

/// Maximum number of questions about whole files, running or queued. Each may take seconds.
const FILE_QUESTIONS_MAX: usize = 16;

/// Longest wait for the turn of a request for a page.
const PAGE_WAIT: Duration = Duration::from_secs(30);

/// Pause between calls of a store that fails.
const PROBE_PAUSE: Duration = Duration::from_secs(5);

/// Number of bodies of maximum size that fit into memory together.
const BODIES_MAX: usize = 64;

/// Everything that requests share.
pub(crate) struct Service {
    pub(crate) settings: Settings,
    pub(crate) store: Arc<dyn Deliveries>,
    memory: Option<Arc<MemoryStore>>,
    /// The crawler of questions that name none.
    pub(crate) agent: Arc<str>,
    /// A client for each profile in use, in the order of `Profile::ALL`.
    clients: Vec<OnceLock<Client>>,
    /// Fetches pages for the clients above.
    pages: Vec<OnceLock<PageFetcher>>,
    /// The index of the default profile.
    pub(crate) profile: usize,
    pub(crate) files: SiteFiles,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) reloadable: watch::Sender<Arc<Reloadable>>,
    /// Counts how often overrides were replaced.
    pub(crate) overrides_number: AtomicU64,
    /// Permits for requests in progress.
    pub(crate) requests: Arc<Semaphore>,
    /// Permits for questions that need a fetch or the store.
    pub(crate) fetches: Arc<FetchShares>,
    /// Permits for CPU work of questions about sites.
    pub(crate) jobs: Arc<Semaphore>,
    /// Permits for CPU work of questions about whole files, which leaves a processor to the others.
    pub(crate) file_jobs: Arc<Semaphore>,
    /// Permits for questions about whole files.
    pub(crate) file_questions: Semaphore,
    /// Permits for work that waits for the store. CPU work continues while the store does not answer.
    pub(crate) store_jobs: Arc<Semaphore>,
    /// Permits for bodies, in KiB.
    pub(crate) room: Arc<Semaphore>,
    room_max: usize,
    pub(crate) is_stopping: AtomicBool,
    client_bytes: u64,
    /// The sites of `--sites`.
    pub(crate) watching: Option<Watching>,
}

/// The settings that can be replaced while the server runs.
pub(crate) struct Reloadable {
    pub(crate) tokens: Tokens,
    /// The sites whose crawlers `authz` checks against their robots.txt.
    pub(crate) sites: HashSet<Authority>,
    pub(crate) overrides: HashMap<Authority, Override>,
}

impl Reloadable {
    /// # Errors
    ///
    /// Returns an error if a setting cannot be used.
    pub(crate) fn new(settings: &Settings) -> Result<Self, StartError> {
        let sites = settings.site.iter().map(|site| written_sites(site));
        let sites = sites.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            tokens: Tokens::of(settings.tokens.as_deref(), settings.rate)?,
            sites: sites.into_iter().flatten().collect(),
            overrides: overrides(&settings.overrides)?,
        })
    }
}

/// The server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The file of settings cannot be used.
    #[error(transparent)]
    File(#[from] UnusableFile),
    /// The profile does not exist.
    #[error("unknown profile `{0}`: {UnknownProfile}")]
    Profile(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreChoiceError),
    /// The tokens cannot be used.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// A setting of the client cannot be used.
    #[error(transparent)]
    Client(#[from] SettingsError),
    /// A site is not a valid host or URL.
    #[error(transparent)]
    Site(#[from] NoSite),
    /// An override cannot be used.
    #[error("invalid override `{0}`: {1}")]
    Override(String, #[source] NotAnOverride),
    /// The crawler is not known.
    #[error("invalid crawler `{0}`: {1}")]
    Agent(String, String),
    /// The list of sites cannot be used.
    #[error("cannot watch the sites of `{0}`: {1}")]
    Sites(PathBuf, String),
    /// The directory of static files does not exist.
    #[error("cannot serve `{0}`: it is not a directory")]
    Page(PathBuf),
    /// The address cannot be listened on.
    #[error(transparent)]
    Listen(#[from] io::Error),
}

impl Service {
    /// Opens the store and creates everything that requests share.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting cannot be used.
    pub(crate) fn new(settings: Settings, routes: &[&'static str]) -> Result<Self, StartError> {
        let quarter = settings.memory_max / 4;
        let chosen = StoreChoice::open(&settings.store, quarter)?;
        let metrics = Arc::new(Metrics::new(routes));
        if let Some(error) = chosen.away {
            metrics.count_store(StoreCall::Other, STORE_PATIENCE, 1);
            tracing::warn!(%error, "the store is away: answers are not stored until it is back");
        }
        let mut profiles = Profile::ALL.iter();
        let profile = profiles
            .position(|it| it.name == *settings.profile)
            .ok_or_else(|| StartError::Profile(settings.profile.clone()))?;
        if let Some(page) = &settings.page
            && !fs::metadata(page).is_ok_and(|it| it.is_dir())
        {
            return Err(StartError::Page(page.clone()));
        }
        let room_max = settings.body_max.div_ceil(ROOM_BYTES) * BODIES_MAX;
        let jobs = std::thread::available_parallelism().map_or(2, usize::from);
        let reloadable = Reloadable::new(&settings)?;
        let store: Arc<dyn Deliveries> = Arc::new(TimedStore {
            store: chosen.store,
            metrics: Arc::clone(&metrics),
        });
        let list = match &settings.sites {
            Some(path) => Some(Self::site_list(path, profile)?),
            None => None,
        };
        let service = Self {
            watching: list
                .map(|list| Watching::new(list, Arc::clone(&store), &Profile::ALL[profile])),
            store,
            client_bytes: quarter * chosen.memory.as_ref().map_or(2, |_| 1),
            memory: chosen.memory,
            agent: settings.agent.as_str().into(),
            clients: Profile::ALL.iter().map(|_| OnceLock::new()).collect(),
            pages: Profile::ALL.iter().map(|_| OnceLock::new()).collect(),
            profile,
            files: SiteFiles::new(quarter),
            metrics,
            reloadable: watch::Sender::new(Arc::new(reloadable)),
            overrides_number: AtomicU64::new(0),
            requests: Arc::new(Semaphore::new(settings.requests_max)),
            fetches: FetchShares::new(settings.fetches_max, settings.waiting_max),
            jobs: Arc::new(Semaphore::new(jobs)),
            file_jobs: Arc::new(Semaphore::new((jobs - 1).max(1))),
            file_questions: Semaphore::new(FILE_QUESTIONS_MAX),
            store_jobs: Arc::new(Semaphore::new(STORE_JOBS_MAX)),
            room: Arc::new(Semaphore::new(room_max)),
            room_max,
            is_stopping: AtomicBool::new(false),
            settings,
        };
        let made = service.make_client(profile)?;
        let _ = service.clients[profile].set(made);
        Ok(service)
    }

    /// Returns the client of a profile, by its index in `Profile::ALL`.
    ///
    /// # Errors
    ///
    /// Never fails once the server has started, because all clients share its settings.
    pub(crate) fn client(&self, profile: usize) -> Result<&Client, Problem> {
        let place = &self.clients[profile];
        if let Some(client) = place.get() {
            return Ok(client);
        }
        let made = self.make_client(profile);
        let made = made.map_err(Problem::defect)?;
        let client = place.get_or_init(|| made);
        // They may have been replaced while the client was made.
        client.set_overrides(self.reloadable.borrow().overrides.clone());
        Ok(client)
    }

    /// Returns the fetcher of pages that asks the client of a profile about robots.txt.
    ///
    /// # Errors
    ///
    /// Never fails once the server has started, because it shares the client's settings.
    pub(crate) fn pages(&self, profile: usize) -> Result<&PageFetcher, Problem> {
        let place = &self.pages[profile];
        if let Some(pages) = place.get() {
            return Ok(pages);
        }
        let client = self.client(profile)?.clone();
        let deadline = Duration::from_secs(self.settings.fetch_timeout);
        let header = UserAgentHeader::new(&self.settings.user_agent);
        let own = header.product_names().find_map(|it| it.parse().ok());
        let own = own.unwrap_or_else(Crawler::unnamed);
        let delays = PacingBounds::default();
        let made = PageFetcher::new(client, self.transport(), own, deadline, delays);
        let made = made.map_err(Problem::defect)?.longest_wait(PAGE_WAIT);
        Ok(place.get_or_init(|| made))
    }

    fn make_client(&self, profile: usize) -> Result<Client, StartError> {
        let is_usual = profile == self.profile;
        let bytes_max = [OTHER_CLIENT_BYTES, self.client_bytes][usize::from(is_usual)];
        let client = self.client_builder(profile, bytes_max)?.build()?;
        client.set_overrides(self.reloadable.borrow().overrides.clone());
        Ok(client)
    }

    /// Makes the client that watches. Hosts of the list may lead to their own addresses. It keeps no policies, and has no
    /// overrides, because a watch is about what the sites serve.
    ///
    /// # Errors
    ///
    /// Returns an error if no client can be made.
    pub(crate) fn watch_client(&self, list: &SiteList) -> Result<Client, StartError> {
        let builder = self.client_builder(self.profile, OTHER_CLIENT_BYTES)?;
        let own_hosts = list.own_hosts().into_iter();
        let builder = own_hosts.fold(builder, |builder, (hosts, networks)| {
            builder.allow_hosts(hosts, networks)
        });
        Ok(builder.build()?)
    }

    fn client_builder(&self, profile: usize, bytes_max: u64) -> Result<ClientBuilder, StartError> {
        let settings = &self.settings;
        let of_profile = Profile::ALL[profile].clone();
        let crawler = agent(&settings.agent, &of_profile);
        let crawler = crawler.map_err(|problem| {
            StartError::Agent(settings.agent.clone(), problem.detail().to_owned())
        })?;
        let mut limits = FetchLimits::default();
        limits.deadline = Duration::from_secs(settings.fetch_timeout);
        limits.fetches_max = settings.fetches_max;
        let mut builder = Client::builder(&*settings.user_agent)
            .profile(of_profile.clone())
            .crawler(crawler.crawler().clone())
            .store(self.store.clone())
            .limits(limits)
            .memory_bytes_max(bytes_max)
            .observer(Arc::new(FetchObserver {
                metrics: Arc::clone(&self.metrics),
                profile: of_profile,
            }));
        for network in &settings.allow_address {
            builder = builder.allow_address(*network);
        }
        for network in &settings.refuse_address {
            builder = builder.refuse_address(*network);
        }
        Ok(builder)
    }

    /// Watches the sites until the server stops. Blocks.
    pub(crate) fn watch(&self, handle: &Handle) {
        let profile = &Profile::ALL[self.profile];
        let world = World {
            store: &*self.store,
            profile,
            read_as: read_as(profile),
            settings: self.transport(),
            handle,
        };
        if let Some(watching) = &self.watching {
            watching.run(&world, |list| self.watch_client(list));
        }
    }

    /// Reads a list of sites.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be used.
    pub(crate) fn site_list(path: &Path, profile: usize) -> Result<SiteList, StartError> {
        let list = read_list(path, read_as(&Profile::ALL[profile]));
        list.map_err(|error| StartError::Sites(path.to_owned(), error))
    }

    /// Returns the settings of all requests to sites.
    fn transport(&self) -> TransportSettings {
        let settings = &self.settings;
        let mut transport = TransportSettings::new(&*settings.user_agent);
        for network in &settings.allow_address {
            transport.guard = transport.guard.allowing(*network);
        }
        for network in &settings.refuse_address {
            transport.guard = transport.guard.refusing(*network);
        }
        transport
    }

    /// Replaces the settings that may change while the server runs.
    pub(crate) fn reload(&self, reloadable: Reloadable) {
        let reloadable = Arc::new(reloadable);
        // First, so that a client that is made meanwhile gets the new overrides.
        self.reloadable.send_replace(Arc::clone(&reloadable));
        for client in self.clients.iter().filter_map(OnceLock::get) {
            client.set_overrides(reloadable.overrides.clone());
        }
        self.overrides_number.fetch_add(1, Ordering::Release);
    }

    /// Calls a failing store from time to time, so that the metrics show when it is back without requests.
    pub(crate) async fn probe_store(self: Arc<Self>) {
        loop {
            sleep(PROBE_PAUSE).await;
            if self.metrics.is_store_failing() {
                let store = Arc::clone(&self.store);
                let _ = spawn_blocking(move || store.body(BodyHash::new(b""))).await;
            }
        }
    }

    /// Ends all fetches. Later questions are answered from memory only.
    pub(crate) async fn close(&self) {
        for client in self.clients.iter().filter_map(OnceLock::get) {
            client.close().await;
        }
    }

    /// Counts a request that exceeds a limit, and returns the problem to report.
    pub(crate) fn shed(&self, limit: Shed, what: &str) -> Problem {
        self.metrics.count_shed(limit);
        Problem::busy(limit.name(), format!("{what}: try again later"))
    }

    /// Returns the current state.
    pub(crate) fn gauges(&self) -> Gauges {
        let in_use =
            |max: usize, free: &Semaphore| max.saturating_sub(free.available_permits()) as u64;
        let clients = self.clients.iter().filter_map(OnceLock::get);
        let room = in_use(self.room_max, &self.room);
        Gauges {
            answer_bytes: self.files.bytes(),
            policy_bytes: clients.map(|client| client.held_stat().bytes()).sum(),
            store_bytes: self
                .memory
                .as_ref()
                .map_or(0, |memory| memory.bytes() as u64),
            body_bytes: room * ROOM_BYTES as u64,
            requests: in_use(self.settings.requests_max, &self.requests),
            waiting: self.fetches.waiting() as u64,
        }
    }
}

/// Reads the overrides, and their files.
fn overrides(given: &[String]) -> Result<HashMap<Authority, Override>, StartError> {
    let mut overrides = HashMap::new();
    for text in given {
        let read = overrides_of(text).map_err(|error| StartError::Override(text.clone(), error));
        let (sites, given) = read?;
        overrides.extend(sites.into_iter().map(|site| (site, given.clone())));
    }
    Ok(overrides)
}

/// Returns which dialect each crawler is judged in: that of a profile which has another than RFC 9309, otherwise each known
/// crawler as its operator reads.
pub(crate) fn read_as(profile: &Profile) -> ReadAs {
    match profile.reading.dialect() {
        Dialect::Rfc9309 => ReadAs::Operator(profile.reading),
        _ => ReadAs::Stated(profile.reading),
    }
}

/// Returns the crawler with this name. `*` is a crawler to which only `*` groups apply.
///
/// # Errors
///
/// Returns an error if the name is unknown or names several crawlers.
pub(crate) fn agent(name: &str, profile: &Profile) -> Result<ResolvedCrawler, Problem> {
    if name == "*" {
        return Ok(ResolvedCrawler::unnamed());
    }
    let query: Result<CrawlerQuery, _> = name.parse();
    let resolved = query.and_then(|query| query.resolve_one(read_as(profile)));
    resolved.map_err(Problem::because("agent"))
}
