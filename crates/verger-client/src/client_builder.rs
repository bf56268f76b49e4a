//! `ClientBuilder`: what a client is made of.

use std::sync::Arc;

use verger::Crawler;
use verger_access::{Jitter, Profile};
use verger_store::{MemoryStore, Store};

use crate::chain::Line;
use crate::client::{Client, RefreshAhead};
use crate::clock::{Clock, SystemClock};
use crate::fetch_limits::FetchLimits;
use crate::fetch_permit::FetchPermits;
use crate::fetcher::Fetcher;
use crate::flights::Flights;
use crate::host_permits::HostPermits;
use crate::local_knowledge::LocalKnowledge;
use crate::network_transport::NetworkTransport;
use crate::observer::{Nobody, Observer};
use crate::policy_cache::PolicyCache;
use crate::store_desk::StoreDesk;
use crate::transport::Transport;
use crate::transport_settings::{SettingsError, TransportSettings};
use crate::under_way::UnderWay;
use crate::waits::Waits;

/// How many bytes are held in memory where nothing else is said.
const MEMORY_BYTES_MAX: u64 = 512 << 20;

/// What a client is made of; everything has a value that does.
pub struct ClientBuilder {
    profile: Profile,
    crawler: Crawler,
    transport: Arc<dyn Transport>,
    store: Option<Arc<dyn Store>>,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
    limits: FetchLimits,
    memory_bytes_max: u64,
    refresh_ahead: RefreshAhead,
    holder: Option<String>,
    jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
}

impl Client {
    /// A client that asks the network, and tells servers that it is `user_agent`: the product token
    /// of the crawler, and where to read what it is for (R9309-2.2.1-3, R9309-2.2.1-4), as in
    /// `ExampleBot/1.0 (+https://example.com/bot)`.
    ///
    /// # Errors
    ///
    /// Where no header can have that text.
    pub fn builder(user_agent: &str) -> Result<ClientBuilder, SettingsError> {
        let transport = NetworkTransport::new(TransportSettings::new(user_agent))?;
        Ok(Self::over(Arc::new(transport)))
    }

    /// A client whose requests `transport` sends.
    #[must_use]
    pub fn over(transport: Arc<dyn Transport>) -> ClientBuilder {
        ClientBuilder {
            profile: Profile::RFC9309,
            crawler: Crawler::unnamed(),
            transport,
            store: None,
            clock: Arc::new(SystemClock),
            observer: Arc::new(Nobody),
            limits: FetchLimits::default(),
            memory_bytes_max: MEMORY_BYTES_MAX,
            refresh_ahead: RefreshAhead::default(),
            holder: None,
            jitter: Box::new(|| {
                let most = Jitter::THOUSANDTHS_MAX;
                Jitter::of_thousandths(fastrand::i16(-most..=most))
            }),
        }
    }
}

impl ClientBuilder {
    /// What decides; [`Profile::RFC9309`] where nothing is said.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Whose verdict counts where a redirect leads to a URL that its own authority may disallow
    /// (G-3xx-2); a crawler that no group names where nothing is said.
    #[must_use]
    pub fn crawler(mut self, crawler: Crawler) -> Self {
        self.crawler = crawler;
        self
    }

    /// Where what was seen is kept; in memory where nothing is said
    /// ([`ClientBuilder::memory_bytes_max`]).
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Where the time comes from; the clock of the machine where nothing is said.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The observer of what happens besides the answers.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// How much is fetched at once, and for how long.
    #[must_use]
    pub fn limits(mut self, limits: FetchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes the client holds in memory between calls at most; 512 MiB where nothing is
    /// said. Half of them are for what was seen and half for compiled answers; with a store of your
    /// own all of them are for answers. What the allocator adds is counted, so that the resident set
    /// of a process grows by about as much.
    ///
    /// An answer that is given up is made again from the store; what the store in memory gives up is
    /// fetched again. Fetches under way take more: about a megabyte each at worst, for as long as
    /// they last ([`FetchLimits::fetches_max`]).
    #[must_use]
    pub fn memory_bytes_max(mut self, bytes_max: u64) -> Self {
        self.memory_bytes_max = bytes_max;
        self
    }

    /// Whether answers in use are fetched again before they expire.
    #[must_use]
    pub fn refresh_ahead(mut self, refresh_ahead: RefreshAhead) -> Self {
        self.refresh_ahead = refresh_ahead;
        self
    }

    /// The name under which other processes that share the store see this one fetch.
    #[must_use]
    pub fn holder(mut self, holder: impl Into<String>) -> Self {
        self.holder = Some(holder.into());
        self
    }

    /// Where chance comes from; the machine where nothing is said.
    #[must_use]
    pub fn jitter(mut self, jitter: impl Fn() -> Jitter + Send + Sync + 'static) -> Self {
        self.jitter = Box::new(jitter);
        self
    }

    /// The client.
    #[must_use]
    pub fn build(self) -> Client {
        let held = Held::divided(self.memory_bytes_max, self.store);
        let holder = self.holder;
        let holder = holder.unwrap_or_else(|| format!("process {}", std::process::id()));
        let under_way = UnderWay::default();
        let fetcher = Fetcher {
            line: Line {
                profile: Arc::new(self.profile),
                transport: self.transport,
                clock: self.clock,
                hosts: HostPermits::new(self.limits.requests_per_host_max),
                limits: self.limits,
            },
            desk: StoreDesk::new(held.store, under_way.clone()),
            local: LocalKnowledge::new(),
            flights: Flights::new(under_way.clone()),
            waits: Waits::default(),
            permits: FetchPermits::new(self.limits.fetches_max),
            under_way,
            crawler: self.crawler,
            holder: holder.into(),
            jitter: self.jitter,
            observer: self.observer,
        };
        Client::new(
            Arc::new(fetcher),
            held.policies,
            held.memory,
            self.refresh_ahead,
        )
    }
}

/// What a client holds in memory, and its store.
struct Held {
    store: Arc<dyn Store>,
    /// The store, where it is the client's own in memory.
    memory: Option<Arc<MemoryStore>>,
    policies: PolicyCache,
}

impl Held {
    /// Halves what may be held between a store in memory and answers; where there is another store,
    /// all of it is for answers.
    fn divided(bytes_max: u64, store: Option<Arc<dyn Store>>) -> Self {
        if let Some(store) = store {
            return Self {
                store,
                memory: None,
                policies: PolicyCache::new(bytes_max),
            };
        }
        let half = bytes_max / 2;
        let memory = MemoryStore::new(usize::try_from(half).unwrap_or(usize::MAX));
        let memory = Arc::new(memory);
        Self {
            store: Arc::clone(&memory) as _,
            memory: Some(memory),
            policies: PolicyCache::new(bytes_max - half),
        }
    }
}
