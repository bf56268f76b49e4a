//! Servers on loopback, each in its own thread.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tokio::net::TcpSocket;

/// A server that calls a function for each connection.
pub(crate) struct Loopback {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Loopback {
    /// Passes each connection to `serve`, one at a time, with its number from 0.
    pub(crate) fn serving(serve: impl Fn(TcpStream, usize) + Send + 'static) -> Self {
        Self::serving_at("127.0.0.1", serve)
    }

    /// Does the same at another loopback address.
    fn serving_at(address: &str, serve: impl Fn(TcpStream, usize) + Send + 'static) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                serve(stream, counted.fetch_add(1, Ordering::SeqCst));
            }
        });
        Self {
            address,
            connections,
        }
    }

    /// Answers one request per connection with `bytes`, and closes.
    pub(crate) fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        Self::answering_at("127.0.0.1", bytes)
    }

    /// Does the same at another loopback address.
    pub(crate) fn answering_at(address: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::serving_at(address, move |mut stream, _| {
            read_head(&mut stream);
            write_and_close(stream, &bytes);
        })
    }

    /// Answers one request per connection with `bytes`, then is silent until the client closes.
    pub(crate) fn answering_and_hanging(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::serving(move |mut stream, _| {
            read_head(&mut stream);
            let _ = stream.write_all(&bytes);
            hang(stream);
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/robots.txt", self.address)
    }

    /// Returns the number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// A closed port. While this exists, no other process can listen on it.
pub(crate) fn deaf_port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

/// Reads up to the empty line that ends a head.
pub(crate) fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.extend_from_slice(&byte);
    }
    String::from_utf8(head).unwrap()
}

/// Writes, then closes without a reset by reading what the client still sends.
pub(crate) fn write_and_close(mut stream: TcpStream, bytes: &[u8]) {
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    hang(stream);
}

pub(crate) fn hang(mut stream: TcpStream) {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).is_ok_and(|read| read > 0) {}
}

/// Returns a response with this status line and body, including its length.
pub(crate) fn response(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}
