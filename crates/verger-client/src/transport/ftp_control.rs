//! `ControlConnection`: commands and replies of FTP (RFC 959 4.2), within limits.

use core::time::Duration;
use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::time::timeout;
use verger_access::TransportFailure;

use crate::transport::socket::Socket;
use crate::transport::transport_error::TransportError;

/// Maximum length of a reply line, without its end.
const LINE_BYTES_MAX: usize = 4096;

/// Maximum number of lines per reply. Banners are long.
const LINES_MAX: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ControlReply {
    /// 100 to 599.
    pub(crate) code: u16,
    pub(crate) line: String,
}

/// The meaning of a reply's first digit. RFC 959 4.2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyKind {
    /// Another reply will follow.
    Preliminary,
    Completion,
    /// Another command is needed.
    Intermediate,
    /// Refused: "4yz" for now, "5yz" permanently.
    Negative,
}

impl ControlReply {
    pub(crate) fn kind(&self) -> ReplyKind {
        match self.code {
            ..200 => ReplyKind::Preliminary,
            200..300 => ReplyKind::Completion,
            300..400 => ReplyKind::Intermediate,
            400.. => ReplyKind::Negative,
        }
    }
}

pub(crate) struct ControlConnection {
    stream: BufStream<Socket>,
    /// Maximum time for a whole reply.
    reply_timeout: Duration,
}

impl ControlConnection {
    pub(crate) fn new(stream: Socket, reply_timeout: Duration) -> Self {
        Self {
            stream: BufStream::new(stream),
            reply_timeout,
        }
    }

    /// Sends a command and waits for its reply. `argument` must not contain line ends.
    pub(crate) async fn command(
        &mut self,
        verb: &str,
        argument: &[u8],
    ) -> Result<ControlReply, TransportError> {
        let time = self.reply_timeout;
        let exchange = async {
            self.write(verb, argument)
                .await
                .map_err(|error| lost(&error))?;
            self.read_reply().await
        };
        let reply = timeout(time, exchange).await;
        reply.unwrap_or_else(|_| Err(too_slow(verb, time)))
    }

    /// Waits for a reply. Errors call it `awaited`.
    pub(crate) async fn reply(&mut self, awaited: &str) -> Result<ControlReply, TransportError> {
        let time = self.reply_timeout;
        let reply = timeout(time, self.read_reply()).await;
        reply.unwrap_or_else(|_| Err(too_slow(awaited, time)))
    }

    pub(crate) async fn quit(mut self) {
        let time = self.reply_timeout;
        // The result does not matter, because the file was read.
        let _ = timeout(time, self.write("QUIT", b"")).await;
    }

    async fn write(&mut self, verb: &str, argument: &[u8]) -> io::Result<()> {
        let mut line = verb.as_bytes().to_vec();
        if !argument.is_empty() {
            line.push(b' ');
            line.extend_from_slice(argument);
        }
        line.extend_from_slice(b"\r\n");
        self.stream.write_all(&line).await?;
        self.stream.flush().await
    }

    /// Reads a reply: a line `123 text`, or lines from `123-text` to `123 text`.
    async fn read_reply(&mut self) -> Result<ControlReply, TransportError> {
        let first = self.read_line().await?;
        let code = code(&first).ok_or_else(|| {
            let start: String = String::from_utf8_lossy(&first).chars().take(80).collect();
            garbage(format!("`{}` is not an FTP reply", start.escape_debug()))
        })?;
        if first.get(3) == Some(&b'-') {
            self.skip_to_last_line_of(&first).await?;
        }
        Ok(ControlReply {
            code,
            line: String::from_utf8_lossy(&first).into_owned(),
        })
    }

    /// "the last line will begin with the same code, followed immediately by Space".
    async fn skip_to_last_line_of(&mut self, first: &[u8]) -> Result<(), TransportError> {
        for _ in 1..LINES_MAX {
            let line = self.read_line().await?;
            if line.get(..3) == first.get(..3) && matches!(line.get(3), None | Some(b' ')) {
                return Ok(());
            }
        }
        Err(garbage(format!("a reply has more than {LINES_MAX} lines")))
    }

    async fn read_line(&mut self) -> Result<Vec<u8>, TransportError> {
        let mut line = Vec::new();
        loop {
            let buffer = self.stream.fill_buf().await.map_err(|error| lost(&error))?;
            if buffer.is_empty() {
                return Err(lost(&io::ErrorKind::UnexpectedEof.into()));
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let bytes = buffer.iter().take(end.unwrap_or(buffer.len()));
            line.extend(bytes);
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.stream.consume(used);
            if end.is_some() && line.ends_with(b"\r") {
                line.pop();
            }
            // The last byte may be the CR of the line end.
            if line.len() > LINE_BYTES_MAX + usize::from(end.is_none()) {
                let detail = format!("a line of a reply has more than {LINE_BYTES_MAX} bytes");
                return Err(garbage(detail));
            }
            if end.is_some() {
                return Ok(line);
            }
        }
    }
}

/// Parses the code of a reply's first line: three digits, then nothing, a blank or a minus.
fn code(line: &[u8]) -> Option<u16> {
    let (digits, rest) = line.split_first_chunk::<3>()?;
    let is_code = matches!(digits, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'])
        && matches!(rest.first(), None | Some(b' ' | b'-'));
    is_code.then(|| {
        digits
            .iter()
            .fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'))
    })
}

fn garbage(detail: String) -> TransportError {
    TransportError::new(TransportFailure::Protocol, detail)
}

fn lost(error: &io::Error) -> TransportError {
    let detail = format!("the FTP control connection: {error}");
    TransportError::from_io(TransportFailure::Reset, error, detail)
}

fn too_slow(awaited: &str, limit: Duration) -> TransportError {
    TransportError::timeout(format!("no FTP reply to {awaited}"), limit)
}
