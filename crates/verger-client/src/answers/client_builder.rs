use core::fmt;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use http::{HeaderName, HeaderValue};
use ipnet::IpNet;
use verger::Crawler;
use verger_access::session::FetchLimits;
use verger_access::{Authority, Jitter, Override, Profile, Warning, user_agent_warnings};
use verger_store::{MemoryStore, Store};

use crate::answers::blocking::BlockingClient;
use crate::answers::client::{Client, RefreshAhead};
use crate::answers::policy_cache::PolicyCache;
use crate::clock::{Clock, SystemClock};
use crate::fetch::active_count::ActiveCount;
use crate::fetch::async_store::AsyncStore;
use crate::fetch::chain::FetchContext;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::flights::Flights;
use crate::fetch::local_knowledge::LocalKnowledge;
use crate::fetch::observer::{NoObserver, Observer};
use crate::fetch::overrides::Overrides;
use crate::fetch::site_headers::SiteHeaders;
use crate::transport::Transport;
use crate::transport::address_guard::AddressGuard;
use crate::transport::network_transport::NetworkTransport;
use crate::transport::settings_error::SettingsError;
use crate::transport::transport_settings::TransportSettings;

const MEMORY_BYTES_MAX: u64 = 512 << 20;

/// Configures a client. Every option has a default.
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
    overrides: HashMap<Authority, Override>,
    site_headers: SiteHeaders,
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

enum TransportChoice {
    Network(Box<TransportSettings>),
    Given(Arc<dyn Transport>),
    /// The caller supplied a transport but also set a network option.
    Misconfigured(&'static str),
}

impl Client {
    /// Starts to build a client that uses the network with default settings
    /// ([`TransportSettings::new`]).
    ///
    /// `user_agent` becomes the `User-Agent` header. It should contain the crawler's product token
    /// and a URL that explains its purpose, such as `ExampleBot/1.0 (+https://example.com/bot)`
    /// (R9309-2.2.1-3, R9309-2.2.1-4).
    pub fn builder(user_agent: impl Into<String>) -> ClientBuilder {
        ClientBuilder::with(TransportChoice::Network(Box::new(TransportSettings::new(
            user_agent,
        ))))
    }

    /// Starts to build a client that sends its requests through `transport`: your own, or a
    /// [`NetworkTransport`] with other settings.
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
            overrides: HashMap::new(),
            site_headers: SiteHeaders::default(),
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

    /// Permits connections to `network`, such as `10.1.0.0/16`, in addition to public addresses
    /// ([`AddressGuard::allowing`]). Because this configures the network, [`ClientBuilder::build`]
    /// returns an error if it is combined with [`Client::over`].
    #[must_use]
    pub fn allow_address(self, network: IpNet) -> Self {
        self.guarded("allow_address", |guard| guard.allowing(network))
    }

    /// Permits connections to `networks` for these hosts ([`AddressGuard::allowing_for`]). Like
    /// [`ClientBuilder::allow_address`], it cannot be combined with [`Client::over`].
    #[must_use]
    pub fn allow_hosts(self, hosts: Arc<BTreeSet<String>>, networks: Vec<IpNet>) -> Self {
        self.guarded("allow_hosts", |guard| guard.allowing_for(hosts, networks))
    }

    /// Refuses connections to `network`, even if it is public ([`AddressGuard::refusing`]). Like
    /// [`ClientBuilder::allow_address`], it cannot be combined with [`Client::over`].
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

    /// Sets the crawler that redirects are checked for: the robots.txt of a redirect's target may
    /// disallow it (G-3xx-2). Default: a crawler that only `*` groups apply to.
    #[must_use]
    pub fn crawler(mut self, crawler: Crawler) -> Self {
        self.crawler = crawler;
        self
    }

    /// Answers for a site with an override instead of its robots.txt, for example because you own the
    /// site. Nothing is requested from it or stored, and each answer says so
    /// ([`Answer::is_overridden`](crate::Answer::is_overridden)). The override also judges redirects
    /// of other sites to it. V-89.
    ///
    /// ```
    /// use verger_client::{Client, Override};
    ///
    /// let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)")
    ///     .override_site("https://intranet.example.com".parse()?, Override::Open)
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn override_site(mut self, site: Authority, given: Override) -> Self {
        self.overrides.insert(site, given);
        self
    }

