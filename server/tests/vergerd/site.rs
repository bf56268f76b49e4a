//! `Site`: a test site whose robots.txt the test sets.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Response by path, or by authority and path, complete except for Content-Length.
type Replies = Arc<Mutex<HashMap<String, (String, String)>>>;

/// A site on loopback. Every address of 127.0.0.0/8 with its port is a separate authority.
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    replies: Replies,
    requests: watch::Sender<usize>,
    gate: watch::Sender<bool>,
}

impl Site {
    pub(crate) async fn with(robots: &str) -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (gate, is_open) = watch::channel(true);
        let site = Self {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            replies: Replies::default(),
            requests: watch::Sender::default(),
            gate,
        };
        site.reply("/robots.txt", "200 OK", robots);
        let (replies, requests) = (Arc::clone(&site.replies), site.requests.clone());
        tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                let (replies, requests) = (Arc::clone(&replies), requests.clone());
                tokio::spawn(serve(stream, replies, requests, is_open.clone()));
            }
        });
        site
    }

    /// Sets the response for a path, or for an authority and a path. `head` is the status, optionally with header lines.
    pub(crate) fn reply(&self, path: &str, head: &str, body: &str) {
        let reply = (head.to_owned(), body.to_owned());
        self.replies.lock().unwrap().insert(path.to_owned(), reply);
    }

    /// Releases or holds back replies.
    pub(crate) fn set_open(&self, is_open: bool) {
        self.gate.send_replace(is_open);
    }

    pub(crate) fn requests(&self) -> usize {
        *self.requests.borrow()
    }

    /// Waits until `count` requests have arrived.
    pub(crate) async fn has_requests(&self, count: usize) {
        let mut requests = self.requests.subscribe();
        let arrived = requests.wait_for(|requests| *requests >= count).await;
        arrived.expect("this site has the sender");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the authority as a path segment.
    pub(crate) fn segment(&self) -> String {
        format!("http%3A%2F%2F{}", self.address)
    }
}

async fn serve(
    mut stream: TcpStream,
    replies: Replies,
    requests: watch::Sender<usize>,
    mut is_open: watch::Receiver<bool>,
) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    requests.send_modify(|requests| *requests += 1);
    let _ = is_open.wait_for(|is_open| *is_open).await;
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default();
    let host = head.lines().find_map(|line| line.strip_prefix("host: "));
    let of_host = format!("{}{path}", host.unwrap_or_default());
    let found = {
        let replies = replies.lock().unwrap();
        replies.get(&of_host).or_else(|| replies.get(path)).cloned()
    };
    let (status, body) = found.unwrap_or(("404 Not Found".to_owned(), String::new()));
    let length = body.len();
    let reply =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
    let _ = stream.write_all(reply.as_bytes()).await;
}
