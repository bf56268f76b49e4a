use core::fmt;
use core::time::Duration;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use hickory_resolver::proto::rr::Name;
use verger_store::{Shortage, UnpoisonedMutex};

use crate::future::BoxFuture;
use crate::transport::dns_setup::{Changed, DnsSetup};
use crate::transport::resolve_error::{ResolveError, ResolveFailure};
use crate::transport::resolver::{Resolver, SystemResolver};

/// How often to check the machine's files for changes.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// Queries name servers without a thread per name, so names whose servers are silent delay no
/// others.
///
/// The host of a URL is an absolute name. The resolver queries it for IPv4 and IPv6 addresses over
/// UDP, or over TCP if an answer is truncated. It starts with the server whose answer came last,
/// and moves on if a server fails or is silent for two seconds. The hosts file takes precedence.
/// Nothing is cached, because a client resolves a name once per connection.
///
/// Some names go to the [`SystemResolver`], because public name servers do not know them:
///
/// - names without a dot, and names under `.local`
/// - names that do not exist and have fewer dots than `ndots` in `/etc/resolv.conf`, because its
///   search list may complete them
/// - all names, if that file cannot be read or lists no server
///
/// With configured servers, no other source is used.
///
/// Changes of `/etc/resolv.conf` and `/etc/hosts` are noticed within five seconds. Use a resolver
/// in one Tokio runtime only.
pub struct DnsResolver {
    source: Source,
    current: UnpoisonedMutex<Option<Current>>,
}

#[derive(Debug)]
enum Source {
    System,
    Named(Vec<SocketAddr>),
}

struct Current {
    setup: Arc<DnsSetup>,
    changed: Changed,
    looked_at: Instant,
}

impl fmt::Debug for DnsResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("DnsResolver");
        debug.field("source", &self.source);
        debug.finish_non_exhaustive()
    }
}

impl DnsResolver {
    /// Creates a resolver that queries the machine's name servers.
    #[must_use]
    pub fn from_system() -> Self {
        Self::of(Source::System)
    }

    /// Creates a resolver that queries only these name servers. Without any, only names in the
    /// hosts file resolve.
    #[must_use]
    pub fn asking(servers: impl IntoIterator<Item = SocketAddr>) -> Self {
        Self::of(Source::Named(servers.into_iter().collect()))
    }

    /// Returns the names of an address (PTR) in lower case, without their last dots. Returns an
    /// empty list if the name servers report none.
    ///
    /// Queries only name servers. The holder of an address chooses these names, so a name proves
    /// nothing until it resolves back to the address.
    ///
    /// # Errors
    ///
    /// Returns an error if no name server answers, or if they fail.
    pub async fn names_of(&self, address: IpAddr) -> Result<Vec<String>, ResolveError> {
        let setup = self.setup()?;
        let servers = setup.servers.as_ref();
        let servers = servers.ok_or_else(|| ResolveError::new("there is no name server"))?;
        let names = match servers.find_names(&Name::from(address)).await {
            Err(error) if error.failure() == ResolveFailure::NoSuchName => Vec::new(),
            found => found?,
        };
        let names = names.iter().map(|name| {
            let name = name.to_ascii().to_ascii_lowercase();
            name.strip_suffix('.').unwrap_or(&name).to_owned()
        });
        Ok(names.collect())
    }

    fn of(source: Source) -> Self {
        Self {
            source,
            current: UnpoisonedMutex::new(None),
        }
    }

    /// Returns the setup, after reading it again if the files have changed.
    fn setup(&self) -> Result<Arc<DnsSetup>, Shortage> {
        let mut current = self.current.lock();
        let now = Instant::now();
        if let Some(current) = &mut *current {
            let is_new = now.duration_since(current.looked_at) < LOOK_INTERVAL;
            if is_new || Changed::now() == current.changed {
                if !is_new {
                    current.looked_at = now;
                }
                return Ok(Arc::clone(&current.setup));
            }
        }
        let changed = Changed::now();
        let setup = Arc::new(match &self.source {
            Source::System => DnsSetup::from_system(),
            Source::Named(servers) => DnsSetup::asking(servers),
        }?);
        *current = Some(Current {
            setup: Arc::clone(&setup),
            changed,
            looked_at: now,
        });
        Ok(setup)
    }

    async fn find(&self, host: &str) -> Result<Vec<IpAddr>, ResolveError> {
        let mut name = Name::from_ascii(host)
            .map_err(|error| ResolveError::new(format!("it is no name: {error}")))?;
        name.set_fqdn(true);
        let setup = self.setup()?;
        let in_hosts = setup.in_hosts(&name);
        if !in_hosts.is_empty() {
            return Ok(in_hosts);
        }
        let is_of_system = matches!(self.source, Source::System);
        let servers = match &setup.servers {
            Some(servers) if !(is_of_system && is_local(host)) => servers,
            None if !is_of_system => return Err(ResolveError::new("there is no name server")),
            _ => return SystemResolver.resolve(host).await,
        };
        let found = servers.find(&name).await;
        let is_unknown = match &found {
            Ok(addresses) => addresses.is_empty(),
            Err(error) => error.failure() == ResolveFailure::NoSuchName,
        };
        if is_unknown && is_of_system && is_completed(host, setup.dots_min) {
            return SystemResolver.resolve(host).await;
        }
        found
    }
}

impl Resolver for DnsResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(self.find(host))
    }
}

fn is_local(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host);
    let last = last.rsplit('.').next().unwrap_or_default();
    !host.contains('.') || last.eq_ignore_ascii_case("local")
}

fn is_completed(host: &str, dots_min: usize) -> bool {
    !host.ends_with('.') && host.matches('.').count() < dots_min
}
