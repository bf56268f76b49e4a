//! `ClientBuilder`: the options of a client.

use core::fmt;
use std::sync::Arc;

use ipnet::IpNet;
use verger::Crawler;
use verger_access::{Jitter, Profile, Warning, user_agent_warnings};
use verger_store::{MemoryStore, Store};

use crate::answers::blocking::BlockingClient;
use crate::answers::client::{Client, RefreshAhead};
use crate::answers::policy_cache::PolicyCache;
use crate::clock::{Clock, SystemClock};
use crate::fetch::active_count::ActiveCount;
use crate::fetch::async_store::AsyncStore;
use crate::fetch::chain::FetchContext;
use crate::fetch::fetch_limits::FetchLimits;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::host_permits::HostPermits;
use crate::fetch::local_knowledge::LocalKnowledge;
use crate::fetch::observer::{NoObserver, Observer};
use crate::fetch::single_flight::SingleFlight;
use crate::fetch::wait_graph::WaitGraph;
use crate::transport::Transport;
use crate::transport::address_guard::AddressGuard;
use crate::transport::fetch_permit::FetchPermits;
use crate::transport::network_transport::NetworkTransport;
use crate::transport::settings_error::SettingsError;
use crate::transport::transport_settings::TransportSettings;

/// The default of [`ClientBuilder::memory_bytes_max`].
const MEMORY_BYTES_MAX: u64 = 512 << 20;

/// The options of a client; every option has a default.
///
/// ```
/// use verger_access::Profile;
/// use verger_client::Client;
///
/// let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)")
///     .profile(Profile::CAUTIOUS)
///     .allow_address("10.1.0.0/16".parse()?)
///     .build_blocking()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ClientBuilder {
    profile: Profile,
    crawler: Crawler,
    transport: TransportChoice,
    store: Option<Arc<dyn Store>>,
    clock: Arc<dyn Clock>,
    observer: Arc<dyn Observer>,
    limits: FetchLimits,
    memory_bytes_max: u64,
    refresh_ahead: RefreshAhead,
    holder: Option<String>,
    jitter: Box<dyn Fn() -> Jitter + Send + Sync>,
}

/// The transport of a client.
enum TransportChoice {
    Network(Box<TransportSettings>),
    Given(Arc<dyn Transport>),
    /// A transport of the caller, for which an option of the network was set.
    Misconfigured(&'static str),
}

impl Client {
    /// Begins a client over the network with default settings ([`TransportSettings::new`]). Requests
    /// have the header `User-Agent: user_agent`: the product token of the crawler, and a URL that
    /// explains its purpose (R9309-2.2.1-3, R9309-2.2.1-4), such as `ExampleBot/1.0
    /// (+https://example.com/bot)`.
    pub fn builder(user_agent: impl Into<String>) -> ClientBuilder {
        ClientBuilder::with(TransportChoice::Network(Box::new(TransportSettings::new(
            user_agent,
        ))))
    }

    /// Begins a client whose requests `transport` sends: your own, or a [`NetworkTransport`] with
    /// other settings.
    #[must_use]
    pub fn over(transport: Arc<dyn Transport>) -> ClientBuilder {
        ClientBuilder::with(TransportChoice::Given(transport))
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ClientBuilder");
        debug.field("profile", &self.profile.name);
        debug.field("limits", &self.limits);
        debug.field("memory_bytes_max", &self.memory_bytes_max);
        debug.field("refresh_ahead", &self.refresh_ahead);
        debug.finish_non_exhaustive()
    }
}

impl ClientBuilder {
    fn with(transport: TransportChoice) -> Self {
        Self {
            profile: Profile::RFC9309,
            crawler: Crawler::unnamed(),
            transport,
            store: None,
            clock: Arc::new(SystemClock),
            observer: Arc::new(NoObserver),
            limits: FetchLimits::default(),
            memory_bytes_max: MEMORY_BYTES_MAX,
            refresh_ahead: RefreshAhead::default(),
            holder: None,
            jitter: Box::new(|| {
                let most = Jitter::THOUSANDTHS_MAX;
                Jitter::from_thousandths(fastrand::i16(-most..=most))
            }),
        }
    }

