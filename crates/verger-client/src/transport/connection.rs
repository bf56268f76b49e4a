//! `Connection`: octets to and from a host, encrypted or not, and what is known about it.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::{self, Connected};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::futures::OwnedNotified;

use crate::transport::address_permits::AddressDemand;
use crate::transport::framing_watch::FramingWatch;

/// What octets travel over.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Octets to and from a host.
pub(crate) struct Connection {
    stream: Box<dyn Stream>,
    info: ConnectionInfo,
    usage: HttpMode,
    /// Comes when another connection to the same address is waited for.
    announcement: Option<Pin<Box<OwnedNotified>>>,
}

/// How a connection wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HttpMode {
    Http1,
    /// A proxy is told the whole URL.
    Http1ToProxy,
    Http2,
}

/// What is known about a connection apart from its octets.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionInfo {
    /// Whom the connection goes to; `None` behind a proxy, which alone knows.
    pub(crate) peer: Option<IpAddr>,
    demand: Option<AddressDemand>,
    has_answered: Arc<AtomicBool>,
    exchanges: Arc<AtomicUsize>,
    framing: Arc<Mutex<FramingWatch>>,
}

/// One exchange that a connection carries, until it is dropped.
pub(crate) struct ExchangeGuard(ConnectionInfo);

impl ConnectionInfo {
    /// The info of a connection to `peer`, which closes itself while it is idle if there is a
    /// `demand` for others.
    pub(crate) fn new(peer: Option<IpAddr>, demand: Option<&AddressDemand>) -> Self {
        Self {
            peer,
            demand: demand.cloned(),
            has_answered: Arc::default(),
            exchanges: Arc::default(),
            framing: Arc::new(Mutex::new(FramingWatch::new())),
        }
    }

    /// The info of a connection that is in use.
    pub(crate) fn of(connected: &Connected) -> Option<Self> {
        let mut extras = http::Extensions::new();
        connected.get_extras(&mut extras);
        extras.remove()
    }

    /// Notes that a response came.
    pub(crate) fn note_answer(&self) {
        self.has_answered.store(true, Ordering::SeqCst);
    }

    /// Notes that an exchange begins.
    pub(crate) fn occupy(&self) -> ExchangeGuard {
        self.exchanges.fetch_add(1, Ordering::SeqCst);
        ExchangeGuard(self.clone())
    }

    /// Whether a response ever came.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::SeqCst)
    }

    /// Whether the head that came last names a transfer coding that is not exactly `chunked`.
    pub(crate) fn has_odd_framing(&self) -> bool {
        self.framing().is_odd()
    }

    /// Whether it was in use, and is no more.
    fn is_idle(&self) -> bool {
        self.has_answered() && self.exchanges.load(Ordering::SeqCst) == 0
    }

    fn announcement(&self) -> Option<Pin<Box<OwnedNotified>>> {
        let demand = self.demand.as_ref()?;
        Some(Box::pin(demand.announcement()))
    }

    /// Nothing that holds the lock panics halfway.
    fn framing(&self) -> MutexGuard<'_, FramingWatch> {
        self.framing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExchangeGuard {
    fn drop(&mut self) {
        let Self(info) = self;
        let left = info.exchanges.fetch_sub(1, Ordering::SeqCst) - 1;
        if let Some(demand) = &info.demand
            && left == 0
        {
            demand.repeat();
        }
    }
}

impl Connection {
    pub(crate) fn new(stream: Box<dyn Stream>, info: ConnectionInfo, usage: HttpMode) -> Self {
        Self {
            stream,
            announcement: info.announcement(),
            info,
            usage,
        }
    }

    /// Whether it is idle while others to the same address are waited for. A request that is about
    /// to be sent on it then meets a closed connection, and is sent once more on another.
    fn poll_gives_way(&mut self, cx: &mut Context<'_>) -> bool {
        while let Some(announcement) = &mut self.announcement
            && announcement.as_mut().poll(cx).is_ready()
        {
            // In this order: what becomes idle from now on is announced once more.
            self.announcement = self.info.announcement();
            if self.info.is_idle() {
                return true;
            }
        }
        false
    }
}

impl connect::Connection for Connection {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(self.info.clone());
        match self.usage {
            HttpMode::Http1 => connected,
            HttpMode::Http1ToProxy => connected.proxy(true),
            HttpMode::Http2 => connected.negotiated_h2(),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.poll_gives_way(cx) {
            // Without octets: the end.
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if self.usage != HttpMode::Http2 {
            let received = buffer.filled().get(before..).unwrap_or_default();
            self.info.framing().observe(received);
        }
        polled
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.usage != HttpMode::Http2 {
            self.info.framing().expect_head();
        }
        Pin::new(&mut self.stream).poll_write(cx, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
