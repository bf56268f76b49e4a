use std::io;

use super::certificates::Presented;
use super::connection::Connection;
use super::ftp_faults::FtpFaults;
use super::request_head::RequestHead;

/// Writes the reply to a request.
pub(super) type HttpScript = fn(&mut Connection, &RequestHead) -> io::Result<()>;

/// The script of a behaviour.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// Reads a request and writes a reply.
    Http(HttpScript),
    /// Does the same over TLS.
    Https(Presented, HttpScript),
    /// Reads an HTTP/2 request over TLS and writes frames.
    Http2(fn(&mut Connection) -> io::Result<()>),
    /// Uses the raw connection.
    Raw(fn(&mut Connection) -> io::Result<()>),
    /// Speaks FTP with faults.
    Ftp(FtpFaults),
    /// Does not listen.
    Absent,
}

/// A script and the name of its behaviour.
pub(super) type NamedScript = (&'static str, Script);
