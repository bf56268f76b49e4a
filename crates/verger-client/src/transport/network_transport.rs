//! `NetworkTransport`: the network as a `Transport`.

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

/// The network: HTTP/1.1, HTTP/2 over TLS, and FTP, to addresses that the guard permits.
///
/// Use it in one tokio runtime only, with time and IO enabled: idle connections belong to the runtime.
///
/// # Limits
///
/// A head has at most 64 KiB and 100 fields, after at most 32 interim responses (over HTTP/2 as many as
/// arrive before the timeout). Of a body, [`TransportSettings::body_bytes_max`] bytes are read; 64 KiB or
/// a 256th more where it is encoded, and over HTTP/2 a server may send 256 KiB more before they are read. The
/// window of a decoder is at most 16 MiB. A request takes one socket, over FTP two; idle connections
/// ([`TransportSettings::idle_connections_per_host`]) take one each. Each phase has its timeout
/// ([`TransportSettings`]); to limit the whole, drop the future.
///
/// # Failures
///
/// All are [`TransportFailure`]s, with words for an operator:
///
/// - `Reset`: the connection ends before the head of a response, or is reset in a body.
/// - `Truncated`: a body ends before its length, inside a chunk, or without the end that TLS or HTTP/2
///   prescribes; also where a stream is reset with `NO_ERROR`.
/// - `Chunking`: the transfer coding is not exactly `chunked`, once (in any case, with blanks and tabs
///   around it); or sizes or line ends of chunks are not as in RFC 9112 7.1. Chunk extensions of up to
///   16 KiB and trailers are accepted and ignored; a `Content-Length` beside the coding is ignored.
/// - `Connect`: no connection, or a proxy opens no tunnel.
///
/// A status other than 2xx is returned whatever happens to its page. The page is read only where it may
/// say "not found": of a 5xx that is not 503 and has no `Retry-After`, up to 64 KiB, for two seconds or
/// half of the time that is left, whichever is shorter.
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
    /// Makes a transport with `settings`. No connection is opened yet.
    ///
    /// # Errors
    ///
    /// Where the user agent, the FTP password or a root certificate is not valid.
    // By value also without FTP, where a reference would do: the interface stays the same.
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

    /// Sends `body` with POST to an `http` or `https` URL, by the same rules for addresses and proxies as a fetch. Of
    /// the response only the head is read. No redirect is followed, and the request is not sent again. To limit the
    /// whole, drop the future.
    ///
    /// `request.conditions` are further headers, such as a `Content-Type`.
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
                // A choice of this program is no fact about the site.
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
