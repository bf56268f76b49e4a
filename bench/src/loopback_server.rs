//! `LoopbackServer`: a server on loopback, in its own thread, with a constant response.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc as from_thread;
use std::thread;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, crypto};

use crate::clock;

const HEAD_BYTES_MAX: usize = 8192;

pub(crate) enum Speech {
    Http,
    Https(Arc<ServerConfig>),
}

/// A server on loopback, which stops when this is dropped.
pub(crate) struct LoopbackServer {
    pub(crate) port: u16,
    /// Requests for its CPU time, each with a channel for the answer.
    questions: mpsc::UnboundedSender<from_thread::Sender<Duration>>,
}

pub(crate) struct Certificate {
    pub(crate) der: Vec<u8>,
    pub(crate) config: Arc<ServerConfig>,
}

impl Certificate {
    pub(crate) fn of(names: &str) -> Result<Self, String> {
        let made = rcgen::generate_simple_self_signed([names.to_owned()]).map_err(told)?;
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).map_err(told)?;
        let provider = Arc::new(crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(told)?
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .map_err(told)?;
        Ok(Self {
            der: made.cert.der().to_vec(),
            config: Arc::new(config),
        })
    }
}

impl LoopbackServer {
    /// Starts a server that answers every request with this body.
    pub(crate) fn answering(body: &[u8], speech: Speech) -> Result<Self, String> {
        let (started, start) = from_thread::channel();
        let (questions, asked) = mpsc::unbounded_channel();
        let response: Arc<[u8]> = response(body).into();
        thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            let served =
                runtime.map(|runtime| runtime.block_on(serve(&response, &speech, asked, &started)));
            if let Err(error) = served.and_then(|served| served) {
                let _ = started.send(Err(error));
            }
        });
        let started = start.recv().map_err(told)?;
        Ok(Self {
            port: started.map_err(told)?,
            questions,
        })
    }

    /// Returns the CPU time of its thread.
    pub(crate) fn cpu_time(&self) -> Result<Duration, String> {
        let (teller, told_time) = from_thread::channel();
        self.questions.send(teller).map_err(told)?;
        told_time.recv().map_err(told)
    }
}

async fn serve(
    response: &Arc<[u8]>,
    speech: &Speech,
    mut questions: mpsc::UnboundedReceiver<from_thread::Sender<Duration>>,
    started: &from_thread::Sender<io::Result<u16>>,
) -> io::Result<()> {
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listener = TcpListener::bind(any_port).await?;
    let _ = started.send(Ok(listener.local_addr()?.port()));
    loop {
        tokio::select! {
            question = questions.recv() => match question {
                Some(teller) => drop(teller.send(clock::thread_time())),
                None => return Ok(()),
            },
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                match speech {
                    Speech::Http => drop(tokio::spawn(answer(stream, Arc::clone(response)))),
                    Speech::Https(config) => {
                        let secured = secured(stream, Arc::clone(config), Arc::clone(response));
                        drop(tokio::spawn(secured));
                    }
                }
            }
        }
    }
}

async fn secured(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    response: Arc<[u8]>,
) -> io::Result<()> {
    let _ = stream.set_nodelay(true);
    let stream = TlsAcceptor::from(config).accept(stream).await?;
    answer(stream, response).await
}

/// Answers requests until the client closes the connection.
async fn answer(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    response: Arc<[u8]>,
) -> io::Result<()> {
    let mut head = Vec::with_capacity(1024);
    while head.len() < HEAD_BYTES_MAX {
        if stream.read_buf(&mut head).await? == 0 {
            break;
        }
        if head.ends_with(b"\r\n\r\n") {
            stream.write_all(&response).await?;
            stream.flush().await?;
            head.clear();
        }
    }
    stream.shutdown().await
}

fn response(body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{Shutdown, TcpStream};

    use super::{LoopbackServer, Speech};

    #[test]
    fn every_request_of_a_connection_is_answered() {
        let server = LoopbackServer::answering(b"body", Speech::Http).unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let mut answers = String::new();
        for _ in 0..2 {
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            let mut answer = [0; 128];
            let read = stream.read(&mut answer).unwrap();
            answers.push_str(std::str::from_utf8(&answer[..read]).unwrap());
        }
        stream.shutdown(Shutdown::Write).unwrap();
        stream.read_to_string(&mut answers).unwrap();
        assert_eq!(answers.matches("200 OK").count(), 2, "{answers}");
        assert!(answers.ends_with("\r\n\r\nbody"), "{answers}");
        assert!(server.cpu_time().is_ok());
    }
}
