//! `Resolver`: where the addresses of a name come from.

use std::fmt;
use std::net::IpAddr;

use crate::future::BoxFuture;

/// Where the addresses of a name come from. Yours may ask a server of its own, or know a table.
pub trait Resolver: Send + Sync {
    /// The addresses of `host`, in the order in which they are to be tried. Literal addresses are
    /// never asked for. A future that is dropped gives the question up.
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>>;
}

/// The resolver of the machine (`getaddrinfo`), its hosts file included.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Vec<IpAddr>, ResolveError>> {
        Box::pin(async move {
            // The port is of no use to the resolver; the dialer has its own.
            let found = tokio::net::lookup_host((host, 0)).await;
            let found = found.map_err(|error| ResolveError::new(error.to_string()))?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Why a name has no addresses, in words for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError(String);

impl ResolveError {
    /// The reason in words.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ResolveError {}