    /// Permits connections to the addresses of `network`, such as `10.1.0.0/16`, beside the public
    /// ones ([`AddressGuard::allowing`]). It configures the network: with [`Client::over`],
    /// [`ClientBuilder::build`] returns an error.
    #[must_use]
    pub fn allow_address(self, network: IpNet) -> Self {
        self.guarded("allow_address", |guard| guard.allowing(network))
    }

    /// Refuses connections to the addresses of `network`, public ones as well
    /// ([`AddressGuard::refusing`]). It configures the network, as [`ClientBuilder::allow_address`].
    #[must_use]
    pub fn refuse_address(self, network: IpNet) -> Self {
        self.guarded("refuse_address", |guard| guard.refusing(network))
    }

    fn guarded(
        mut self,
        option: &'static str,
        change: impl FnOnce(AddressGuard) -> AddressGuard,
    ) -> Self {
        match &mut self.transport {
            TransportChoice::Network(settings) => settings.guard = change(settings.guard.clone()),
            TransportChoice::Given(_) => self.transport = TransportChoice::Misconfigured(option),
            TransportChoice::Misconfigured(_) => {}
        }
        self
    }

    /// Sets the profile. Default: [`Profile::RFC9309`].
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Sets the crawler for which redirects are checked: where one leads to a URL, the robots.txt of
    /// that URL's own authority may disallow it (G-3xx-2). Default: a crawler to which only `*` groups
    /// apply.
    #[must_use]
    pub fn crawler(mut self, crawler: Crawler) -> Self {
        self.crawler = crawler;
        self
    }

    /// Sets the store. Default: a store in memory ([`ClientBuilder::memory_bytes_max`]).
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Sets the clock. Default: the clock of the machine.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the observer, which is called when fetches begin and end. Default: none.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = observer;
        self
    }

