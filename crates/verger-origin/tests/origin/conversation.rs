//! Helpers to talk to the origin and to see how a connection ends.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use verger_origin::Origin;

/// Upper bound for any wait. Only a broken origin comes near it.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How long to wait when nothing is expected.
pub const SILENCE: Duration = Duration::from_millis(200);

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Closed,
    /// A TLS connection closed without `close_notify`.
    Unclosed,
    Reset,
    Silent,
    /// The client had read enough.
    Enough,
}

pub fn connect(origin: &Origin, name: &str) -> TcpStream {
    try_to_connect(origin, name).unwrap()
}

pub fn try_to_connect(origin: &Origin, name: &str) -> io::Result<TcpStream> {
    let address = SocketAddr::from(([127, 0, 0, 1], origin.port(name)));
    let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

/// Requests a path. If the origin has gone meanwhile, the next read shows it.
pub fn ask(stream: &mut impl Write, path: &str, headers: &str) {
    let _ = try_to_ask(stream, path, headers);
}

pub fn try_to_ask(stream: &mut impl Write, path: &str, headers: &str) -> io::Result<()> {
    let head = format!("GET {path} HTTP/1.1\r\nHost: h.example\r\n{headers}\r\n");
    stream.write_all(head.as_bytes())
}

/// Reads until the connection ends or `enough` bytes have arrived.
pub fn listen(stream: &mut impl Read, enough: usize) -> (Vec<u8>, End) {
    let mut heard = Vec::new();
    let mut part = [0; 4096];
    while heard.len() < enough {
        match stream.read(&mut part) {
            Ok(0) => return (heard, End::Closed),
            Ok(count) => heard.extend_from_slice(&part[..count]),
            Err(error) => {
                let end = match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => End::Silent,
                    ErrorKind::ConnectionReset => End::Reset,
                    ErrorKind::UnexpectedEof => End::Unclosed,
                    _ => panic!("{error}"),
                };
                return (heard, end);
            }
        }
    }
    (heard, End::Enough)
}

/// A complete HTTP reply, parsed.
pub struct HttpReply {
    pub status: String,
    pub head: String,
    pub body: Vec<u8>,
}

impl HttpReply {
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head
            .strip_prefix("HTTP/1.1 ")?
            .split(' ')
            .next()?
            .to_owned();
        Some(Self {
            status,
            head,
            body: bytes[end + 4..].to_vec(),
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields
            .find(|(field, _)| *field == name)
            .map(|(_, value)| value)
    }

    /// Returns whether the reply has everything that its head announces.
    pub fn is_whole(&self) -> bool {
        if self.status.starts_with('1') {
            return false;
        }
        if self.header("Transfer-Encoding").is_some() {
            // The last chunk may have an extension and a trailer.
            let last = |it: &[u8]| it == b"\r\n0\r\n" || it == b"\r\n0;c";
            return self.body.windows(5).any(last) && self.body.ends_with(b"\r\n\r\n");
        }
        let length = self.header("Content-Length").and_then(|it| it.parse().ok());
        length.is_none_or(|length: usize| length <= self.body.len())
    }
}