    /// Sends a header, such as `Authorization`, with each HTTP request for the robots.txt of this site.
    /// It replaces a header of the same name.
    ///
    /// A request has it only as long as it goes to the site whose robots.txt is wanted. It is not sent
    /// after a redirect to another scheme, host or port, even if that site has headers too. The value
    /// is neither stored nor shown.
    ///
    /// ```
    /// use http::header::{AUTHORIZATION, HeaderValue};
    /// use verger_client::Client;
    ///
    /// let token = HeaderValue::from_static("Bearer 5oNYwA");
    /// let client = Client::builder("ExampleBot/1.0 (+https://example.com/bot)")
    ///     .header_for("https://intranet.example.com".parse()?, AUTHORIZATION, token)
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn header_for(mut self, site: Authority, name: HeaderName, value: HeaderValue) -> Self {
        self.site_headers.insert(site, name, value);
        self
    }

    /// Sends the logins of a netrc file as `Authorization: Basic`, as [`ClientBuilder::header_for`]
    /// does, to each host that it names, on any port. The entry `default` is ignored, because it names
    /// no host, and so is everything after a macro. A header of [`ClientBuilder::header_for`] takes
    /// precedence.
    #[must_use]
    pub fn netrc(mut self, text: &str) -> Self {
        self.site_headers.add_netrc(text);
        self
    }

    /// Sets the store. Default: a store in memory ([`ClientBuilder::memory_bytes_max`]).
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Sets the clock. Default: the system clock.
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

    /// Sets how many fetches run at once, and for how long.
    #[must_use]
    pub fn limits(mut self, limits: FetchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the maximum amount of memory, in bytes. Default: 512 MiB.
    ///
    /// A quarter is reserved for calls about many URLs ([`Client::decide_many`]): their tasks, and
    /// the policies that their decisions share. The store in memory and the compiled answers each
    /// get half of the rest. With a store of your own, answers get the whole rest. Allocator
    /// overhead is included, so the process's resident set grows by about this much. Evicted
    /// answers are compiled again from the store. Files evicted from the store in memory are
    /// fetched again.
    ///
    /// Three things come on top: the decisions you keep (some hundred bytes each), up to 32 bytes
    /// per URL during a call about many URLs, and fetches in flight, at worst about a megabyte each
    /// ([`FetchLimits::fetches_max`]).
    #[must_use]
    pub fn memory_bytes_max(mut self, bytes_max: u64) -> Self {
        self.memory_bytes_max = bytes_max;
        self
    }

    /// Sets whether answers in use are refreshed before they expire. Default: on.
    #[must_use]
    pub fn refresh_ahead(mut self, refresh_ahead: RefreshAhead) -> Self {
        self.refresh_ahead = refresh_ahead;
        self
    }

    /// Sets the name that other processes sharing the store see in this client's leases. Default:
    /// `process` and the process id.
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

    /// Returns what the `User-Agent` header lacks: the product token of [`ClientBuilder::crawler`]
    /// (R9309-2.2.1-3), or a URL or mail address that explains the crawler's purpose
    /// (R9309-2.2.1-4). Empty with [`Client::over`], because the header is unknown.
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
    /// Returns an error if the user agent is not a valid header value, if a network option was set
    /// together with [`Client::over`], or if the client itself sets a header that was given for a site.
    pub fn build(self) -> Result<Client, SettingsError> {
        if let Some(name) = self.site_headers.refused() {
            return Err(SettingsError::SiteHeader(name.to_string()));
        }
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
                crawler: self.crawler,
                overrides: Overrides::new(self.overrides),
                site_headers: self.site_headers,
                transport,
                clock: self.clock,
                limits: self.limits,
            },
            store: AsyncStore::new(held.store, active.clone()),
            local: LocalKnowledge::new(),
            flights: Flights::new(self.limits),
            active,
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

    /// Builds a client with its own runtime, for programs that do not have one.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ClientBuilder::build`], and an error if the system cannot start a
    /// thread.
    pub fn build_blocking(self) -> Result<BlockingClient, SettingsError> {
        let client = self.build()?;
        BlockingClient::new(client).map_err(|error| SettingsError::Runtime(error.to_string()))
    }
}

struct Held {
    store: Arc<dyn Store>,
    memory: Option<Arc<MemoryStore>>,
    policies: PolicyCache,
    call_bytes: usize,
}

impl Held {
    /// Divides the memory between calls, the store in memory and the cache. If the caller supplied
    /// a store, the cache gets the store's share.
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
