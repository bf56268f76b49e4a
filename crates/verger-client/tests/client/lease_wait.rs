//! Several clients that share a store, as several processes do.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use verger_access::{Authority, BodyEnd, Request, Timestamp};
use verger_client::{
    Arrival, BoxFuture, Client, ClientError, Clock, FetchLimits, HttpReply, Received, Transport,
};
use verger_store::{Acquisition, MemoryStore, SqliteStore, Store};

use crate::web::{SetClock, Web, client, crawler};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";
const RULES: &str = "User-agent: *\nDisallow: /private\n";

fn clients(web: &Arc<Web>, clock: &Arc<SetClock>, stores: [Arc<dyn Store>; 2]) -> [Client; 2] {
    stores.map(|store| client(web, clock).store(store).build().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clients_with_one_file_fetch_an_authority_once() {
    let folder = std::env::temp_dir().join(format!("verger-client-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("store.db");
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let open = || -> Arc<dyn Store> { Arc::new(SqliteStore::open(&path).unwrap()) };
    let mut asked = JoinSet::new();
    for client in clients(&web, &clock, [open(), open()]) {
        for _ in 0..20 {
            let client = client.clone();
            asked.spawn(async move { client.decide(&crawler("FooBot"), PAGE).await.unwrap() });
        }
    }
    while web.request_count() == 0 {
        tokio::task::yield_now().await;
    }
    web.open_gate();
    while let Some(decision) = asked.join_next().await {
        assert!(!decision.unwrap().is_allowed());
    }
    assert_eq!(web.requests(), [ROBOTS]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_new_client_fetches_nothing_that_is_stored() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(1 << 20));
    for client in clients(&web, &clock, [Arc::clone(&store), store]) {
        let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
        assert!(!decision.is_allowed());
    }
    assert_eq!(web.request_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_held_for_too_long_is_an_error() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let authority = Authority::from_url(PAGE).unwrap();
    let now = verger_client::Clock::now(&*clock);
    let hour = Duration::from_secs(3600);
    let held = store.acquire(&authority, "crawler 7", now, hour).unwrap();
    assert!(matches!(held, Acquisition::Granted(_)));
    let mut limits = FetchLimits::default();
    limits.lease_wait_max = Duration::from_secs(5);
    let client = client(&web, &clock)
        .store(store)
        .limits(limits)
        .build()
        .unwrap();
    let error = client.decide(&crawler("FooBot"), PAGE).await.unwrap_err();
    assert!(matches!(&error, ClientError::HeldElsewhere { holder, .. } if holder == "crawler 7"));
    // The lease expires by the clock, then the client fetches.
    clock.set(3600);
    let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
    assert!(!decision.is_allowed());
    assert_eq!(web.request_count(), 1);
}

/// Redirects every request to a file that never arrives.
struct Endless;

const SHARED: &str = "https://shared.example/all.txt";

impl Transport for Endless {
    fn send<'a>(&'a self, request: &'a Request, _: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            if request.url.as_str() == SHARED {
                std::future::pending::<()>().await;
            }
            let headers = [(http::header::LOCATION, SHARED.parse().unwrap())];
            Arrival::new(Received::Http(HttpReply {
                status: 301,
                headers: headers.into_iter().collect(),
                body: Vec::new(),
                body_end: BodyEnd::Whole,
            }))
        })
    }
}

/// A clock that follows the time of the runtime.
struct RuntimeClock(tokio::time::Instant);

impl Clock for RuntimeClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_seconds(1_800_000_000 + self.0.elapsed().as_secs())
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_renewed_while_a_fetch_waits_for_a_permit() {
    let store = Arc::new(MemoryStore::new(1 << 20));
    let clock = Arc::new(RuntimeClock(tokio::time::Instant::now()));
    let kept: Arc<dyn Store> = Arc::<MemoryStore>::clone(&store);
    let shared: Arc<dyn Clock> = Arc::<RuntimeClock>::clone(&clock);
    let mut limits = FetchLimits::default();
    limits.deadline = Duration::from_secs(20);
    limits.requests_per_host_max = 1;
    let client = Client::over(Arc::new(Endless))
        .store(kept)
        .clock(shared)
        .limits(limits)
        .build()
        .unwrap();
    let urls = ["a", "b", "c", "d"].map(|name| format!("https://{name}.example/"));
    for url in &urls {
        let (client, url) = (client.clone(), url.clone());
        tokio::spawn(async move { client.decide(&crawler("FooBot"), &url).await });
    }
    // One call waits for the server and three for its permit. An unrenewed lease lasts 15 seconds.
    tokio::time::sleep(Duration::from_secs(18)).await;
    let held = urls.iter().filter(|url| {
        let authority = Authority::from_url(url).unwrap();
        let minute = Duration::from_secs(60);
        let asked = store.acquire(&authority, "another", clock.now(), minute);
        matches!(asked.unwrap(), Acquisition::HeldUntil { .. })
    });
    assert_eq!(held.count(), 4);
}
