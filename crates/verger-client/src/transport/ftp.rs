use core::time::Duration;
use std::io;
use std::net::IpAddr;

use percent_encoding::percent_decode_str;
use tokio::io::AsyncReadExt as _;
use tokio::time::{Instant, timeout};
use url::Url;
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};

use crate::transport::dialer::{AddressSource, Dialer, deadline_after};
use crate::transport::ftp_control::{ControlConnection, ControlReply, ReplyKind};
use crate::transport::settings_error::SettingsError;
use crate::transport::socket::Socket;
use crate::transport::transport_error::TransportError;
use crate::transport::transport_settings::TransportSettings;
use crate::transport::wire_facts::WireFacts;
use crate::transport::{Arrival, Received};

/// Maximum number of preliminary replies to a command.
const PRELIMINARY_MAX: usize = 8;

/// Retrieves files over anonymous FTP (RFC 959, RFC 2428). G-loc-4.
///
/// Data connections are passive and go to the address of the control connection. The server may
/// name another address, but cannot make the crawler connect to it (RFC 2577 3).
pub(crate) struct FtpRetrieval {
    dialer: Dialer,
    password: String,
    connect_timeout: Duration,
    reply_timeout: Duration,
    silence_timeout: Duration,
}

enum RetrievalFailure {
    Reply(u16),
    Broken(TransportError),
}

impl From<TransportError> for RetrievalFailure {
    fn from(error: TransportError) -> Self {
        Self::Broken(error)
    }
}

impl FtpRetrieval {
    pub(crate) fn new(settings: TransportSettings, dialer: Dialer) -> Result<Self, SettingsError> {
        Ok(Self {
            dialer,
            connect_timeout: settings.connect_timeout,
            reply_timeout: settings.head_timeout,
            silence_timeout: settings.silence_timeout,
            password: settings.into_ftp_password()?,
        })
    }

    pub(crate) async fn send(&self, url: &Url) -> Arrival {
        let (stream, peer) = match self.connect(url).await {
            Ok(connected) => connected,
            Err(error) => return error.into(),
        };
        let facts = WireFacts {
            sent: Some(Instant::now()),
            ..WireFacts::default()
        };
        let control = ControlConnection::new(stream, self.reply_timeout);
        let received = match self.converse(control, url, peer).await {
            Ok((body, body_end)) => Received::FtpFile { body, body_end },
            Err(RetrievalFailure::Reply(code)) => Received::FtpReply(code),
            Err(RetrievalFailure::Broken(error)) => {
                return Arrival {
                    facts,
                    ..error.at(Some(peer)).into()
                };
            }
        };
        Arrival {
            received,
            peer: Some(peer),
            facts,
        }
    }

    async fn connect(&self, url: &Url) -> Result<(Socket, IpAddr), TransportError> {
        let host = url
            .host()
            .ok_or_else(|| TransportError::new(TransportFailure::Dns, "the URL names no host"))?;
        let port = url.port().unwrap_or(21);
        let deadline = deadline_after(self.connect_timeout);
        let dialled = self
            .dialer
            .dial(host, port, AddressSource::Guarded, deadline);
        let stream = dialled
            .await
            .map_err(|error| error.within(self.connect_timeout))?;
        let peer = stream.peer();
        Ok((stream, peer))
    }

    async fn converse(
        &self,
        mut control: ControlConnection,
        url: &Url,
        peer: IpAddr,
    ) -> Result<(Vec<u8>, BodyEnd), RetrievalFailure> {
        let path = path(url)?;
        let greeting = control.reply("the connection").await?;
        completed(&mut control, greeting).await?;
        log_in(&mut control, &self.password).await?;
        let typed = control.command("TYPE", b"I").await?;
        let typed = settled(&mut control, typed).await?;
        if typed.kind() != ReplyKind::Completion {
            return Err(refusal_of_setting(&typed));
        }
        let port = passive_port(&mut control).await?;
        let data = self.data_connection(peer, port).await?;
        let opened = control.command("RETR", &path).await?;
        if matches!(opened.kind(), ReplyKind::Negative | ReplyKind::Intermediate) {
            control.quit().await;
            return Err(RetrievalFailure::Reply(opened.code));
        }
        let (body, end) = self.read(data).await?;
        // If the reader stopped early, the server reports an aborted transfer. That does not
        // matter.
        if end == BodyEnd::Whole && opened.kind() == ReplyKind::Preliminary {
            let closed = control.reply("the end of the file").await?;
            let closed = settled(&mut control, closed).await?;
            if closed.kind() != ReplyKind::Completion {
                let detail = format!("after {} bytes: {}", body.len(), closed.line);
                return Err(TransportError::new(TransportFailure::Truncated, detail).into());
            }
        }
        control.quit().await;
        Ok((body, end))
    }

    /// Opens a data connection to the port that the server named.
    async fn data_connection(&self, peer: IpAddr, port: u16) -> Result<Socket, TransportError> {
        let deadline = deadline_after(self.connect_timeout);
        let dialled = self.dialer.dial_beside(peer, port, deadline);
        dialled.await.map_err(|error| TransportError {
            detail: format!("the FTP data connection: {}", error.detail),
            ..error.within(self.connect_timeout)
        })
    }

    async fn read(&self, mut data: Socket) -> Result<(Vec<u8>, BodyEnd), TransportError> {
        let mut body = Vec::new();
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let read = timeout(self.silence_timeout, data.read(&mut buffer)).await;
            let late = |_| TransportError::timeout("no byte of the file", self.silence_timeout);
            let read = read.map_err(late)?;
            let read = read.map_err(|error| lost(&error))?;
            if read == 0 {
                return Ok((body, BodyEnd::Whole));
            }
            let room = BODY_BYTES_WANTED - body.len();
            body.extend(buffer.iter().take(read.min(room)));
            if read >= room {
                return Ok((body, BodyEnd::CutAtLimit));
            }
        }
    }
}

