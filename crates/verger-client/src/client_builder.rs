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

/// How many octets a store in memory may take where none is given.
const STORE_OCTETS_MAX: usize = 256 << 20;

/// How many octets of compiled answers are held where nothing else is said.
const HELD_OCTETS_MAX: u64 = 256 << 20;

/// What a client is made of; everything has a value that does.
pub struct ClientBuilder {
    profile: Profile,
    crawler: Crawler,
    transport: Arc<dyn Transport>,
    store: Option<Arc<dyn Store>>,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
    limits: FetchLimits,
    held_octets_max: u64,
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
            held_octets_max: HELD_OCTETS_MAX,
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

    /// Where what was seen is kept; 256 MiB of memory where nothing is said.
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

    /// Who is told what happens besides the answers.
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

    /// How many octets of compiled answers are held in memory at most; 256 MiB where nothing is
    /// said. An answer that is given up is made again from the store.
    #[must_use]
    pub fn held_octets_max(mut self, octets_max: u64) -> Self {
        self.held_octets_max = octets_max;
        self
    }

    /// Whether answers in use are fetched again before they expire.
    #[must_use]
    pub fn refresh_ahead(mut self, refresh_ahead: RefreshAhead) -> Self {
        self.refresh_ahead = refresh_ahead;
        self
    }

    /// What other processes that share the store are told while this one fetches.
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
        let store = self.store;
        let store = store.unwrap_or_else(|| Arc::new(MemoryStore::new(STORE_OCTETS_MAX)));
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
            desk: StoreDesk::new(store, under_way.clone()),
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
        let policies = PolicyCache::new(self.held_octets_max);
        Client::new(Arc::new(fetcher), policies, self.refresh_ahead)
    }
}
