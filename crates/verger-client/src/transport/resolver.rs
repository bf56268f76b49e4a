//! `Resolver`: finds the addresses of a name.

use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::{Arc, LazyLock};

use verger_store::Shortage;

use crate::future::BoxFuture;
use crate::transport::lookup_threads::{Found, LookupThreads};
use crate::transport::resolve_error::ResolveError;

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
        Box::pin(LOOKUPS.find(host))
    }
}

fn look_up(host: &str) -> Found {
    // The port is ignored; the dialer has its own.
    match (host, 0).to_socket_addrs() {
        Ok(found) => Ok(found.map(|address| address.ip()).collect()),
        Err(error) => Err(match Shortage::from_io(&error) {
            Some(shortage) => shortage.into(),
            None => ResolveError::unless_files_lack(error.to_string()),
        }),
    }
}
