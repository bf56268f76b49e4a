//! `NetworkTransport`: the network as a `Transport`.

use std::sync::Arc;

use tokio::time::Instant;
use verger_access::{Request, TransportFailure};

use crate::future::BoxFuture;
use crate::transport::connector::Connector;
use crate::transport::dialer::Dialer;
#[cfg(feature = "ftp")]
use crate::transport::ftp::FtpRetrieval;
use crate::transport::http_exchange::HttpExchange;
use crate::transport::proxy::Proxy;
use crate::transport::tls::Tls;
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::{SettingsError, TransportSettings};
use crate::transport::{Arrival, Transport};

/// The network: HTTP/1.1, HTTP/2 over TLS, and FTP, to addresses that the guard admits.
///
/// It belongs to the tokio runtime that it is first used in, with its time and its IO enabled:
/// connections that are kept idle live there.
///
/// # What it costs at most
///
/// A head of 64 KiB with 100 fields, after 32 interim responses (over HTTP/2 after as many as come
/// before the timeout); a body of
/// [`verger_access::BODY_OCTETS_WANTED`] octets, of which at most 64 KiB more are read where they
/// are encoded, and over HTTP/2 256 KiB more are taken before they are read; the window of the
/// decoder, 16 MiB at most. One socket a request, two over FTP, and those that are kept idle
/// ([`TransportSettings::idle_connections_per_host`]). Each phase has its timeout
/// ([`TransportSettings`]); how long all of them may take together is up to the caller, who drops the
/// future.
///
/// # What is which failure
///
/// All are [`TransportFailure`]s, with words for an operator. A connection that ends before the
/// head of a response is there, or is reset in a body, is `Reset`; a body that ends before its
/// length, inside a chunk, or without the end that TLS or HTTP/2 prescribes, is `Truncated`, also
/// where a stream is reset with `NO_ERROR`. `Chunking` is a transfer coding that is not exactly
/// `chunked`, once, in any case, with blanks and tabs around it; and chunks whose sizes and line
/// ends are not as RFC 9112 7.1 has them. Accepted are chunk extensions of 16 KiB, which mean
/// nothing, trailers, and a `Content-Length` beside the coding, which overrides it. A proxy that opens no tunnel is `Connect`.
///
/// A status that is no 2xx is handed in whatever becomes of its page. The page itself is read only
/// where it may say that nothing was found: of a 5xx that is not 503 and has no `Retry-After`, up
/// to 64 KiB, for two seconds or half of the time that is left, whichever is shorter.
pub struct NetworkTransport {
    http: HttpExchange,
    /// `None` behind a proxy.
    #[cfg(feature = "ftp")]
    ftp: Option<FtpRetrieval>,
}

impl NetworkTransport {
    /// The network under `settings`. Nothing is connected to yet.
    ///
    /// # Errors
    ///
    /// Where the user agent, the FTP password, a root certificate or the proxy's URL is no good.
    // Without FTP the settings are only looked at; the interface stays the same.
    #[cfg_attr(not(feature = "ftp"), allow(clippy::needless_pass_by_value))]
    pub fn new(settings: TransportSettings) -> Result<Self, SettingsError> {
        let dialer = Dialer::new(&settings);
        let proxy = settings
            .proxy
            .as_ref()
            .map(Proxy::at)
            .transpose()?
            .map(Arc::new);
        let connector = Connector {
            dialer: dialer.clone(),
            tls: Tls::trusting(&settings.root_certificates)?,
            proxy: proxy.clone(),
            timeout: settings.connect_timeout,
        };
        let http = HttpExchange::new(&settings, connector)?;
        #[cfg(feature = "ftp")]
        let ftp = FtpRetrieval::new(settings, dialer)?;
        Ok(Self {
            http,
            #[cfg(feature = "ftp")]
            ftp: proxy.is_none().then_some(ftp),
        })
    }
}

impl Transport for NetworkTransport {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            match request.url.scheme() {
                "http" | "https" => self.http.send(request, deadline).await,
                #[cfg(feature = "ftp")]
                "ftp" => {
                    let Some(ftp) = &self.ftp else {
                        let detail = "FTP does not go through the proxy";
                        return TransportError::new(TransportFailure::Connect, detail).into();
                    };
                    ftp.send(&request.url).await
                }
                // A choice of this program, which says nothing about the site.
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