    /// Sets how much is fetched at once, and for how long.
    #[must_use]
    pub fn limits(mut self, limits: FetchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets how many bytes of memory the client uses at most. Default: 512 MiB. A quarter of them is for
    /// a call about many URLs ([`Client::decide_many`]): its tasks, and the policies that its decisions
    /// share. Of the rest, half is for the store in memory and half for compiled answers; with a store of
    /// your own all of it is for answers. What the allocator adds is counted, so that the resident set of
    /// the process grows by about as much. Not counted are the decisions that you hold, some hundred bytes
    /// each, and up to 32 bytes for each URL of such a call while it lasts.
    ///
    /// An evicted answer is made again from the store; what the store in memory evicts is fetched
    /// again. Fetches in flight take more: about a megabyte each at worst, while they last
    /// ([`FetchLimits::fetches_max`]).
    #[must_use]
    pub fn memory_bytes_max(mut self, bytes_max: u64) -> Self {
        self.memory_bytes_max = bytes_max;
        self
    }

    /// Sets whether answers in use are refreshed before they expire. Default: they are.
    #[must_use]
    pub fn refresh_ahead(mut self, refresh_ahead: RefreshAhead) -> Self {
        self.refresh_ahead = refresh_ahead;
        self
    }

    /// Sets the name of this client in its leases, which other processes that share the store see.
    /// Default: `process` and its id.
    #[must_use]
    pub fn holder(mut self, holder: impl Into<String>) -> Self {
        self.holder = Some(holder.into());
        self
    }

    /// Sets the source of jitter. Default: a random number generator.
    #[must_use]
    pub fn jitter(mut self, jitter: impl Fn() -> Jitter + Send + Sync + 'static) -> Self {
        self.jitter = Box::new(jitter);
        self
    }

    /// Returns the parts that the `User-Agent` header lacks: the product token of [`ClientBuilder::crawler`]
    /// (R9309-2.2.1-3), and a URL or mail address that explains the crawler's purpose (R9309-2.2.1-4). Empty with
    /// [`Client::over`], whose header is not known here.
    ///
    /// ```
    /// use verger_access::Warning;
    /// use verger_client::Client;
    ///
    /// let warnings = Client::builder("ExampleBot/1.0").user_agent_warnings();
    /// assert_eq!(warnings, [Warning::NoPurposeInUserAgent]);
    /// let builder = Client::builder("ExampleBot/1.0 (+https://example.com/bot)");
    /// assert!(builder.user_agent_warnings().is_empty());
    /// ```
    #[must_use]
    pub fn user_agent_warnings(&self) -> Vec<Warning> {
        match &self.transport {
            TransportChoice::Network(settings) => {
                user_agent_warnings(&self.crawler, &settings.user_agent)
            }
            TransportChoice::Given(_) | TransportChoice::Misconfigured(_) => Vec::new(),
        }
    }

    /// Builds the client.
    ///
    /// # Errors
    ///
    /// Where the user agent is no valid header, or an option of the network was set for a transport
    /// of the caller.
    pub fn build(self) -> Result<Client, SettingsError> {
        let held = Held::divided(self.memory_bytes_max, self.store);
        let transport: Arc<dyn Transport> = match self.transport {
            TransportChoice::Network(mut settings) => {
                settings.keeps_facts = held.store.keeps_facts();
                Arc::new(NetworkTransport::new(*settings)?)
            }
            TransportChoice::Given(transport) => transport,
            TransportChoice::Misconfigured(option) => {
                return Err(SettingsError::NotTheNetwork(option));
            }
        };
        let holder = self.holder;
        let holder = holder.unwrap_or_else(|| format!("process {}", std::process::id()));
        let active = ActiveCount::default();
        let fetcher = Fetcher {
            context: FetchContext {
                profile: Arc::new(self.profile),
                transport,
                clock: self.clock,
                hosts: HostPermits::new(self.limits.requests_per_host_max),
                limits: self.limits,
            },
            store: AsyncStore::new(held.store, active.clone()),
            local: LocalKnowledge::new(),
            single_flight: SingleFlight::new(active.clone()),
            wait_graph: WaitGraph::default(),
            permits: FetchPermits::new(self.limits.fetches_max),
            active,
            crawler: self.crawler,
            holder: holder.into(),
            jitter: self.jitter,
            observer: self.observer,
        };
        Ok(Client::new(
            Arc::new(fetcher),
            held.policies,
            held.memory,
            self.refresh_ahead,
            held.call_bytes,
        ))
    }

    /// Builds the client with a runtime of its own, for programs that have none.
    ///
    /// # Errors
    ///
    /// As [`ClientBuilder::build`], and where the system cannot start a thread.
    pub fn build_blocking(self) -> Result<BlockingClient, SettingsError> {
        let client = self.build()?;
        BlockingClient::new(client).map_err(|error| SettingsError::Runtime(error.to_string()))
    }
}

/// The store and the cache of a client.
struct Held {
    store: Arc<dyn Store>,
    /// The client's own store in memory; `None` where the caller gave a store.
    memory: Option<Arc<MemoryStore>>,
    policies: PolicyCache,
    /// The bytes for tasks and decisions of one call.
    call_bytes: usize,
}

impl Held {
    /// Divides the memory between calls, a store in memory and the cache; with a store of the caller,
    /// what is not for calls is for the cache.
    fn divided(bytes_max: u64, store: Option<Arc<dyn Store>>) -> Self {
        let call_bytes = usize::try_from(bytes_max / 4).unwrap_or(usize::MAX);
        let bytes_max = bytes_max - bytes_max / 4;
        if let Some(store) = store {
            return Self {
                store,
                memory: None,
                policies: PolicyCache::new(bytes_max),
                call_bytes,
            };
        }
        let half = bytes_max / 2;
        let memory = MemoryStore::new(usize::try_from(half).unwrap_or(usize::MAX));
        let memory = Arc::new(memory);
        Self {
            store: Arc::clone(&memory) as _,
            memory: Some(memory),
            policies: PolicyCache::new(bytes_max - half),
            call_bytes,
        }
    }
}
