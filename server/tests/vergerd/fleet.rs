//! Two processes share one database: one fetch serves the clients of both, and one node takes over from the other.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::thread;

use tokio::task::JoinSet;
use verger_store::KeptStore;
use verger_testkit::postgres_server::PostgresServer;

use crate::load::{metric, request, response};
use crate::site::Site;

const ROBOTS: &str = "User-agent: *\nDisallow: /private\n";

/// A process that is killed when the test ends.
pub(crate) struct Node {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Node {
    /// Starts a node that accepts this many clients at once.
    fn start(store: &str, clients: usize) -> Self {
        // A client from one address leaves some places to others.
        let clients = (clients * 2).to_string();
        Self::with(
            store,
            &["--requests-max", &clients, "--waiting-max", &clients],
        )
    }

    /// Starts a node with these arguments.
    pub(crate) fn with(store: &str, arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_vergerd"))
            .args(["--store", store, "--listen", "127.0.0.1:0"])
            .args(["--allow-address", "127.0.0.0/8"])
            .args(arguments)
            // Busy machines are slow.
            .args(["--timeout", "600", "--fetch-timeout", "600"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let listens = lines.find_map(|line| {
            let line: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            line["address"].as_str().map(|it| it.parse().unwrap())
        });
        // Drains the output so that the process never blocks.
        thread::spawn(move || lines.for_each(drop));
        Self {
            process,
            address: listens.unwrap(),
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Number of concurrent clients per node.
fn clients() -> usize {
    let given = std::env::var("VERGER_TEST_CLIENTS");
    given.map_or(200, |given| given.parse().unwrap())
}

/// Sends one request from each client of a node.
async fn ask(node: &Node, site: &Site, clients: usize) -> Vec<tokio::net::TcpStream> {
    let mut asked = JoinSet::new();
    for number in 0..clients {
        let path = format!("/v1/check?url={}", site.url(&format!("/private/{number}")));
        let address = node.address;
        asked.spawn(async move { request(address, &path).await });
    }
    asked.join_all().await
}

async fn assert_answered(asked: Vec<tokio::net::TcpStream>) {
    let answers: JoinSet<String> = asked.into_iter().map(response).collect();
    for answer in answers.join_all().await {
        let is_right = answer.starts_with("HTTP/1.1 200") && answer.contains("\"line\":2");
        assert!(is_right, "{answer}");
    }
}

/// Waits until `/readyz` says whether the store is up.
async fn store_is(node: &Node, is_up: bool) {
    let expected = format!("\"store_up\":{is_up}");
    loop {
        let ready = response(request(node.address, "/readyz").await).await;
        assert!(ready.starts_with("HTTP/1.1 200"), "{ready}");
        if ready.contains(&expected) {
            break;
        }
        tokio::task::yield_now().await;
    }
    let metric = metric(node.address, "vergerd_store_up").await;
    assert_eq!(metric, u64::from(is_up));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_starts_without_its_database_and_shows_when_it_is_back() {
    let Some(mut database) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let store = database.new_database("late");
    let missing = database.url("missing");
    KeptStore::init_database(&store).unwrap();
    let site = Site::with(ROBOTS).await;
    let is_kept = async |node: &Node, host: &str| {
        let url = site.url("/private").replace("127.0.0.1", host);
        let path = format!("/v1/check?url={url}");
        let answer = response(request(node.address, &path).await).await;
        assert!(answer.contains("\"line\":2"), "{answer}");
        !answer.contains("the database does not respond")
    };
    let errors = async |node: &Node| metric(node.address, "vergerd_store_errors_total").await;

    // A silent database.
    database.signal("STOP");
    let node = Node::start(&store, 10);
    store_is(&node, false).await;
    assert!(!is_kept(&node, "127.0.0.2").await);
    store_is(&node, false).await;
    database.signal("CONT");
    store_is(&node, true).await;
    assert!(is_kept(&node, "127.0.0.3").await);

    // A killed database.
    let before = errors(&node).await;
    database.signal("KILL");
    assert!(!is_kept(&node, "127.0.0.4").await);
    assert!(errors(&node).await > before);
    store_is(&node, false).await;
    let late = Node::start(&store, 10);
    assert!(!is_kept(&late, "127.0.0.5").await);
    store_is(&late, false).await;
    database.kill_and_start();
    for node in [&node, &late] {
        store_is(node, true).await;
    }

    // A mistake in the configuration ends the start.
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergerd"));
    let output = command.args(["--store", &missing]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("\"missing\" does not exist"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_node_fetches_for_the_clients_of_both_and_the_other_takes_over() {
    let Some(database) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let store = database.new_database("fleet") + "?verger_deadline_ms=60000";
    KeptStore::init_database(&store).unwrap();
    let clients = clients();
    let [mut first, second] = [0; 2].map(|_| Node::start(&store, clients));

    let site = Site::with(ROBOTS).await;
    site.set_open(false);
    let mut asked = ask(&first, &site, clients).await;
    asked.extend(ask(&second, &site, clients).await);
    site.has_requests(1).await;
    site.set_open(true);
    assert_answered(asked).await;
    assert_eq!(site.requests(), 1);

    // The first node is killed while it holds the lease of another site, and the second node waits for that lease.
    let site = Site::with(ROBOTS).await;
    site.set_open(false);
    let lost = ask(&first, &site, 1).await;
    site.has_requests(1).await;
    let waits = "vergerd_events_total{event=\"lease wait\"}";
    let before = metric(second.address, waits).await;
    let asked = ask(&second, &site, clients.min(20)).await;
    while metric(second.address, waits).await == before {
        tokio::task::yield_now().await;
    }
    assert_eq!(site.requests(), 1);
    first.kill();
    drop(lost);
    site.set_open(true);
    assert_answered(asked).await;
    assert_eq!(site.requests(), 2);
}
