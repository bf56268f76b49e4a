//! Tests the example that the guide "Write a crawler" shows, and compiles the guide's other lines of Rust.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fs, thread};

use verger_client::Client;

use super::{LEAST_DELAY, USER_AGENT, delay, fetch};

/// Pages and a robots.txt on loopback.
struct Site {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for mut connection in listener.incoming().map_while(Result::ok) {
                let path = path_of_request(&mut connection);
                let (head, body) = match path.as_str() {
                    "/robots.txt" => (
                        "200 OK",
                        "User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n",
                    ),
                    "/moved" => ("302 Found\r\nLocation: /private/page", ""),
                    "/endless" => ("302 Found\r\nLocation: /endless", ""),
                    _ => ("200 OK", "a page"),
                };
                seen.lock().unwrap().push(path);
                let length = body.len();
                let _ = write!(
                    connection,
                    "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            }
        });
        Self { port, requests }
    }

    fn url(&self, path: &str) -> url::Url {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        url.parse().unwrap()
    }
}

fn path_of_request(connection: &mut impl Read) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && connection.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    head.split(' ').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn the_program_decides_before_every_request() {
    let site = Site::start();
    let robots = Client::builder(USER_AGENT)
        .allow_address("127.0.0.0/8".parse().unwrap())
        .build_blocking()
        .unwrap();
    let crawler = "ExampleBot".parse().unwrap();
    let fetch = |path| fetch(&robots, &crawler, site.url(path)).unwrap();
    let private = site.url("/private/page");
    assert_eq!(fetch("/a"), format!("{}: 200 OK, 6 bytes", site.url("/a")));
    let refused = format!("{private}: not fetched, disallowed by line 2");
    assert_eq!(fetch("/private/page"), refused);
    assert_eq!(fetch("/moved"), refused);
    let endless = format!("{}: not fetched, too many redirects", site.url("/endless"));
    assert_eq!(fetch("/endless"), endless);
    let mut expected = vec!["/robots.txt", "/a", "/moved"];
    expected.extend(["/endless"; 6]);
    assert_eq!(*site.requests.lock().unwrap(), expected);

    let delay = |url: &str| delay(&robots, &crawler, url).unwrap();
    assert_eq!(delay(private.as_str()), Duration::from_secs(2));
    assert_eq!(delay("http://127.0.0.1:1/"), LEAST_DELAY);
}

/// The shorter samples of the guide and of README.md. They are compiled but not run, because they send requests.
#[allow(dead_code)]
async fn samples(body: &str) -> Result<(), Box<dyn std::error::Error>> {
    use verger::{Dialect, Policy};

    let allowed = verger::allowed(body, "ExampleBot", "https://example.com/private/x")?;
    assert!(!allowed);

    let policy = Policy::read(body, &"ExampleBot".parse()?, Dialect::Rfc9309);
    let verdict = policy.decide_url("https://example.com/a?b=c")?;
    println!("{verdict}"); // "disallowed by line 2"

    let client = Client::builder(USER_AGENT).build()?;
    let crawler = "ExampleBot".parse()?;
    let decision = client.decide(&crawler, "https://example.org/a?b=c").await?;
    println!("{decision}, valid until {}", decision.fresh_until());

    let robots = Client::builder(USER_AGENT)
        .allow_address("127.0.0.0/8".parse()?)
        .build_blocking()?;
    drop(robots);

    let store = verger_client::SqliteStore::open("robots.db".as_ref())?;
    let client = Client::builder(USER_AGENT)
        .store(std::sync::Arc::new(store))
        .build()?;
    drop(client);
    Ok(())
}

#[test]
fn every_line_of_rust_in_the_guide_is_compiled() {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let sources = [
        include_str!("main.rs"),
        include_str!("tests.rs"),
        include_str!("../decide.rs"),
    ];
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let gated = repository.join("crates/verger-tower/examples/gated.rs");
    let gated = fs::read_to_string(gated).unwrap();
    let compiled: HashSet<_> = sources
        .into_iter()
        .chain([gated.as_str()])
        .flat_map(str::lines)
        .map(words)
        .collect();
    for page in ["docs/guide/crawler.md", "README.md"] {
        let text = fs::read_to_string(repository.join(page)).unwrap();
        let blocks = text.split("```rust\n").skip(1);
        let lines: Vec<_> = blocks
            .flat_map(|block| block.split("```").next().unwrap().lines())
            .collect();
        assert!(!lines.is_empty());
        for line in lines {
            assert!(compiled.contains(&words(line)), "{page}: {line}");
        }
    }
}
