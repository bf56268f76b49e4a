//! `Connector`: opens HTTP connections, through a proxy if the host has one, and adds TLS.

use core::time::Duration;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::time::{Instant, timeout_at};
use tower_service::Service;
use url::Host;
use verger_access::TransportFailure;

use crate::transport::connection::{Connection, ConnectionInfo, HttpMode};
use crate::transport::dialer::{AddressSource, Dialer, deadline_after};
use crate::transport::proxies::Proxies;
use crate::transport::proxy::Proxy;
use crate::transport::socket::Socket;
use crate::transport::tls::{Tls, agreed_on_http_2, tls_facts};
use crate::transport::transport_error::TransportError;

#[derive(Clone)]
pub(crate) struct Connector {
    pub(crate) dialer: Dialer,
    pub(crate) tls: Tls,
    pub(crate) proxies: Arc<Proxies>,
    pub(crate) timeout: Duration,
    pub(crate) keeps_facts: bool,
}

impl Service<Uri> for Connector {
    type Response = TokioIo<Connection>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, TransportError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move {
            let connected = connector.connect(&uri).await;
            let connected = connected.map_err(|error| error.within(connector.timeout));
            connected.map(TokioIo::new)
        })
    }
}

struct RawConnection {
    stream: Socket,
    info: ConnectionInfo,
}

impl Connector {
    async fn connect(&self, uri: &Uri) -> Result<Connection, TransportError> {
        let deadline = deadline_after(self.timeout);
        let written = uri.host().unwrap_or_default();
        // Parsed like the URL, because the guard must judge the same host.
        let host = Host::parse(written).map_err(|error| {
            TransportError::new(TransportFailure::Dns, format!("{written}: {error}"))
        })?;
        let host = match &host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(address) => Host::Ipv4(*address),
            Host::Ipv6(address) => Host::Ipv6(*address),
        };
        let is_secure = uri.scheme_str() == Some("https");
        let default_port = if is_secure { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(default_port);

        let proxy = self.proxies.of(is_secure, &host, port);
        let wire = match proxy {
            None => self.direct(host.clone(), port, deadline).await?,
            Some(proxy) if is_secure => self.tunnel(proxy, &host, port, deadline).await?,
            Some(proxy) => self.proxied(proxy, &host, deadline).await?,
        };
        if !is_secure {
            let usage = match proxy {
                None => HttpMode::Http1,
                Some(_) => HttpMode::Http1ToProxy,
            };
            return Ok(Connection::new(Box::new(wire.stream), wire.info, usage));
        }
        let (peer, waited) = (wire.info.peer, wire.stream.waited());
        let handshake = timeout_at(deadline, self.tls.handshake(&host, wire.stream)).await;
        let stream = handshake.map_err(|_| {
            let detail = format!("no TLS handshake with {host}");
            let error = TransportError::new(TransportFailure::Timeout, detail).at(peer);
            error.after_wait(waited, self.timeout)
        })?;
        let stream = stream.map_err(|error| error.at(peer))?;
        let usage = if agreed_on_http_2(&stream) {
            HttpMode::Http2
        } else {
            HttpMode::Http1
        };
        let tls = self.keeps_facts.then(|| tls_facts(&stream));
        let info = wire.info.encrypted(tls.flatten());
        Ok(Connection::new(Box::new(stream), info, usage))
    }

    async fn direct(
        &self,
        host: Host<&str>,
        port: u16,
        deadline: Instant,
    ) -> Result<RawConnection, TransportError> {
        let dialled = self
            .dialer
            .dial(host, port, AddressSource::Guarded, deadline);
        let stream = dialled.await?;
        let info = ConnectionInfo::new(Some(stream.peer()), stream.demand(), self.keeps_facts);
        Ok(RawConnection { stream, info })
    }

    async fn proxied(
        &self,
        proxy: &Proxy,
        target: &Host<&str>,
        deadline: Instant,
    ) -> Result<RawConnection, TransportError> {
        self.dialer.verify_beyond_proxy(target).await?;
        let (host, port) = (proxy.host(), proxy.port());
        let dialled = self
            .dialer
            .dial(host, port, AddressSource::Operator, deadline);
        let stream = dialled.await.map_err(|error| TransportError {
            detail: format!("the proxy: {}", error.detail),
            ..error
        })?;
        let info = ConnectionInfo::new(None, stream.demand(), self.keeps_facts);
        Ok(RawConnection { stream, info })
    }

    /// Opens a tunnel through the proxy, which sees only the host and port of the target.
    async fn tunnel(
        &self,
        proxy: &Proxy,
        target: &Host<&str>,
        port: u16,
        deadline: Instant,
    ) -> Result<RawConnection, TransportError> {
        let wire = self.proxied(proxy, target, deadline).await?;
        let target = format!("{target}:{port}");
        let tunnel = timeout_at(deadline, proxy.tunnel(wire.stream, &target)).await;
        let stream = tunnel.map_err(|_| {
            let detail = format!("no tunnel of the proxy to {target}");
            TransportError::new(TransportFailure::Timeout, detail)
        })?;
        Ok(RawConnection {
            stream: stream?,
            ..wire
        })
    }
}
