use std::net::{IpAddr, ToSocketAddrs as _};
use std::sync::{Arc, LazyLock};

use verger_store::Shortage;

use crate::future::BoxFuture;
use crate::transport::lookup_threads::{Found, LookupThreads};
use crate::transport::resolve_error::ResolveError;

/// Finds the addresses of a name. Use `DnsResolver`, [`SystemResolver`], or your own, such as a
/// table in a test.
pub trait Resolver: Send + Sync {
    /// Returns the addresses of `host`, in the order to try them. Never called for literal
    /// addresses. Dropping the future cancels the lookup.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;
}

/// Maximum number of threads that look up names. A client with 256 fetches cancels a lookup after
/// its connect timeout of 10 seconds, but with three silent name servers the system continues for
/// 30. So at worst 768 lookups hang, and other names still find a thread.
const THREADS_MAX: usize = 1024;

static LOOKUPS: LazyLock<Arc<LookupThreads>> =
    LazyLock::new(|| LookupThreads::new(THREADS_MAX, look_up));

/// The system's resolver (`getaddrinfo`), with its hosts file and other configured sources.
///
/// Each lookup has its own thread, up to 1,024. Concurrent lookups of a name share a call. Neither
/// the runtime nor the process waits for these threads, so silent name servers delay only their own
/// names.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(LOOKUPS.find(host))
    }
}

fn look_up(host: &str) -> Found {
    // The dialer has its own port.
    match (host, 0).to_socket_addrs() {
        Ok(found) => Ok(found.map(|address| address.ip()).collect()),
        Err(error) => Err(match Shortage::from_io(&error) {
            Some(shortage) => shortage.into(),
            None => ResolveError::unless_files_lack(error.to_string()),
        }),
    }
}
