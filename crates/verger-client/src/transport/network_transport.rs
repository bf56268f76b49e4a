use core::fmt;
use std::sync::Arc;

use tokio::time::Instant;
use verger_access::{Request, TransportFailure};

use crate::future::BoxFuture;
use crate::transport::connector::Connector;
use crate::transport::dialer::Dialer;
#[cfg(feature = "ftp")]
use crate::transport::ftp::FtpRetrieval;
use crate::transport::http_exchange::HttpExchange;
#[cfg(feature = "ftp")]
use crate::transport::proxies::Proxies;
use crate::transport::settings_error::SettingsError;
use crate::transport::tls::Tls;
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::TransportSettings;
use crate::transport::{Arrival, Transport};

/// Sends requests over the network: HTTP/1.1, HTTP/2 over TLS, and FTP, to addresses that the guard
/// permits.
///
/// Use it in one Tokio runtime only, with time and IO enabled, because idle connections belong to
/// the runtime.
///
/// # Limits
///
/// A head has at most 64 KiB and 100 fields, after at most 32 interim responses. [`TransportSettings::body_bytes_max`] limits a
/// body. If it is encoded, 64 KiB or a 256th more are read. Over HTTP/2 a server may have 256 KiB
/// more in flight. The window of a decoder is at most 16 MiB.
///
/// A request uses one socket, or two over FTP. Each idle connection
/// ([`TransportSettings::idle_connections_per_host`]) uses one. Each phase has a timeout
/// ([`TransportSettings`]). To limit the total time, drop the future.
///
/// # Failures
///
/// Failures are [`TransportFailure`]s with a description for an operator:
///
/// - `Reset`: the connection ended before the response head was complete, or was reset in a body.
/// - `Truncated`: the body ended before its length, inside a chunk, without the end that TLS or
///   HTTP/2 requires, or by a reset with `NO_ERROR`.
/// - `Chunking`: the transfer coding is not a single `chunked` (in any case, with blanks and tabs
///   around it), or chunk sizes or line ends violate RFC 9112 7.1. Trailers, chunk extensions up to
///   16 KiB and a `Content-Length` next to the coding are ignored.
/// - `Connect`: no connection was made, or a proxy opened no tunnel.
///
/// A status other than 2xx is returned whatever happens to its page. The page is read only if it
/// may say "not found": for a 5xx other than 503 without `Retry-After`, up to 64 KiB, for two
/// seconds or half of the remaining time, whichever is shorter.
pub struct NetworkTransport {
    http: HttpExchange,
    #[cfg(feature = "ftp")]
    ftp: FtpRetrieval,
    #[cfg(feature = "ftp")]
    proxies: Arc<Proxies>,
}

impl fmt::Debug for NetworkTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetworkTransport").finish_non_exhaustive()
    }
}

impl NetworkTransport {
    /// Creates a transport. No connection is opened yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the user agent, the FTP password or a root certificate is invalid.
    // By value even without FTP, to keep the interface the same.
    #[cfg_attr(not(feature = "ftp"), allow(clippy::needless_pass_by_value))]
    pub fn new(settings: TransportSettings) -> Result<Self, SettingsError> {
        let dialer = Dialer::new(&settings);
        let proxies = Arc::new(settings.proxies.clone());
        let connector = Connector {
            dialer: dialer.clone(),
            tls: Tls::trusting(&settings.root_certificates)?,
            proxies: Arc::clone(&proxies),
            timeout: settings.connect_timeout,
            keeps_facts: settings.keeps_facts,
        };
        let http = HttpExchange::new(&settings, connector)?;
        #[cfg(feature = "ftp")]
        let ftp = FtpRetrieval::new(settings, dialer)?;
        Ok(Self {
            http,
            #[cfg(feature = "ftp")]
            ftp,
            #[cfg(feature = "ftp")]
            proxies,
        })
    }

    /// Sends `body` with POST to an `http` or `https` URL, under the same address and proxy rules
    /// as a fetch. `request.conditions` are additional headers, such as `Content-Type`.
    ///
    /// Reads only the head of the response, follows no redirect, and never repeats the request. To
    /// limit the total time, drop the future.
    pub async fn post(&self, request: &Request, body: Vec<u8>) -> Arrival {
        match request.url.scheme() {
            "http" | "https" => self.http.post(request, body.into()).await,
            scheme => {
                let detail = format!("nothing is posted over {scheme}");
                TransportError::new(TransportFailure::Protocol, detail).into()
            }
        }
    }
}

impl Transport for NetworkTransport {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            match request.url.scheme() {
                "http" | "https" => self.http.send(request, deadline).await,
                #[cfg(feature = "ftp")]
                "ftp" => {
                    if self.proxies.bars_ftp_to(&request.url) {
                        let detail = "FTP does not go through the proxy";
                        return TransportError::new(TransportFailure::Connect, detail).into();
                    }
                    self.ftp.send(&request.url).await
                }
                // A choice of this program is not a fact about the site.
                #[cfg(not(feature = "ftp"))]
                "ftp" => {
                    let detail = "FTP is not compiled in (feature `ftp` of verger-client)";
                    TransportError::new(TransportFailure::AddressRefused, detail).into()
                }
                scheme => {
                    let detail = format!("nothing is fetched over {scheme}");
                    TransportError::new(TransportFailure::Protocol, detail).into()
                }
            }
        })
    }
}
