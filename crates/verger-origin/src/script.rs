//! What a behaviour does.

use std::io;

use super::certificates::Presented;
use super::connection::Connection;
use super::ftp_faults::FtpFaults;
use super::request_head::RequestHead;

/// What is written to a client that sent a request.
pub(super) type HttpScript = fn(&mut Connection, &RequestHead) -> io::Result<()>;

/// What a behaviour does.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// It reads a request, and writes.
    Http(HttpScript),
    /// The same through TLS.
    Https(Presented, HttpScript),
    /// It reads a request over HTTP/2 through TLS, and writes frames.
    Http2(fn(&mut Connection) -> io::Result<()>),
    /// It has the connection as it is.
    Raw(fn(&mut Connection) -> io::Result<()>),
    /// FTP with faults.
    Ftp(FtpFaults),
    /// It does not listen.
    Absent,
}

/// A script with the name of its behaviour.
pub(super) type NamedScript = (&'static str, Script);
