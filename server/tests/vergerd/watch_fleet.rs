//! Watched sites and several processes: three with one database, and one after another with one file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use verger_client::{Clock as _, SystemClock};
use verger_store::{KeptStore, SqliteStore, Store};
use verger_testkit::postgres_server::PostgresServer;

use crate::fleet::Node;
use crate::inbox::{Inbox, within};
use crate::load::{request, response};
use crate::past_fetch::fetched_before;
use crate::site::Site;

/// Sites on one server, which all serve the same file.
struct Sites {
    server: Site,
    urls: Vec<String>,
}

impl Sites {
    async fn new(count: usize) -> Self {
        let server = Site::with(&rules(0)).await;
        let url = |number| {
            server
                .url("/")
                .replace("127.0.0.1", &format!("127.0.1.{number}"))
        };
        let urls = (1..=count).map(url).collect();
        Self { server, urls }
    }

    /// Writes a list of all of them.
    fn list(&self, folder: &Path, inbox: &Inbox) -> String {
        let mut text = format!(
            "own_addresses = ['127.0.0.0/8']\n[[receiver]]\nname = 'test'\nwebhook = '{}'\n",
            inbox.url()
        );
        for url in &self.urls {
            writeln!(text, "[[site]]\nurl = '{url}'").unwrap();
        }
        let path = folder.join("sites.toml");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Changes the file of all sites, and ends their intervals: the last fetch in the store is two
    /// hours old.
    fn change(&self, store: &dyn Store, round: usize) {
        self.server.reply("/robots.txt", "200 OK", &rules(round));
        for url in &self.urls {
            fetched_before(store, url, &rules(round - 1));
        }
    }
}

fn rules(round: usize) -> String {
    format!("User-agent: *\nDisallow: /r{round}-\n")
}

/// The events that were delivered. No site returns to an earlier state.
#[derive(Default)]
struct Letters {
    /// By site, before and after: the ids, and the number of letters.
    all: BTreeMap<(String, usize, usize), (BTreeSet<String>, usize)>,
    /// By site, the states of which the receiver knows.
    told: BTreeMap<String, BTreeSet<usize>>,
}

impl Letters {
    /// Takes a letter, which goes on from a state of which the receiver knows.
    fn take(&mut self, letter: &Value) {
        let text = letter["text"].as_str().unwrap();
        let state = |word: &str| -> usize {
            let found = text.lines().find_map(|line| line.split_once(word));
            let (_, path) = found
                .unwrap_or_else(|| panic!("{text}"))
                .1
                .rsplit_once("/r")
                .unwrap();
            path.trim_end_matches('-').parse().unwrap()
        };
        let (before, after) = (state(": newly allowed: "), state(": newly disallowed: "));
        let site = letter["site"].as_str().unwrap().to_owned();
        let told = self.told.entry(site.clone()).or_insert_with(|| [0].into());
        assert!(told.contains(&before), "an event before {letter} is lost");
        told.insert(after);
        let (ids, count) = self.all.entry((site, before, after)).or_default();
        ids.insert(letter["id"].as_str().unwrap().to_owned());
        *count += 1;
    }

    /// Returns the number of sites whose state `round` is known.
    fn sites_at(&self, round: usize) -> usize {
        self.told.values().filter(|it| it.contains(&round)).count()
    }

