//! A small HTTP server on loopback, for clients that need sockets.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Returns status, headers as lines, and body for a path.
pub type Answer = fn(path: &str) -> (u16, String, &'static str);

/// A server, and its received requests: first line, headers and body.
pub struct Site {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, answer, Arc::clone(&seen)));
            }
        });
        Self { address, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the requests, without those for robots.txt.
    pub fn page_requests(&self) -> Vec<String> {
        self.requests(|it| !is_for_robots(it))
    }

    /// Returns the requests for robots.txt.
    pub fn robots_txt_requests(&self) -> Vec<String> {
        self.requests(is_for_robots)
    }

    fn requests(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let wanted = requests.iter().filter(|it| wanted(it));
        wanted.cloned().collect()
    }
}

fn is_for_robots(request: &str) -> bool {
    request.starts_with("GET /robots.txt ")
}

async fn serve(mut stream: TcpStream, answer: Answer, seen: Arc<Mutex<Vec<String>>>) {
    let mut request = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.unwrap_or_default();
        if read == 0 {
            return;
        }
        request.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some(head_end) = text.find("\r\n\r\n") else {
            continue;
        };
        let length = text.split("content-length: ").nth(1);
        let length = length
            .and_then(|it| it.lines().next())
            .map_or(0, |it| it.parse().unwrap());
        if request.len() >= head_end + 4 + length {
            break;
        }
    }
    let text = String::from_utf8(request).unwrap();
    let path = text.split(' ').nth(1).unwrap().to_owned();
    seen.lock().unwrap().push(text);
    let (status, headers, body) = answer(&path);
    let length = body.len();
    let response = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    );
    // A client that has disconnected needs no response.
    let _ = stream.write_all(response.as_bytes()).await;
}
