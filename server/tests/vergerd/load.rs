//! Over sockets: shared fetches, limits, bounded memory, and a shutdown that finishes accepted requests.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use vergerd::{Given, Server};

use crate::api::local;
use crate::site::Site;

const ROBOTS: &str = "User-agent: *\nDisallow: /private\n";

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    async fn with(given: Given) -> Self {
        let listen = Some(vec!["127.0.0.1:0".parse().unwrap()]);
        let server = Server::new(Given { listen, ..given }.settings()).unwrap();
        let listeners = server.listeners().await.unwrap();
        let address = listeners[0].local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.serve(listeners, async {
            let _ = stopped.await;
        }));
        Self {
            address,
            stop,
            serving,
        }
    }

    fn get(&self, path: &str) -> impl Future<Output = String> + Send + use<> {
        get(self.address, path.to_owned())
    }

    async fn metric(&self, sample: &str) -> u64 {
        metric(self.address, sample).await
    }
}

/// Returns the response with its head.
async fn get(address: SocketAddr, path: String) -> String {
    response(request(address, &path).await).await
}

pub(crate) async fn request(address: SocketAddr, path: &str) -> TcpStream {
    let request = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    sent(address, &request).await
}

async fn sent(address: SocketAddr, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads the response with its head.
pub(crate) async fn response(mut stream: TcpStream) -> String {
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

/// Returns the value of a sample in the metrics.
pub(crate) async fn metric(address: SocketAddr, sample: &str) -> u64 {
    let text = get(address, "/metrics".to_owned()).await;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {sample} in {text}"))
        .trim()
        .parse()
        .unwrap()
}

fn check(url: &str) -> String {
    format!("/v1/check?url={url}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_clients_of_a_site_that_is_not_known_make_one_fetch() {
    let (site, server) = (Site::with(ROBOTS).await, Running::with(local()).await);
    site.set_open(false);
    let mut asked = JoinSet::new();
    for number in 0..400 {
        asked.spawn(server.get(&check(&site.url(&format!("/private/{number}")))));
    }
    // All other requests wait for the fetch in flight.
    site.has_requests(1).await;
    while server.metric("vergerd_waiting").await < 400 {
        tokio::task::yield_now().await;
    }
    site.set_open(true);
    while let Some(response) = asked.join_next().await {
        let response = response.unwrap();
        assert!(
            response.starts_with("HTTP/1.1 200") && response.contains("\"line\":2"),
            "{response}"
        );
    }
    assert_eq!(site.requests(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_too_much_is_refused_and_what_is_known_is_still_answered() {
    let (known, slow) = (Site::with(ROBOTS).await, Site::with(ROBOTS).await);
    let given = Given {
        requests_max: NonZeroU32::new(16),
        waiting_max: NonZeroU32::new(8),
        memory_max: Some(16 << 20),
        ..local()
    };
    let server = Running::with(given).await;
    let of_known = check(&known.url("/private"));
    assert!(server.get(&of_known).await.contains("\"line\":2"));
    slow.set_open(false);
    let mut waiting = JoinSet::new();
    for number in 0..8 {
        waiting.spawn(server.get(&check(&slow.url(&format!("/{number}")))));
    }
    while server.metric("vergerd_waiting").await < 8 {
        tokio::task::yield_now().await;
    }
    for number in 0..100 {
        let response = server.get(&check(&slow.url(&format!("/{number}")))).await;
        assert!(response.starts_with("HTTP/1.1 503"), "{response}");
        assert!(response.contains("\r\nretry-after: 1\r\n") && response.contains("\"waiting\""));
        assert!(server.get(&of_known).await.contains("\"line\":2"));
    }
    assert_eq!(
        server.metric("vergerd_shed_total{limit=\"waiting\"}").await,
        100
    );
    assert_eq!(
        server.metric("vergerd_held_bytes{what=\"bodies\"}").await,
        0
    );
    slow.set_open(true);
    while let Some(response) = waiting.join_next().await {
        assert!(response.unwrap().starts_with("HTTP/1.1 200"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_leaves_places_to_requests_about_one_site() {
    let json = |url: String| format!("{{\"url\":\"{url}\"}}");
    for (media_type, [before, between, after], question, answer) in [
        (
            "application/json",
            ["[", ",", "]"],
            json as fn(String) -> String,
            "\"line\":2",
        ),
        ("application/x-ndjson", ["", "\n", "\n"], json, "\"line\":2"),
        ("text/plain", ["", "\n", "\n"], |url| url, "disallow"),
    ] {
        let site = Site::with(ROBOTS).await;
        let given = Given {
            waiting_max: NonZeroU32::new(8),
            ..local()
        };
        let server = Running::with(given).await;
        site.set_open(false);
        let port = site.address.port();
        let asked = |host| question(format!("http://127.0.0.{host}:{port}/private"));
        let asked: Vec<_> = (2..22).map(asked).collect();
        let body = format!("{before}{}{after}", asked.join(between));
        let batch = format!(
            "POST /v1/check HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: {media_type}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let batch = sent(server.address, &batch).await;
        // Two fifths of `waiting-max`.
        site.has_requests(4).await;
        let one = tokio::spawn(server.get(&check(&site.url("/private"))));
        site.has_requests(5).await;
        assert_eq!(server.metric("vergerd_waiting").await, 5, "{media_type}");
        site.set_open(true);
        assert!(one.await.unwrap().contains("\"line\":2"));
        let answers = response(batch).await;
        assert_eq!(answers.matches(answer).count(), 20, "{answers}");
        assert_eq!(site.requests(), 21, "{media_type}");
    }
}

/// Sends a batch in plain text from this address.
async fn batch(server: &Running, from: [u8; 4], urls: &[String]) -> TcpStream {
    let body = urls.join("\n");
    let request = format!(
        "POST /v1/check HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: text/plain\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    sent_from(server, from, &request).await
}

async fn sent_from(server: &Running, from: [u8; 4], request: &str) -> TcpStream {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from((from, 0))).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Returns URLs of sites that accept connections and say nothing.
fn silent(site: &Site, network: u8, count: u8) -> Vec<String> {
    let port = site.address.port();
    let url = |host| format!("http://127.{network}.0.{host}:{port}/private");
    (1..=count).map(url).collect()
}

/// Waits until a client gets no more permits, while it has more questions.
async fn fills_its_share(server: &Running, silent: &Site) {
    let (mut before, mut same) = (0, 0);
    while same < 20 {
        let now = silent.requests();
        same = if now == before && now > 0 {
            same + 1
        } else {
            0
        };
        before = now;
        server.metric("vergerd_waiting").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_leave_places_to_another_one() {
    let given = Given {
        fetches_max: NonZeroU32::new(16),
        ..local()
    };
    let same = [[127, 0, 0, 1]; 4];
    let different = [
        [127, 0, 0, 2],
        [127, 0, 0, 3],
        [127, 0, 0, 4],
        [127, 0, 0, 5],
    ];
    for clients in [same, different] {
        let server = Running::with(given.clone()).await;
        let mut waiting = Vec::new();
        let silent_site = Site::with(ROBOTS).await;
        silent_site.set_open(false);
        for (number, from) in (1..).zip(&clients[..3]) {
            let urls = silent(&silent_site, number, 100);
            waiting.push(batch(&server, *from, &urls).await);
            silent_site.has_requests(number.into()).await;
            fills_its_share(&server, &silent_site).await;
        }
        // A site that nobody has asked about, for one question and for a batch.
        let new = Site::with(ROBOTS).await;
        let path = check(&new.url("/private"));
        let one = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        let one = response(sent_from(&server, clients[3], &one).await).await;
        assert!(one.contains("\"line\":2"), "{one}");
        let other = new.url("/private").replace("127.0.0.1", "127.9.9.9");
        let many = response(batch(&server, clients[3], &[other]).await).await;
        assert!(many.contains("disallow"), "{many}");
        assert_eq!(new.requests(), 2);
        silent_site.set_open(true);
        for stream in waiting {
            let answers = response(stream).await;
            assert_eq!(answers.matches("disallow").count(), 100);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_with_many_requests_or_closed_ones_leaves_places_to_another() {
    let server = Running::with(Given {
        fetches_max: NonZeroU32::new(16),
        waiting_max: NonZeroU32::new(64),
        ..local()
    })
    .await;
    let silent_site = Site::with(ROBOTS).await;
    silent_site.set_open(false);
    let mut waiting = Vec::new();
    for url in silent(&silent_site, 1, 200) {
        let path = check(&url);
        let one = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
        waiting.push(sent_from(&server, [127, 0, 0, 2], &one).await);
    }
    fills_its_share(&server, &silent_site).await;
    assert_eq!(silent_site.requests(), 12);
    // The fetches of closed requests go on, and count.
    drop(waiting);
    let urls = silent(&silent_site, 2, 100);
    let again = batch(&server, [127, 0, 0, 2], &urls).await;
    fills_its_share(&server, &silent_site).await;
    let new = Site::with(ROBOTS).await;
    let path = check(&new.url("/private"));
    let one = format!("GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    let one = response(sent_from(&server, [127, 0, 0, 3], &one).await).await;
    assert!(one.contains("\"line\":2"), "{one}");
    assert_eq!(silent_site.requests(), 12);
    drop(again);
    silent_site.set_open(true);
}

#[tokio::test]
async fn a_request_of_http_1_1_needs_one_host() {
    let server = Running::with(local()).await;
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\n", "200"),
        ("GET /healthz HTTP/1.0\r\n", "200"),
    ] {
        let request = format!("{head}Connection: close\r\n\r\n");
        let answer = response(sent(server.address, &request).await).await;
        let found = answer.split(' ').nth(1);
        assert_eq!(found, Some(status), "{head} {answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invented_crawlers_and_hosts_stay_within_the_memory_for_them() {
    let site = Site::with(&format!("{ROBOTS}#{}\n", "x".repeat(2000))).await;
    let memory_max = 2 << 20;
    let server = Running::with(Given {
        memory_max: Some(memory_max),
        ..local()
    })
    .await;
    let honest = check(&site.url("/private"));
    let port = site.address.port();
    for round in 0..30_u32 {
        let mut asked = JoinSet::new();
        for number in 0..40 {
            let [_, a, b, c] = (round * 40 + number + 300).to_be_bytes();
            asked.spawn(server.get(&check(&format!("http://127.{a}.{b}.{c}:{port}/private"))));
            let letters = [round / 26, round % 26, number / 26, number % 26];
            let name: String = letters
                .iter()
                .map(|it| char::from_digit(it + 10, 36).unwrap())
                .collect();
            let agent = format!("{honest}&agent=bot-{name}");
            asked.spawn(server.get(&agent));
            asked.spawn(server.get(&honest));
        }
        while let Some(response) = asked.join_next().await {
            assert!(response.unwrap().contains("HTTP/1.1 "));
        }
        let mut held = 0;
        for what in ["answers", "policies", "store"] {
            held += server
                .metric(&format!("vergerd_held_bytes{{what=\"{what}\"}}"))
                .await;
        }
        assert!(held <= memory_max, "{held}");
    }
    let metrics = server.get("/metrics").await;
    assert!(
        metrics.len() < 64 << 10,
        "{} bytes of metrics",
        metrics.len()
    );
    // The file in constant use stayed in memory.
    let before = server
        .metric("vergerd_answers_total{from=\"waited\"}")
        .await;
    for _ in 0..20 {
        assert!(server.get(&honest).await.contains("\"line\":2"));
    }
    let after = server
        .metric("vergerd_answers_total{from=\"waited\"}")
        .await;
    assert!(after - before <= 1, "{before} {after}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_finishes_what_was_accepted_and_accepts_no_more() {
    let (site, server) = (Site::with(ROBOTS).await, Running::with(local()).await);
    site.set_open(false);
    let waiting = tokio::spawn(server.get(&check(&site.url("/private"))));
    site.has_requests(1).await;
    let Running {
        address,
        stop,
        serving,
    } = server;
    stop.send(()).unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!serving.is_finished());
    site.set_open(true);
    assert!(waiting.await.unwrap().contains("\"line\":2"));
    serving.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_end_waits_only_for_so_long() {
    let given = Given {
        stop_timeout: Some(0),
        ..local()
    };
    let (site, server) = (Site::with(ROBOTS).await, Running::with(given).await);
    site.set_open(false);
    let waiting = tokio::spawn(server.get(&check(&site.url("/private"))));
    site.has_requests(1).await;
    server.stop.send(()).unwrap();
    server.serving.await.unwrap();
    assert!(waiting.await.unwrap().starts_with("HTTP/1.1 503"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_that_is_not_known_in_time_is_a_503() {
    let given = Given {
        timeout: Some(1),
        ..local()
    };
    let (site, server) = (Site::with(ROBOTS).await, Running::with(given).await);
    site.set_open(false);
    let response = server.get(&check(&site.url("/private"))).await;
    assert!(
        response.starts_with("HTTP/1.1 503") && response.contains("out-of-time"),
        "{response}"
    );
    // The fetch continues, and a later request gets the answer.
    site.set_open(true);
    while !server
        .get(&check(&site.url("/private")))
        .await
        .contains("\"line\":2")
    {}
    assert_eq!(site.requests(), 1);
}

/// Lines are answered before later lines are sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn json_lines_go_both_ways_at_once() {
    let (site, server) = (Site::with(ROBOTS).await, Running::with(local()).await);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /v1/check HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-ndjson\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut received = String::new();
    for number in 1..=3 {
        let line = format!(
            "{{\"url\":\"{}\"}}\n",
            site.url(&format!("/private/{number}"))
        );
        let chunk = format!("{:x}\r\n{line}\r\n", line.len());
        stream.write_all(chunk.as_bytes()).await.unwrap();
        let url = format!("/private/{number}\"");
        while !received.contains(&url) {
            let mut bytes = [0; 4096];
            let read = tokio::time::timeout(Duration::from_secs(120), stream.read(&mut bytes));
            let read = read.await.unwrap().unwrap();
            assert!(read > 0, "{received}");
            received.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
        }
    }
    stream.write_all(b"0\r\n\r\n").await.unwrap();
}
