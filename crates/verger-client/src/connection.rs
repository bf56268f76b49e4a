//! `Connection`: octets to and from a host, encrypted or not, and whom they are exchanged with.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::{self, Connected};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::framing_watch::FramingWatch;

/// What octets travel over.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Octets to and from a host.
pub(crate) struct Connection {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) mark: ConnectionMark,
    pub(crate) usage: Usage,
}

/// How a connection wants to be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    Http1,
    /// A proxy is told the whole URL.
    Http1ToProxy,
    Http2,
}

/// What is known about a connection apart from its octets.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionMark {
    /// Whom the connection goes to; `None` behind a proxy, which alone knows.
    pub(crate) peer: Option<IpAddr>,
    has_answered: Arc<AtomicBool>,
    framing: Arc<Mutex<FramingWatch>>,
}

impl ConnectionMark {
    pub(crate) fn new(peer: Option<IpAddr>) -> Self {
        Self {
            peer,
            has_answered: Arc::default(),
            framing: Arc::new(Mutex::new(FramingWatch::new())),
        }
    }

    /// The mark of a connection that is in use.
    pub(crate) fn of(connected: &Connected) -> Option<Self> {
        let mut extras = http::Extensions::new();
        connected.get_extras(&mut extras);
        extras.remove()
    }

    /// Notes that a response came.
    pub(crate) fn note_answer(&self) {
        self.has_answered.store(true, Ordering::Relaxed);
    }

    /// Whether the head that came last names a transfer coding that is not exactly `chunked`.
    pub(crate) fn has_odd_framing(&self) -> bool {
        self.framing().is_odd()
    }

    /// Nothing that holds the lock panics halfway.
    fn framing(&self) -> MutexGuard<'_, FramingWatch> {
        self.framing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a response ever came.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }
}

impl connect::Connection for Connection {
    fn connected(&self) -> Connected {
        let connected = Connected::new().extra(self.mark.clone());
        match self.usage {
            Usage::Http1 => connected,
            Usage::Http1ToProxy => connected.proxy(true),
            Usage::Http2 => connected.negotiated_h2(),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if self.usage != Usage::Http2 {
            let received = buffer.filled().get(before..).unwrap_or_default();
            self.mark.framing().observe(received);
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
        if self.usage != Usage::Http2 {
            self.mark.framing().expect_head();
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