/// Returns the path for RETR, relative to the login directory (RFC 1738 3.2.2), in bytes.
fn path(url: &Url) -> Result<Vec<u8>, TransportError> {
    let written = url.path().strip_prefix('/').unwrap_or(url.path());
    let path: Vec<u8> = percent_decode_str(written).collect();
    // With line ends, a URL could inject commands.
    if path.is_empty() || path.iter().any(|byte| b"\r\n\0".contains(byte)) {
        let detail = format!("`{}` is not a path for FTP", url.path());
        return Err(TransportError::new(TransportFailure::Protocol, detail));
    }
    Ok(path)
}

async fn log_in(control: &mut ControlConnection, password: &str) -> Result<(), RetrievalFailure> {
    let named = control.command("USER", b"anonymous").await?;
    let named = settled(control, named).await?;
    if named.kind() == ReplyKind::Completion {
        return Ok(());
    }
    if named.code != 331 {
        return Err(before_the_file(&named));
    }
    let passed = control.command("PASS", password.as_bytes()).await?;
    completed(control, passed).await
}

/// Requests the data port with EPSV (RFC 2428), or with PASV if EPSV is not supported.
async fn passive_port(control: &mut ControlConnection) -> Result<u16, RetrievalFailure> {
    let extended = control.command("EPSV", b"").await?;
    let extended = settled(control, extended).await?;
    if extended.code == 229 {
        let port = extended_port(&extended.line);
        return port.ok_or_else(|| unreadable(&extended));
    }
    if extended.kind() == ReplyKind::Negative && extended.code < 500 {
        return Err(RetrievalFailure::Reply(extended.code));
    }
    let passive = control.command("PASV", b"").await?;
    let passive = settled(control, passive).await?;
    if passive.code == 227 {
        return port_of_six(&passive.line).ok_or_else(|| unreadable(&passive));
    }
    Err(refusal_of_setting(&passive))
}

/// Parses the port in `229 text (|||6446|)`, with any delimiter.
fn extended_port(line: &str) -> Option<u16> {
    let (_, inside) = line.rsplit_once('(')?;
    let (inside, _) = inside.split_once(')')?;
    let delimiter = inside.chars().next()?;
    let mut fields = inside.split(delimiter).skip(3);
    usable(fields.next()?.parse().ok()?)
}

/// Parses the port in `227 text (h1,h2,h3,h4,p1,p2)`. The brackets may be missing. The host is
/// ignored.
fn port_of_six(line: &str) -> Option<u16> {
    let text = line.get(4..)?;
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let is_inside = |c: char| c.is_ascii_digit() || matches!(c, ',' | ' ');
    let numbers = text.get(start..)?.split(|c| !is_inside(c)).next()?;
    let numbers: Option<Vec<u8>> = numbers
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    match *numbers?.as_slice() {
        [_, _, _, _, high, low] => usable(u16::from_be_bytes([high, low])),
        _ => None,
    }
}

fn usable(port: u16) -> Option<u16> {
    (port != 0).then_some(port)
}

async fn settled(
    control: &mut ControlConnection,
    first: ControlReply,
) -> Result<ControlReply, TransportError> {
    let mut reply = first;
    let mut passed_over = 0;
    while reply.kind() == ReplyKind::Preliminary && passed_over < PRELIMINARY_MAX {
        reply = control.reply("the last command").await?;
        passed_over += 1;
    }
    if reply.kind() != ReplyKind::Preliminary {
        return Ok(reply);
    }
    let detail = format!("more than {PRELIMINARY_MAX} preliminary replies came");
    Err(TransportError::new(TransportFailure::Protocol, detail))
}

/// Checks that a command has completed. Otherwise the reply is the result.
async fn completed(
    control: &mut ControlConnection,
    first: ControlReply,
) -> Result<(), RetrievalFailure> {
    let reply = settled(control, first).await?;
    match reply.kind() {
        ReplyKind::Completion => Ok(()),
        _ => Err(before_the_file(&reply)),
    }
}

/// Classifies a refusal before the file was named. 530 refuses the login. 550 and 553 refuse a
/// file, so here they are protocol failures.
fn before_the_file(reply: &ControlReply) -> RetrievalFailure {
    match reply.code {
        550 | 553 => {
            let detail = format!("before the file was named: {}", reply.line);
            TransportError::new(TransportFailure::Protocol, detail).into()
        }
        code => RetrievalFailure::Reply(code),
    }
}

/// Classifies a refusal of a command that every server supports (TYPE, PASV). 4yz and 530 may
/// refuse the session at any time. Others, such as 550, are protocol failures, because no file was
/// named.
fn refusal_of_setting(reply: &ControlReply) -> RetrievalFailure {
    match reply.code {
        400..500 | 530 => RetrievalFailure::Reply(reply.code),
        _ => TransportError::new(TransportFailure::Protocol, reply.line.clone()).into(),
    }
}

fn unreadable(reply: &ControlReply) -> RetrievalFailure {
    let detail = format!("the reply `{}` names no port", reply.line.escape_debug());
    TransportError::new(TransportFailure::Protocol, detail).into()
}

fn lost(error: &io::Error) -> TransportError {
    let detail = format!("the FTP data connection: {error}");
    TransportError::from_io(TransportFailure::Reset, error, detail)
}
