//! `Dialer`: the only module that opens connections, so none bypasses the guard.
//!
//! A name is resolved once. Addresses that the guard refuses are dropped, and the connection goes
//! to one of the others. The name is not looked up again before connecting, so DNS rebinding
//! has no effect.

use core::time::Duration;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use url::Host;
use verger_access::TransportFailure;

use crate::fetch::flights::Flight;
use crate::transport::address_guard::{AddressGuard, RefusedAddress};
use crate::transport::address_permits::AddressPermits;
use crate::transport::resolve_error::{ResolveError, ResolveFailure};
use crate::transport::resolver::Resolver;
use crate::transport::socket::Socket;
use crate::transport::transport_error::{ErrorOrigin, TransportError};
use crate::transport::transport_settings::TransportSettings;

/// Maximum number of addresses used per name.
const ADDRESSES_MAX: usize = 16;

/// Time limit for looking up a name that the proxy also resolves.
const PROXIED_NAME_TIME_MAX: Duration = Duration::from_secs(1);

const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

pub(crate) fn deadline_after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + FOREVER)
}

#[derive(Clone)]
pub(crate) struct Dialer {
    resolver: Arc<dyn Resolver>,
    guard: AddressGuard,
    permits: AddressPermits,
}

/// Whether the guard checks an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressSource {
    /// From a URL or a server. The guard checks it.
    Guarded,
    /// Configured by the operator, so exempt.
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

    /// Connects to the first address of `host` that accepts a connection. Waiting for an address's
    /// permit uses up time before the deadline.
    pub(crate) async fn dial(
        &self,
        host: Host<&str>,
        port: u16,
        source: AddressSource,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        let addresses = self.admitted(host, source, deadline).await?;
        self.connect_to_any(&addresses, port, deadline).await
    }

    /// Opens a second connection to the address `first` on another port, under the same permit.
    /// With a permit each, fetches could wait for each other's second connection. The guard checks
    /// the address again.
    #[cfg(feature = "ftp")]
    pub(crate) async fn dial_beside(
        &self,
        first: IpAddr,
        port: u16,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        self.guard.verify_for(None, first).map_err(refused)?;
        let stream = connect(SocketAddr::new(first, port), deadline).await?;
        Ok(Socket::new(stream, first, None))
    }

    /// Checks a host that a proxy connects to. The proxy may use any address of a name, so one
    /// refused address refuses the name. A name that this machine cannot resolve in time is left to
    /// the proxy, which may know more names.
    pub(crate) async fn verify_beyond_proxy(
        &self,
        host: &Host<&str>,
    ) -> Result<(), TransportError> {
        let addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(*address)],
            Host::Ipv6(address) => vec![IpAddr::V6(*address)],
            Host::Domain(name) => {
                match timeout(PROXIED_NAME_TIME_MAX, self.resolver.resolve(name)).await {
                    Ok(Ok(addresses)) => addresses,
                    Ok(Err(error)) if error.is_shortage() => {
                        return Err(unresolved(name, &error));
                    }
                    Ok(Err(_)) | Err(_) => Vec::new(),
                }
            }
        };
        let mut addresses = addresses.into_iter();
        let host = host.to_string();
        addresses
            .try_for_each(|address| self.guard.verify_for(Some(&host), address).map_err(refused))
    }

    async fn admitted(
        &self,
        host: Host<&str>,
        source: AddressSource,
        deadline: Instant,
    ) -> Result<Vec<IpAddr>, TransportError> {
        let name = host.to_string();
        let mut addresses = match host {
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
            Host::Domain(name) => self.resolve(name, deadline).await?,
        };
        addresses.truncate(ADDRESSES_MAX);
        if source == AddressSource::Operator {
            return Ok(addresses);
        }
        let mut refusals = Vec::new();
        addresses.retain(
            |&address| match self.guard.verify_for(Some(&name), address) {
                Ok(()) => true,
                Err(refused) => {
                    refusals.push(refused.to_string());
                    false
                }
            },
        );
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
            let detail = format!("no address of {name}");
            TransportError::new(TransportFailure::Timeout, detail)
        })?;
        let addresses = found.map_err(|error| unresolved(name, &error))?;
        if addresses.is_empty() {
            let detail = format!("{name} has no address");
            return Err(TransportError::new(TransportFailure::Dns, detail));
        }
        Ok(addresses)
    }

    /// Tries the addresses in turn. Each gets an equal share of the remaining time, so a host is
    /// reached even if its first address is silent.
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
                // An address that was skipped for lack of a permit may be up, so the errors of the
                // others are not a fact about the host.
                Err(_) if last.origin == ErrorOrigin::OwnLimit => {}
                Err(error) if matches!(error.origin, ErrorOrigin::Machine(_)) => return Err(error),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Waits for the permit of an address, and connects. The fetch permit is lent to another fetch
    /// meanwhile.
    async fn enter(
        &self,
        address: IpAddr,
        port: u16,
        deadline: Instant,
    ) -> Result<Socket, TransportError> {
        let begun = Instant::now();
        let entered = Flight::lent_during(self.permits.enter(address));
        let permit = timeout_at(deadline, entered).await;
        let permit = permit.map_err(|_| {
            let detail = format!("no turn among the connections to {address}");
            TransportError::own_limit(detail)
        })?;
        let (waited, whole) = (begun.elapsed(), deadline.saturating_duration_since(begun));
        let stream = connect(SocketAddr::new(address, port), deadline).await;
        let stream = stream.map_err(|error| error.after_wait(waited, whole))?;
        Ok(Socket::new(stream, address, Some(permit)).after_wait(waited))
    }
}

fn refused(refused: RefusedAddress) -> TransportError {
    TransportError::new(TransportFailure::AddressRefused, refused.to_string())
}

fn unresolved(name: &str, error: &ResolveError) -> TransportError {
    let (failure, origin) = match error.failure() {
        ResolveFailure::TimedOut => (TransportFailure::Timeout, ErrorOrigin::Site),
        ResolveFailure::NoSuchName | ResolveFailure::Failed => {
            (TransportFailure::Dns, ErrorOrigin::Site)
        }
        ResolveFailure::Shortage(resource) => {
            (TransportFailure::Dns, ErrorOrigin::Machine(resource))
        }
    };
    TransportError {
        origin,
        ..TransportError::new(failure, format!("{name}: {error}"))
    }
}

/// Connects to an address that the guard has permitted.
async fn connect(address: SocketAddr, deadline: Instant) -> Result<TcpStream, TransportError> {
    match timeout_at(deadline, TcpStream::connect(address)).await {
        Ok(Ok(connection)) => {
            // Requests are small, so delaying them only slows the reply.
            let _ = connection.set_nodelay(true);
            Ok(connection)
        }
        Ok(Err(error)) => {
            let detail = format!("{address}: {error}");
            Err(TransportError::from_io(
                TransportFailure::Connect,
                &error,
                detail,
            ))
        }
        Err(_) => {
            let detail = format!("no connection to {address}");
            Err(TransportError::new(TransportFailure::Timeout, detail))
        }
    }
}
