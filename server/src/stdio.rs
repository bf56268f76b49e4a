//! `Lines`: messages of the Model Context Protocol as lines, over standard input and output.
//!
//! The transport of rmcp ignores a line that is not JSON, so its client would wait for ever. This one answers it.

use std::io;
use std::sync::Arc;

use futures_util::StreamExt as _;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Mutex, mpsc};
use tokio_util::codec::{FramedRead, LinesCodec};

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
            let lines = LinesCodec::new_with_max_length(line_bytes_max);
            let mut lines = FramedRead::new(input, lines);
            loop {
                let message = match lines.next().await {
                    Some(Ok(line)) if line.trim().is_empty() => continue,
                    Some(Ok(line)) => message(line.trim().as_bytes()),
                    Some(Err(error)) => {
                        let why = format!("cannot read the line: {error} (--body-max)");
                        // After an error the stream ends once, and continues with the next line.
                        lines.next().await;
                        Err(ErrorData::parse_error(why, None))
                    }
                    None => return Ok(()),
                };
                match message {
                    Ok(message) => {
                        // The receiver is gone when the service has ended.
                        if sender.send(message).await.is_err() {
                            return io::Result::Ok(());
                        }
                    }
                    Err(error) => {
                        write(&answering, &ServerJsonRpcMessage::error(error, None)).await?;
                    }
                }
            }
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
