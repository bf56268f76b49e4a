//! `Dialer`: the only place where connections begin, so that nothing goes round the guard.
//!
//! A name is resolved once, addresses that the guard refuses are dropped, and what is left is
//! connected to by address: between the check and the connection nobody is asked again, so a name
//! that points elsewhere in the next moment changes nothing.

use core::time::Duration;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use url::Host;
use verger_access::TransportFailure;

use crate::transport::address_guard::AddressGuard;
use crate::transport::address_permits::AddressPermits;
use crate::transport::fetch_permit::FetchPermit;
use crate::transport::resolver::{ResolveFailure, Resolver};
use crate::transport::socket::Socket;
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::TransportSettings;

/// Addresses of one name that are tried; the others are as good as not there.
const ADDRESSES_MAX: usize = 16;

/// How long a name is resolved that a proxy resolves as well.
const PROXIED_NAME_TIME_MAX: Duration = Duration::from_secs(1);

/// Longer than anybody waits: what a deadline is that lies beyond all clocks.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// The moment in which `time` will have passed.
pub(crate) fn deadline_after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + FOREVER)
}

/// Connects to hosts, as far as the guard admits their addresses.
#[derive(Clone)]
pub(crate) struct Dialer {
    resolver: Arc<dyn Resolver>,
    guard: AddressGuard,
    permits: AddressPermits,
}

/// Whose word an address is taken on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressSource {
    /// A URL or a server named it: the guard decides.
    Guarded,
    /// The operator named it.
    Operator,
}

impl Dialer {
    pub(crate) fn new(settings: &TransportSettings) -> Self {
        Self {
            resolver: Arc::clone(&settings.resolver),
            guard: settings.guard.clone(),
            permits: AddressPermits::new(settings.connections_per_address_max),
        }
    }

    /// Connects to the first address of `host` that lets itself be connected to. Waiting for a
    /// permit of an address counts towards the deadline.
    pub(crate) async fn dial(
        &self,
        host: Host<&str>,
        port: u16,
        trust: AddressSource,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        let addresses = self.admitted(host, trust, deadline).await?;
        self.connect_to_any(&addresses, port, deadline).await
    }

    #[cfg(feature = "ftp")]
    /// Connects to where `first` goes, on another port. It counts together with it: otherwise
    /// those that have one connection could wait for each other's second. The guard is asked again:
    /// it costs nothing.
    pub(crate) async fn dial_beside(
        &self,
        first: IpAddr,
        port: u16,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        self.verify(first)?;
        let stream = connect(SocketAddr::new(first, port), deadline).await?;
        Ok(Socket::new(stream, first, None))
    }

    /// Judges a host that a proxy connects to. The proxy may choose any address of a name, so one
    /// refused address refuses the name. A name that is not resolved here in time, or not at all, is
    /// left to the proxy, which may know names that this machine does not.
    pub(crate) async fn verify_beyond_proxy(
        &self,
        host: &Host<&str>,
    ) -> Result<(), TransportError> {
        let addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(*address)],
            Host::Ipv6(address) => vec![IpAddr::V6(*address)],
            Host::Domain(name) => {
                let resolved = timeout(PROXIED_NAME_TIME_MAX, self.resolver.resolve(name)).await;
                resolved.ok().and_then(Result::ok).unwrap_or_default()
            }
        };
        let mut addresses = addresses.into_iter();
        addresses.try_for_each(|address| self.verify(address))
    }

    fn verify(&self, address: IpAddr) -> Result<(), TransportError> {
        let verdict = self.guard.verify(address);
        verdict.map_err(|refused| {
            TransportError::new(TransportFailure::AddressRefused, refused.to_string())
        })
    }

    /// The addresses of `host` that may be connected to, at least one.
    async fn admitted(
        &self,
        host: Host<&str>,
        trust: AddressSource,
        deadline: Instant,
    ) -> Result<Vec<IpAddr>, TransportError> {
        let mut addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => self.resolve(name, deadline).await?,
        };
        addresses.truncate(ADDRESSES_MAX);
        if trust == AddressSource::Operator {
            return Ok(addresses);
        }
        let mut refusals = Vec::new();
        addresses.retain(|&address| match self.guard.verify(address) {
            Ok(()) => true,
            Err(refused) => {
                refusals.push(refused.to_string());
                false
            }
        });
        if addresses.is_empty() {
            let detail = refusals.join(", ");
            return Err(TransportError::new(
                TransportFailure::AddressRefused,
                detail,
            ));
        }
        Ok(addresses)
    }

    async fn resolve(&self, name: &str, deadline: Instant) -> Result<Vec<IpAddr>, TransportError> {
        let found = timeout_at(deadline, self.resolver.resolve(name)).await;
        let found = found.map_err(|_| {
            let detail = format!("resolving {name} took too long");
            TransportError::new(TransportFailure::Timeout, detail)
        })?;
        let addresses = found.map_err(|error| {
            let failure = match error.failure() {
                ResolveFailure::TimedOut => TransportFailure::Timeout,
                ResolveFailure::NoSuchName | ResolveFailure::Failed => TransportFailure::Dns,
            };
            TransportError::new(failure, format!("{name}: {error}"))
        })?;
        if addresses.is_empty() {
            let detail = format!("{name} has no address");
            return Err(TransportError::new(TransportFailure::Dns, detail));
        }
        Ok(addresses)
    }

    /// Tries one address after the other. Each gets its share of the time that is left, so that a
    /// host that is silent at its first address is still found at its second.
    async fn connect_to_any(
        &self,
        addresses: &[IpAddr],
        port: u16,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        let mut last = TransportError::new(TransportFailure::Connect, "there is no address");
        let counts_down = (1_u32..=u32::try_from(addresses.len()).unwrap_or(u32::MAX)).rev();
        for (&address, left) in addresses.iter().zip(counts_down) {
            let now = Instant::now();
            let share = deadline.saturating_duration_since(now) / left;
            match self.enter(address, port, now + share).await {
                Ok(connection) => return Ok(connection),
                // As long as one address was not tried, the others do not tell how the host is.
                Err(_) if last.is_own_limit => {}
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Connects to an address as soon as it has a permit left. Other fetches may run while this one
    /// waits for it.
    async fn enter(
        &self,
        address: IpAddr,
        port: u16,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        let begun = Instant::now();
        let entered = FetchPermit::of_fetch_lent_during(self.permits.enter(address));
        let permit = timeout_at(deadline, entered).await;
        let permit = permit.map_err(|_| {
            let detail = format!("waiting for other connections to {address} took too long");
            TransportError::own_limit(detail)
        })?;
        let (waited, whole) = (begun.elapsed(), deadline.saturating_duration_since(begun));
        let stream = connect(SocketAddr::new(address, port), deadline).await;
        let stream = stream.map_err(|error| error.after_wait(waited, whole))?;
        Ok(Socket::new(stream, address, Some(permit)).after_wait(waited))
    }
}

/// Connects to that very address, which the guard has seen.
async fn connect(address: SocketAddr, deadline: Instant) -> Result<TcpStream, TransportError> {
    match timeout_at(deadline, TcpStream::connect(address)).await {
        Ok(Ok(connection)) => {
            // Requests are small and are waited for.
            let _ = connection.set_nodelay(true);
            Ok(connection)
        }
        Ok(Err(error)) => {
            let detail = format!("{address}: {error}");
            Err(TransportError::new(TransportFailure::Connect, detail))
        }
        Err(_) => {
            let detail = format!("connecting to {address} took too long");
            Err(TransportError::new(TransportFailure::Timeout, detail))
        }
    }
}
