use core::time::Duration;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::transport::address_permits::{AddressDemand, AddressPermit};

/// A TCP connection. Closing it releases the permit of its address.
pub(crate) struct Socket {
    stream: TcpStream,
    peer: IpAddr,
    /// `None` if it shares the permit of another connection.
    permit: Option<AddressPermit>,
    waited: Duration,
}

impl Socket {
    pub(crate) fn new(stream: TcpStream, peer: IpAddr, permit: Option<AddressPermit>) -> Self {
        Self {
            stream,
            peer,
            permit,
            waited: Duration::ZERO,
        }
    }

    pub(crate) fn after_wait(self, waited: Duration) -> Self {
        Self { waited, ..self }
    }

    pub(crate) fn waited(&self) -> Duration {
        self.waited
    }

    pub(crate) fn peer(&self) -> IpAddr {
        self.peer
    }

    pub(crate) fn demand(&self) -> Option<&AddressDemand> {
        self.permit.as_ref().map(AddressPermit::demand)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
