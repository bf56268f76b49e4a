//! A connection, plain or over TLS.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

use super::request_head::{HEAD_BYTES_MAX, RequestHead};
use super::site::Site;

/// Pause between the bytes of a slow reply.
const PAUSE: Duration = Duration::from_millis(50);

/// How long, and how many bytes, a client may still send after the script has ended.
const FAREWELL: Duration = Duration::from_secs(1);
const FAREWELL_BYTES: usize = 64 * 1024;

/// How a connection is closed after its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The connection is closed in order.
    Orderly,
    /// The TLS connection is closed without `close_notify`.
    WithoutCloseNotify,
    /// The connection is reset.
    Reset,
}

enum Channel {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

pub(super) struct Connection {
    channel: Channel,
    site: Arc<Site>,
    name: String,
    deadline: Instant,
    ending: Ending,
}

impl Connection {
    /// Creates a connection to the named behaviour.
    pub(super) fn new(stream: TcpStream, site: &Arc<Site>, name: &str) -> io::Result<Self> {
        stream.set_read_timeout(Some(site.step_timeout()))?;
        stream.set_write_timeout(Some(site.step_timeout()))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            channel: Channel::Plain(stream),
            site: Arc::clone(site),
            name: name.to_owned(),
            deadline: Instant::now() + site.connection_lifetime(),
            ending: Ending::Orderly,
        })
    }

    /// Upgrades the connection to TLS.
    pub(super) fn through_tls(mut self, config: Arc<ServerConfig>) -> io::Result<Self> {
        if let Channel::Plain(stream) = self.channel {
            let session = ServerConnection::new(config).map_err(io::Error::other)?;
            self.channel = Channel::Tls(Box::new(StreamOwned::new(session, stream)));
        }
        Ok(self)
    }

    /// Returns the state that all connections share.
    pub(super) fn site(&self) -> &Site {
        &self.site
    }

    /// Returns the address that the client connected to.
    pub(super) fn local_ip(&self) -> io::Result<IpAddr> {
        Ok(self.tcp().local_addr()?.ip())
    }

    /// Sets how the connection is closed.
    pub(super) fn end_by(&mut self, ending: Ending) {
        self.ending = ending;
    }

    /// Records a complete request.
    pub(super) fn note_request(&self, head: &str) {
        if let Some(mut ledger) = self.site.ledger(&self.name) {
            ledger.request(head);
        }
    }

    /// Reads a request head and records it.
    ///
    /// # Errors
    ///
    /// Returns an error if the client sends too much, sends nothing, or closes the connection.
    pub(super) fn read_head(&mut self) -> io::Result<RequestHead> {
        let mut bytes = Vec::new();
        let mut part = [0; 4096];
        loop {
            let count = self.read(&mut part)?;
            if count == 0 || bytes.len() > HEAD_BYTES_MAX {
                return Err(ErrorKind::InvalidData.into());
            }
            bytes.extend_from_slice(part.get(..count).unwrap_or_default());
            if let Some(head) = RequestHead::whole(&bytes) {
                self.note_request(head.text());
                return Ok(head);
            }
        }
    }

    /// Sends nothing for a moment. Discards what the client sends meanwhile, so a script that has
    /// paused must not read again.
    ///
    /// # Errors
    ///
    /// Returns an error if the client has gone or the lifetime of the connection is over.
    pub(super) fn pause(&mut self) -> io::Result<()> {
        self.refuse_overdue()?;
        self.tcp().set_read_timeout(Some(PAUSE))?;
        // Ignore data that arrives meanwhile, but not the end of the connection.
        let read = self.tcp().read(&mut [0; 1024]);
        let step_timeout = self.site.step_timeout();
        self.tcp().set_read_timeout(Some(step_timeout))?;
        match read {
            Ok(0) => Err(ErrorKind::ConnectionAborted.into()),
            Err(error) if !is_timeout(&error) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Sends nothing until the client closes the connection.
    ///
    /// # Errors
    ///
    /// Always returns an error.
    pub(super) fn hang(&mut self) -> io::Result<()> {
        loop {
            self.pause()?;
        }
    }

    /// Sends the same bytes forever.
    ///
    /// # Errors
    ///
    /// Always returns an error.
    pub(super) fn flood(&mut self, with: &str) -> io::Result<()> {
        let block = with.repeat(16 * 1024 / with.len().max(1) + 1);
        loop {
            self.write_all(block.as_bytes())?;
        }
    }

    /// Closes the connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the client has already gone.
    pub(super) fn close(mut self) -> io::Result<()> {
        if self.ending == Ending::Reset {
            return SockRef::from(self.tcp()).set_linger(Some(Duration::ZERO));
        }
        if let Channel::Tls(stream) = &mut self.channel
            && self.ending == Ending::Orderly
        {
            stream.conn.send_close_notify();
            stream.flush()?;
        }
        let mut stream = self.tcp();
        stream.shutdown(Shutdown::Write)?;
        // Closing with unread input would reset the connection and lose what was written.
        stream.set_read_timeout(Some(FAREWELL))?;
        let mut part = [0; 4096];
        let mut total = 0;
        while total < FAREWELL_BYTES {
            match stream.read(&mut part)? {
                0 => break,
                count => total += count,
            }
        }
        Ok(())
    }

    fn tcp(&self) -> &TcpStream {
        match &self.channel {
            Channel::Plain(stream) => stream,
            Channel::Tls(stream) => stream.get_ref(),
        }
    }

    fn refuse_overdue(&self) -> io::Result<()> {
        if self.site.is_stopping() || Instant::now() >= self.deadline {
            return Err(ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

impl Read for Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.refuse_overdue()?;
        match &mut self.channel {
            Channel::Plain(stream) => stream.read(bytes),
            Channel::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.refuse_overdue()?;
        match &mut self.channel {
            Channel::Plain(stream) => stream.write(bytes),
            Channel::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.channel {
            Channel::Plain(stream) => stream.flush(),
            Channel::Tls(stream) => stream.flush(),
        }
    }
}
