//! One connection, in the clear or through TLS.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

use super::request_head::{HEAD_BYTES_MAX, RequestHead};
use super::site::Site;

/// How long the silence between two bytes is that drip.
const PAUSE: Duration = Duration::from_millis(50);

/// How long, and how much, a client may still say when all is said.
const FAREWELL: Duration = Duration::from_secs(1);
const FAREWELL_BYTES: usize = 64 * 1024;

/// How a connection ends when its script has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// As it should.
    Orderly,
    /// Through TLS without the word that closes it.
    WithoutCloseNotify,
    /// With a reset.
    Reset,
}

enum Channel {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

/// One connection.
pub(super) struct Connection {
    channel: Channel,
    site: Arc<Site>,
    name: String,
    deadline: Instant,
    ending: Ending,
}

impl Connection {
    /// A connection that came to the behaviour of that name.
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

    /// The same connection with TLS.
    pub(super) fn through_tls(mut self, config: Arc<ServerConfig>) -> io::Result<Self> {
        if let Channel::Plain(stream) = self.channel {
            let session = ServerConnection::new(config).map_err(io::Error::other)?;
            self.channel = Channel::Tls(Box::new(StreamOwned::new(session, stream)));
        }
        Ok(self)
    }

    /// What all connections share.
    pub(super) fn site(&self) -> &Site {
        &self.site
    }

    /// The address that the client connected to.
    pub(super) fn local_ip(&self) -> io::Result<IpAddr> {
        Ok(self.tcp().local_addr()?.ip())
    }

    /// Sets how it ends.
    pub(super) fn end_by(&mut self, ending: Ending) {
        self.ending = ending;
    }

    /// Notes a whole request.
    pub(super) fn note_request(&self, head: &str) {
        if let Some(mut ledger) = self.site.ledger(&self.name) {
            ledger.request(head);
        }
    }

    /// Reads the head of a request, and notes it.
    ///
    /// # Errors
    ///
    /// Where the client sends too much, sends nothing or closes the connection.
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

    /// Sends nothing for a moment. What the client sends meanwhile is lost, so a script that pauses
    /// reads no more.
    ///
    /// # Errors
    ///
    /// Where the client has gone, or the time of the connection is over.
    pub(super) fn pause(&mut self) -> io::Result<()> {
        self.refuse_overdue()?;
        self.tcp().set_read_timeout(Some(PAUSE))?;
        // What arrives meanwhile is ignored; the end of the connection is not.
        let read = self.tcp().read(&mut [0; 1024]);
        let step_timeout = self.site.step_timeout();
        self.tcp().set_read_timeout(Some(step_timeout))?;
        match read {
            Ok(0) => Err(ErrorKind::ConnectionAborted.into()),
            Err(error) if !is_timeout(&error) => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Sends nothing more until the client closes the connection.
    ///
    /// # Errors
    ///
    /// Always, since nothing can follow.
    pub(super) fn hang(&mut self) -> io::Result<()> {
        loop {
            self.pause()?;
        }
    }

    /// Sends the same bytes without end.
    ///
    /// # Errors
    ///
    /// Always, since nothing can follow.
    pub(super) fn flood(&mut self, with: &str) -> io::Result<()> {
        let block = with.repeat(16 * 1024 / with.len().max(1) + 1);
        loop {
            self.write_all(block.as_bytes())?;
        }
    }

    /// Ends it.
    ///
    /// # Errors
    ///
    /// Where the client has gone already.
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
        // To close with something unread would reset the connection, and what was written with it.
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