    async fn wait_for(&mut self, inbox: &mut Inbox, sites: &Sites, round: usize) {
        while self.sites_at(round) < sites.urls.len() {
            self.take(&inbox.next().await);
        }
    }
}

/// Waits until a node has looked at all sites since a time.
async fn has_looked(node: &Node, sites: &Sites, since: &str) {
    let is_seen = |it: &Value| it["state"]["at"].as_str().is_some_and(|at| at >= since);
    let looking = async {
        loop {
            let answer = lines(node, "/v1/sites").await;
            if answer.iter().filter(|it| is_seen(it)).count() == sites.urls.len() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within("a node has looked", looking).await;
}

/// Waits until a node shows the last event of each site.
async fn has_events(node: &Node, sites: &Sites, round: usize) {
    let showing = async {
        loop {
            let mut logged = Letters::default();
            for line in &lines(node, "/v1/events").await {
                logged.take(line);
            }
            if logged.sites_at(round) == sites.urls.len() {
                // An event is in the log once.
                assert!(logged.all.values().all(|(_, count)| *count == 1));
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    within("a node shows the events", showing).await;
}

/// Returns the lines of an answer.
async fn lines(node: &Node, path: &str) -> Vec<Value> {
    let answer = response(request(node.address, path).await).await;
    let lines = answer.lines();
    lines
        .filter_map(|it| serde_json::from_str(it).ok())
        .collect()
}

/// Waits for the next second, and returns it as text.
async fn next_second() -> String {
    let now = SystemClock.now();
    while SystemClock.now() == now {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    SystemClock.now().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_fetch_a_site_once_an_interval_and_deliver_an_event_once() {
    let Some(database) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let url = database.new_database("watch") + "?verger_deadline_ms=60000";
    KeptStore::init_database(&url).unwrap();
    let store = KeptStore::open_database(&url).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut inbox = Inbox::open().await;
    let sites = Sites::new(40).await;
    let count = sites.urls.len();
    let list = sites.list(folder.path(), &inbox);
    let mut letters = Letters::default();
    let since = next_second().await;
    let mut nodes: Vec<Node> = (0..3)
        .map(|_| Node::with(&url, &["--sites", &list]))
        .collect();
    for node in &nodes {
        has_looked(node, &sites, &since).await;
    }
    assert_eq!(sites.server.requests(), count);
    for round in 1..=3 {
        sites.change(&*store, round);
        let since = next_second().await;
        for node in &nodes {
            node.signal("-HUP");
        }
        letters.wait_for(&mut inbox, &sites, round).await;
        for node in &nodes {
            has_looked(node, &sites, &since).await;
        }
        assert_eq!(sites.server.requests(), count * (round + 1));
    }
    for node in &nodes {
        has_events(node, &sites, 3).await;
    }

    // A node is killed while it fetches.
    let fetched = sites.server.requests();
    sites.server.set_open(false);
    sites.change(&*store, 4);
    let since = next_second().await;
    for node in &nodes {
        node.signal("-HUP");
    }
    sites.server.has_requests(fetched + 1).await;
    nodes[0].kill();
    let unanswered = sites.server.requests() - fetched;
    sites.server.set_open(true);
    nodes.remove(0);
    letters.wait_for(&mut inbox, &sites, 4).await;
    for node in &nodes {
        has_looked(node, &sites, &since).await;
    }
    let fetched = sites.server.requests() - fetched;
    assert!(
        (count..=count + unanswered).contains(&fetched),
        "{fetched} {unanswered}"
    );
    while let Some(letter) = inbox.arrived() {
        letters.take(&letter);
    }
    for (event, (ids, count)) in &letters.all {
        assert_eq!(ids.len(), 1, "{event:?}");
        assert!(*count == 1 || event.2 == 4, "{event:?} came {count} times");
    }
}

/// Number of kills.
fn kills() -> usize {
    let given = std::env::var("VERGER_TEST_KILLS");
    given.map_or(20, |given| given.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_watch_loses_no_event_and_delivers_none_under_a_new_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = path.to_str().unwrap();
    let mut inbox = Inbox::open().await;
    let sites = Sites::new(4).await;
    let list = sites.list(folder.path(), &inbox);
    let mut letters = Letters::default();
    let since = next_second().await;
    let node = Node::with(store, &["--sites", &list]);
    has_looked(&node, &sites, &since).await;
    drop(node);
    let (mut round, mut random) = (0, 1_u64);
    for kill in 0..kills() {
        // Several kills meet the same change. The log keeps the last 50.
        if kill % kills().div_ceil(40).max(3) == 0 {
            round += 1;
            sites.change(&SqliteStore::open(&path).unwrap(), round);
        }
        let mut node = Node::with(store, &["--sites", &list]);
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Some moments are very early, and some are after a delivery, as the first one is.
        if kill == 0 {
            letters.take(&inbox.next().await);
        }
        for _ in 0..(random >> 32) % (1 << ((random >> 16) % 18)) {
            tokio::task::yield_now().await;
        }
        node.kill();
        while let Some(letter) = inbox.arrived() {
            letters.take(&letter);
        }
    }
    let node = Node::with(store, &["--sites", &list]);
    letters.wait_for(&mut inbox, &sites, round).await;
    for (event, (ids, _)) in &letters.all {
        assert_eq!(ids.len(), 1, "{event:?} {ids:?}");
    }
    has_events(&node, &sites, round).await;
}
