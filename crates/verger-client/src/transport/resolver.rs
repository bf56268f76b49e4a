//! `Resolver`: finds the addresses of a name.

use std::fmt;
use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::{Arc, LazyLock};

use crate::future::BoxFuture;
use crate::transport::lookup_threads::{Found, LookupThreads};

/// Finds the addresses of a name: `DnsResolver`, [`SystemResolver`], or your own, such as a table in a
/// test.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of `host`, in the order in which they are tried. It is never called for
    /// literal addresses. Dropping the future cancels the lookup.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;
}

/// The most threads that look up names. A client fetches 256 authorities at once and cancels a lookup
/// after its connect timeout of 10 seconds, while the system continues for 30 with three silent name
/// servers: so 768 lookups hang at worst, and other names still find a thread.
const THREADS_MAX: usize = 1024;

/// The lookups of this process, cancelled ones included.
static LOOKUPS: LazyLock<Arc<LookupThreads>> =
    LazyLock::new(|| LookupThreads::new(THREADS_MAX, look_up));

/// The resolver of the system (`getaddrinfo`), with its hosts file and other configured sources.
///
/// Each lookup has a thread of its own, at most 1,024; concurrent lookups of one name share a call. The
/// threads are not those of the runtime, and neither the runtime nor the process waits for their end:
/// silent name servers delay only their own names.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move { LOOKUPS.find(host).await.map_err(ResolveError::new) })
    }
}

fn look_up(host: &str) -> Found {
    // The port is ignored; the dialer has its own.
    let found = (host, 0).to_socket_addrs();
    let found = found.map_err(|error| error.to_string())?;
    Ok(found.map(|address| address.ip()).collect())
}

/// Why a resolver found no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResolveFailure {
    /// A name server answered that the name does not exist (NXDOMAIN).
    NoSuchName,
    /// The lookup failed, or the resolver does not know whether the name exists.
    Failed,
    /// No name server answered in time. Then the fetch fails with a timeout; in the other cases with
    /// [`verger_access::TransportFailure::Dns`].
    TimedOut,
}

/// Why a name has no addresses, in words for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError {
    failure: ResolveFailure,
    reason: String,
}

impl ResolveError {
    /// Makes an error for a failed lookup, with the reason in words.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            failure: ResolveFailure::Failed,
            reason: reason.into(),
        }
    }

    /// Makes the error for a name that does not exist.
    #[must_use]
    pub fn no_such_name() -> Self {
        Self {
            failure: ResolveFailure::NoSuchName,
            reason: "there is no such name".to_owned(),
        }
    }

    /// Makes the error for a lookup without an answer in time.
    #[must_use]
    pub fn timed_out() -> Self {
        Self {
            failure: ResolveFailure::TimedOut,
            reason: "no name server answered in time".to_owned(),
        }
    }

    /// Returns the kind of failure.
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
