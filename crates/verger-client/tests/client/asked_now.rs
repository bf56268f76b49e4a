//! `fetch` and `close`: an attempt begins after the call, and leases are released.

use std::sync::Arc;
use std::time::Duration;

use verger_access::Authority;
use verger_client::Clock;
use verger_store::{Acquisition, History, MemoryStore, Store};

use crate::web::{SetClock, Web, client, crawler};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";

#[tokio::test]
async fn a_fetch_joins_no_earlier_fetch() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    web.say_text(ROBOTS, "");
    let client = client(&web, &clock).build().unwrap();
    let authority = Authority::from_url(PAGE).unwrap();
    let fetch = || {
        let (client, authority) = (client.clone(), authority.clone());
        tokio::spawn(async move { client.fetch(&authority).await.unwrap() })
    };
    let first = fetch();
    while web.request_count() < 1 {
        tokio::task::yield_now().await;
    }
    let later = [fetch(), fetch(), fetch()];
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(web.request_count(), 1);
    web.open_gate();
    let first = first.await.unwrap().snapshot;
    // The later callers share a fetch of their own.
    for report in later {
        let report = report.await.unwrap();
        assert!(report.snapshot > first);
    }
    assert_eq!(web.request_count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_fetch_returns_no_earlier_fetch_of_another_process() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, "");
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(1 << 20));
    let authority = Authority::from_url(PAGE).unwrap();
    // The other process has a fresh snapshot and holds the lease for another minute.
    let other = client(&web, &clock)
        .store(Arc::clone(&store))
        .build()
        .unwrap();
    let put = other.fetch(&authority).await.unwrap();
    let minute = Duration::from_secs(60);
    let lease = store.acquire(&authority, "other", clock.now(), minute);
    let Acquisition::Granted(lease) = lease.unwrap() else {
        panic!("it is not held");
    };
    let client = client(&web, &clock)
        .store(Arc::clone(&store))
        .build()
        .unwrap();
    let asked = tokio::spawn({
        let authority = authority.clone();
        async move { client.fetch(&authority).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(!asked.is_finished());
    store.release(&lease).unwrap();
    let report = asked.await.unwrap();
    assert!(report.fetched.is_some() && report.snapshot > put.snapshot);
    assert_eq!(web.request_count(), 2);
}

#[tokio::test]
async fn a_closed_client_releases_its_leases() {
    let (web, clock) = (Web::shut(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(1 << 20));
    let client = client(&web, &clock)
        .store(Arc::<MemoryStore>::clone(&store))
        .build()
        .unwrap();
    let urls: Vec<String> = (0..20)
        .map(|number| format!("https://h{number}.example/"))
        .collect();
    let asked = tokio::spawn({
        let (client, urls) = (client.clone(), urls.clone());
        async move { client.decide_many(&crawler("FooBot"), &urls).await }
    });
    while web.request_count() < urls.len() {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.stat().unwrap().leases, 20);
    client.close().await;
    assert_eq!(store.stat().unwrap().leases, 0);
    for decision in asked.await.unwrap() {
        let error = decision.unwrap_err();
        assert!(
            matches!(error, verger_client::ClientError::Closed),
            "{error}"
        );
    }
    let error = client.decide(&crawler("FooBot"), PAGE).await.unwrap_err();
    assert!(
        matches!(error, verger_client::ClientError::Closed),
        "{error}"
    );
}
