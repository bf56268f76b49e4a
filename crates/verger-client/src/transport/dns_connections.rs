//! `DnsConnections`: connects `hickory` to a name server, with one UDP socket per query.
//!
//! By default `hickory` repeats an unanswered query after a third of a second and keeps the socket
//! of each copy. That is six sockets per name, which has two queries: 1,536 for 256 unanswered
//! names, more than most processes may open. Here [`crate::transport::name_servers`] repeats a lost
//! query after the first socket is closed.

use std::future::{Ready, ready};
use std::net::{IpAddr, SocketAddr};

use hickory_resolver::config::{ConnectionConfig, ProtocolConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::udp::UdpClientStream;
use hickory_resolver::net::xfer::DnsExchange;
use hickory_resolver::{ConnectionProvider, PoolContext};

use crate::future::BoxFuture;

/// Number of times `hickory` sends a query over UDP.
const COPIES_OF_QUESTION: u8 = 1;

#[derive(Clone, Default)]
pub(crate) struct DnsConnections(TokioRuntimeProvider);

type Exchange = DnsExchange<TokioRuntimeProvider>;

impl ConnectionProvider for DnsConnections {
    type Conn = Exchange;
    type FutureConn = BoxFuture<'static, Result<Exchange, NetError>>;
    type RuntimeProvider = TokioRuntimeProvider;

    fn new_connection(
        &self,
        ip: IpAddr,
        config: &ConnectionConfig,
        cx: &PoolContext,
    ) -> Result<Self::FutureConn, NetError> {
        if !matches!(config.protocol, ProtocolConfig::Udp) {
            return self.0.new_connection(ip, config, cx);
        }
        let server = SocketAddr::new(ip, config.port);
        let exchange: Ready<_> = ready(Ok(UdpClientStream::builder(server, self.0.clone())
            .with_timeout(Some(cx.options.timeout))
            .with_max_retries(COPIES_OF_QUESTION)
            .exchange()));
        Ok(Box::pin(exchange))
    }

    fn runtime_provider(&self) -> &TokioRuntimeProvider {
        &self.0
    }
}
