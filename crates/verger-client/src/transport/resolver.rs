//! `Resolver`: where the addresses of a name come from.

use std::fmt;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::{Arc, LazyLock};

use crate::future::BoxFuture;
use crate::transport::lookup_threads::{Found, LookupThreads};

/// Where the addresses of a name come from: `DnsResolver`, [`SystemResolver`], or one of yours, which
/// may know a table.
pub trait Resolver: Send + Sync {
    /// The addresses of `host`, in the order in which they are to be tried. Literal addresses are
    /// never asked for. A future that is dropped gives the question up.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;
}

/// Threads that look up names. A client fetches 256 authorities at once and gives a name up after
/// its connect timeout of 10 seconds, where the machine goes on for 30 with three silent name
/// servers: so 768 lookups hang at worst, and other names still find a thread.
const THREADS_MAX: usize = 1024;

/// The lookups of this process, those that are not waited for any more included.
static LOOKUPS: LazyLock<Arc<LookupThreads>> =
    LazyLock::new(|| LookupThreads::new(THREADS_MAX, look_up));

/// The resolver of the machine (`getaddrinfo`), its hosts file and whatever else it is set up with
/// included.
///
/// Each lookup has a thread of its own, 1,024 at most; lookups of one name at the same time are
/// one. The threads are not those of the runtime, and neither it nor the process waits for them to
/// end: name servers that are silent delay names of theirs alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move { LOOKUPS.find(host).await.map_err(ResolveError::new) })
    }
}

fn look_up(host: &str) -> Found {
    // The port is of no use to the resolver; the dialer has its own.
    let found = (host, 0).to_socket_addrs();
    let found = found.map_err(|error| error.to_string())?;
    Ok(found.map(|address| address.ip()).collect())
}

/// What kept a resolver from finding the addresses of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveFailure {
    /// A name server says that there is no such name (NXDOMAIN).
    NoSuchName,
    /// The name could not be looked up, or the resolver does not say whether it exists.
    Failed,
    /// No name server answered in time. The fetch fails with a timeout; with the others, it fails
    /// since the name does not resolve ([`verger_access::TransportFailure::Dns`]).
    TimedOut,
}

/// Why a name has no addresses, in words for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError {
    failure: ResolveFailure,
    reason: String,
}

impl ResolveError {
    /// The lookup failed; the reason in words.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            failure: ResolveFailure::Failed,
            reason: reason.into(),
        }
    }

    /// There is no such name.
    #[must_use]
    pub fn no_such_name() -> Self {
        Self {
            failure: ResolveFailure::NoSuchName,
            reason: "there is no such name".to_owned(),
        }
    }

    /// No name server answered in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self {
            failure: ResolveFailure::TimedOut,
            reason: "no name server answered in time".to_owned(),
        }
    }

    /// What kept the resolver from finding them.
    #[must_use]
    pub const fn failure(&self) -> ResolveFailure {
        self.failure
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ResolveError {}
