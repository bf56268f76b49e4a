//! `Lines`: messages of the Model Context Protocol as lines, over standard input and output.
//!
//! The transport of rmcp ignores a line that is not JSON, so its client would wait forever. This one answers it.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::{Mutex, mpsc};

use crate::mcp::message;

/// Maximum number of messages that are read and not yet being answered.
const MESSAGES_MAX: usize = 16;

pub(crate) struct Lines<W> {
    messages: mpsc::Receiver<ClientJsonRpcMessage>,
    output: Arc<Mutex<W>>,
}

impl<W: AsyncWrite + Unpin + Send + 'static> Lines<W> {
    /// Reads lines of at most `line_bytes_max` bytes. Any other line is answered with an error.
    pub(crate) fn new<R>(input: R, output: W, line_bytes_max: usize) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
    {
        let (sender, messages) = mpsc::channel(MESSAGES_MAX);
        let output = Arc::new(Mutex::new(output));
        let answering = Arc::clone(&output);
        tokio::spawn(async move {
            let mut input = BufReader::new(input);
            while let Some(line) = next_line(&mut input, line_bytes_max).await? {
                let message = match line.as_deref().map(<[u8]>::trim_ascii) {
                    Some([]) => continue,
                    Some(line) => message(line),
                    None => {
                        let why = format!("line longer than {line_bytes_max} bytes (--body-max)");
                        Err(ErrorData::parse_error(why, None))
                    }
                };
                match message {
                    Ok(message) => {
                        // The receiver is gone when the service has ended.
                        if sender.send(message).await.is_err() {
                            break;
                        }
                    }
                    Err(error) => {
                        write(&answering, &ServerJsonRpcMessage::error(error, None)).await?;
                    }
                }
            }
            io::Result::Ok(())
        });
        Self { messages, output }
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write(&output, &message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        self.output.lock().await.flush().await
    }
}

/// Reads a line, without its end. Returns `None` at the end of the input, and `Some(None)` for a line that is longer than
/// `max` bytes.
async fn next_line(
    input: &mut (impl AsyncBufRead + Unpin),
    max: usize,
) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Some(Vec::new());
    let mut is_empty = true;
    loop {
        let available = input.fill_buf().await?;
        if available.is_empty() {
            return Ok((!is_empty).then_some(line));
        }
        is_empty = false;
        let end = memchr::memchr(b'\n', available);
        let part = &available[..end.unwrap_or(available.len())];
        line = line.filter(|line| line.len() + part.len() <= max);
        if let Some(line) = &mut line {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<W>,
    message: &ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}
