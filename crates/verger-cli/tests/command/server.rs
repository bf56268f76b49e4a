//! A server on loopback that sends what a test sets, and the stores that runs share.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::verger::{Said, empty_directory, verger};

/// The bytes sent after the head of a request.
type Answer = Box<dyn Fn(&str) -> Vec<u8> + Send>;

/// A server that answers every request with the same reply, or by its head, until a test sets another reply.
pub(crate) struct Server {
    port: u16,
    answer: Arc<Mutex<Answer>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn saying(reply: impl Into<Vec<u8>>) -> Self {
        let reply = reply.into();
        Self::answering(move |_| reply.clone())
    }

    /// Starts a server whose reply depends on the head of the request.
    pub(crate) fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            answer: Arc::new(Mutex::new(Box::new(answer))),
            requests: Arc::default(),
        };
        let (answer, requests) = (Arc::clone(&server.answer), Arc::clone(&server.requests));
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                // Counted though nothing should come over it.
                let mut requests = requests.lock().unwrap();
                let head = head(&connection);
                let reply = (answer.lock().unwrap())(&head);
                requests.push(head);
                let _ = (&connection).write_all(&reply);
            }
        });
        server
    }

    /// Starts a server with only these pages, each a path and a body. In a body, `ORIGIN` is the server, and `-> URL`
    /// is a redirect.
    pub(crate) fn of_pages(pages: &[(&str, &str)]) -> Self {
        let pages = pages
            .iter()
            .map(|(path, body)| ((*path).to_owned(), (*body).to_owned()));
        let pages: BTreeMap<String, String> = pages.collect();
        Self::answering(move |head| {
            let path = head.split(' ').nth(1).unwrap_or_default();
            let Some(body) = pages.get(path) else {
                return reply("404 Not Found", "", "").into();
            };
            let host = head.lines().find_map(|line| line.strip_prefix("host: "));
            let body = body.replace("ORIGIN", &format!("http://{}", host.unwrap()));
            let reply = match body.strip_prefix("-> ") {
                Some(url) => reply("302 Found", &format!("Location: {url}\r\n"), ""),
                None => robots(&body),
            };
            reply.into()
        })
    }

    /// Sets the reply from now on.
    pub(crate) fn say(&self, reply: impl Into<Vec<u8>>) {
        let reply = reply.into();
        *self.answer.lock().unwrap() = Box::new(move |_| reply.clone());
    }

    /// Returns the heads of the requests so far, one for each connection.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Returns a URL on it.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

fn head(mut connection: &TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && connection.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

/// Returns a reply with a body.
pub(crate) fn reply(status: &str, headers: &str, body: &str) -> String {
    let bytes = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {bytes}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// Returns a reply with a robots.txt as it should be served.
pub(crate) fn robots(body: &str) -> String {
    reply("200 OK", "Content-Type: text/plain\r\n", body)
}

/// Returns the file of a store that does not exist yet. Names must differ between tests.
pub(crate) fn new_store(name: &str) -> PathBuf {
    empty_directory(&format!("web-{name}")).join("store.db")
}

/// Runs the command on a store, with loopback allowed.
pub(crate) fn on_web(store: &Path, arguments: &str) -> Said {
    on_store(store, &format!("{arguments} --allow-address 127.0.0.0/8"))
}

/// Like [`on_web`], with a timeout of half a second, doubled while it ended before the fetch began.
pub(crate) fn on_web_in_time(store: &Path, arguments: &str) -> Said {
    let mut said = on_web(store, &format!("{arguments} --timeout 500ms"));
    for seconds in [1, 2, 4, 8, 16, 32, 64] {
        if said.code == 2 && said.stderr.contains("no time left") {
            said = on_web(store, &format!("{arguments} --timeout {seconds}s"));
        }
    }
    said
}

/// Runs the command on a store.
pub(crate) fn on_store(store: &Path, arguments: &str) -> Said {
    let store = store.to_str().unwrap();
    let words = arguments.split_whitespace();
    verger(words.chain(["--store", store]), "")
}
