//! `Connection`: a plain or encrypted connection to a host, with its state for the connection pool.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use http::HeaderMap;
use hyper_util::client::legacy::connect::{self, Connected};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::futures::OwnedNotified;
use tokio::time::Instant;
use verger_store::{KeptHead, TlsFacts, UnpoisonedMutex};

use crate::transport::address_permits::AddressDemand;
use crate::transport::framing_watch::FramingWatch;
use crate::transport::http2_frames::Http2Frames;
use crate::transport::interim_count::too_many_interim;

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

pub(crate) struct Connection {
    stream: Box<dyn Stream>,
    info: ConnectionInfo,
    frames: Http2Frames,
    /// Ready when another request waits for a connection to the same address.
    announcement: Option<Pin<Box<OwnedNotified>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HttpMode {
    Http1,
    /// Requests to a proxy put the whole URL in the request line.
    Http1ToProxy,
    Http2,
}

#[derive(Clone, Debug)]
pub(crate) struct ConnectionInfo {
    /// The IP address of the server. `None` through a proxy, which does not reveal it.
    pub(crate) peer: Option<IpAddr>,
    pub(crate) mode: HttpMode,
    pub(crate) tls: Option<Arc<TlsFacts>>,
    demand: Option<AddressDemand>,
    has_answered: Arc<AtomicBool>,
    exchanges: Arc<AtomicUsize>,
    framing: Arc<UnpoisonedMutex<FramingWatch>>,
}

pub(crate) struct ExchangeGuard {
    info: ConnectionInfo,
    pub(crate) begun: Instant,
}

impl ConnectionInfo {
    /// Creates the state of a connection to `peer`. While idle, it closes itself if requests of
    /// `demand` wait. Heads are copied if `keeps_facts` is set.
    pub(crate) fn new(
        peer: Option<IpAddr>,
        demand: Option<&AddressDemand>,
        keeps_facts: bool,
    ) -> Self {
        Self {
            peer,
            mode: HttpMode::Http1,
            tls: None,
            demand: demand.cloned(),
            has_answered: Arc::default(),
            exchanges: Arc::default(),
            framing: Arc::new(UnpoisonedMutex::new(FramingWatch::new(keeps_facts))),
        }
    }

    pub(crate) fn encrypted(self, tls: Option<TlsFacts>) -> Self {
        let tls = tls.map(Arc::new);
        Self { tls, ..self }
    }

    pub(crate) fn of(connected: &Connected) -> Option<Self> {
        let mut extras = http::Extensions::new();
        connected.get_extras(&mut extras);
        extras.remove()
    }

    pub(crate) fn note_answer(&self) {
        self.has_answered.store(true, Ordering::SeqCst);
    }

    pub(crate) fn begin_exchange(&self) -> ExchangeGuard {
        self.exchanges.fetch_add(1, Ordering::SeqCst);
        ExchangeGuard {
            info: self.clone(),
            begun: Instant::now(),
        }
    }

    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::SeqCst)
    }

    /// Returns `true` if the last head has a transfer coding other than exactly `chunked`.
    pub(crate) fn has_odd_framing(&self) -> bool {
        self.framing.lock().is_odd()
    }

    pub(crate) fn restore_dropped(&self, headers: &mut HeaderMap) {
        self.framing.lock().restore_dropped(headers);
    }

    pub(crate) fn take_heads(&self) -> [Option<KeptHead>; 2] {
        self.framing.lock().take_heads()
    }

    /// Returns `true` if it was in use and has no exchange now.
    fn is_idle(&self) -> bool {
        self.has_answered() && self.exchanges.load(Ordering::SeqCst) == 0
    }

    fn announcement(&self) -> Option<Pin<Box<OwnedNotified>>> {
        let demand = self.demand.as_ref()?;
        Some(Box::pin(demand.announcement()))
    }
}

impl Drop for ExchangeGuard {
    fn drop(&mut self) {
        let info = &self.info;
        let left = info.exchanges.fetch_sub(1, Ordering::SeqCst) - 1;
        if let Some(demand) = &info.demand
            && left == 0
        {
            demand.repeat();
        }
    }
}

impl Connection {
    pub(crate) fn new(stream: Box<dyn Stream>, info: ConnectionInfo, mode: HttpMode) -> Self {
        let info = ConnectionInfo { mode, ..info };
        Self {
            stream,
            announcement: info.announcement(),
            frames: Http2Frames::default(),
            info,
        }
    }

    /// Returns `true` if the connection should close, because it is idle and another request waits
    /// for the address. A request sent on it at that moment is repeated on another connection.
    fn poll_gives_way(&mut self, cx: &mut Context<'_>) -> bool {
        while let Some(announcement) = &mut self.announcement
            && announcement.as_mut().poll(cx).is_ready()
        {
            // Register before the check. A connection that becomes idle later repeats the
            // announcement.
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
        match self.info.mode {
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
            // Reading no bytes means the end of the stream.
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let received = buffer.filled().get(before..).unwrap_or_default();
        if self.info.mode != HttpMode::Http2 {
            self.info.framing.lock().observe(received);
        } else if self.frames.has_too_many_heads(received) {
            let detail = too_many_interim().detail;
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, detail)));
        }
        polled
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.info.mode != HttpMode::Http2 {
            self.info.framing.lock().expect_head();
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        if self.info.mode != HttpMode::Http2
            && let Poll::Ready(Ok(count)) = written
        {
            self.info.framing.lock().note_sent(&bytes[..count]);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
