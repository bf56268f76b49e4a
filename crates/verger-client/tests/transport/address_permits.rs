//! Limits on connections to one address, whatever names resolve to it.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use verger_access::{Authority, Timestamp};
use verger_client::{
    Client, ClientError, FetchLimits, NetworkTransport, Received, Transport as _, TransportSettings,
};
use verger_store::{MemoryStore, Store as _};

use crate::loopback::{Loopback, hang, read_head, response};
use crate::scene::{Names, SHORT, far_off, reply, request, settings};

/// Permits one connection at once, for two names of one address.
fn one_at_once() -> TransportSettings {
    let loopback: &[&[&str]] = &[&["127.0.0.1"]];
    let mut settings = settings();
    settings.connections_per_address_max = 1;
    settings.resolver = Names::new(&[("a.example", loopback), ("b.example", loopback)]);
    settings
}

#[tokio::test]
async fn an_idle_connection_gives_way_to_another_name() {
    // It serves one connection at a time and lets the client close.
    let server = Loopback::serving(|mut stream, _| {
        while !read_head(&mut stream).is_empty() {
            let _ = stream.write_all(&response("200 OK", "", b"a"));
        }
    });
    let transport = NetworkTransport::new(one_at_once()).unwrap();
    let port = server.address.port();
    for (name, connections) in [("a", 1), ("a", 1), ("b", 2), ("a", 3), ("a", 3)] {
        let asked = request(&format!("http://{name}.example:{port}/robots.txt"));
        let arrival = transport.send(&asked, far_off()).await;
        assert_eq!(reply(arrival).body, b"a");
        assert_eq!(server.connections(), connections, "{name}");
    }
}

#[tokio::test]
async fn a_wait_for_a_connection_in_use_ends_with_the_connect_timeout() {
    let (sender, receiver) = mpsc::channel();
    let server = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        sender.send(()).unwrap();
        hang(stream);
    });
    let port = server.address.port();
    let mut settings = one_at_once();
    settings.connect_timeout = SHORT;
    let transport = Arc::new(NetworkTransport::new(settings).unwrap());
    let first = tokio::spawn({
        let (transport, asked) = (
            Arc::clone(&transport),
            request(&format!("http://a.example:{port}/robots.txt")),
        );
        async move { transport.send(&asked, far_off()).await }
    });
    tokio::task::spawn_blocking(move || receiver.recv())
        .await
        .unwrap()
        .unwrap();
    let asked = request(&format!("http://b.example:{port}/robots.txt"));
    let second = transport.send(&asked, far_off()).await;
    let Received::NotSent { detail } = second.received else {
        panic!("{second:?}");
    };
    assert!(
        detail.contains("no turn among the connections to 127.0.0.1"),
        "{detail}"
    );
    assert_eq!(server.connections(), 1);
    first.abort();
}

/// Fetches from a site whose address has no permit left: an error, and nothing is stored.
async fn fetched_without_permit(connect_timeout: Duration, deadline: Duration) {
    let (sender, receiver) = mpsc::channel();
    let server = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        sender.send(()).unwrap();
        hang(stream);
    });
    let port = server.address.port();
    let mut settings = one_at_once();
    settings.connect_timeout = connect_timeout;
    let transport = Arc::new(NetworkTransport::new(settings).unwrap());
    let first = tokio::spawn({
        let asked = request(&format!("http://a.example:{port}/robots.txt"));
        let transport = Arc::clone(&transport);
        async move { transport.send(&asked, far_off()).await }
    });
    tokio::task::spawn_blocking(move || receiver.recv().unwrap())
        .await
        .unwrap();
    let mut limits = FetchLimits::default();
    limits.deadline = deadline;
    let store = Arc::new(MemoryStore::new(1 << 20));
    let client = Client::over(transport).limits(limits);
    let client = client
        .store(Arc::<MemoryStore>::clone(&store))
        .build()
        .unwrap();
    let authority = Authority::from_url(&format!("http://b.example:{port}/")).unwrap();
    let fetched = client.fetch(&authority).await;
    let is_out_of_time = matches!(fetched, Err(ClientError::OutOfTime(_)));
    assert!(is_out_of_time, "{fetched:?}");
    let ever = Timestamp::from_unix_seconds(u64::MAX);
    assert!(store.state_at(&authority, ever).unwrap().is_none());
    assert_eq!(server.connections(), 1);
    first.abort();
}

#[tokio::test]
async fn a_wait_for_an_address_permit_that_takes_the_time_is_no_fact_about_the_site() {
    // The deadline of the fetch passes first, or the connect timeout.
    fetched_without_permit(60 * SHORT, SHORT).await;
    fetched_without_permit(SHORT, 3 * SHORT).await;
}

#[tokio::test]
async fn a_wait_for_an_address_permit_delays_no_other_site() {
    let (sender, receiver) = mpsc::channel();
    let silent = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        sender.send(()).unwrap();
        hang(stream);
    });
    let other = Loopback::answering_at("127.0.0.2", response("404 Not Found", "", b""));
    let port = silent.address.port();
    let names = Names::new(&[
        ("a.example", &[&["127.0.0.1"]]),
        ("b.example", &[&["127.0.0.1"]]),
    ]);
    let mut settings = settings();
    settings.resolver = names.clone();
    // The third site has its own address.
    settings.connections_per_address_max = 1;
    let mut limits = FetchLimits::default();
    limits.fetches_max = 2;
    let transport = Arc::new(NetworkTransport::new(settings).unwrap());
    let client = Client::over(transport).limits(limits).build().unwrap();
    let fetch = |url: String| {
        let (client, authority) = (client.clone(), Authority::from_url(&url).unwrap());
        tokio::spawn(async move { client.fetch(&authority).await })
    };
    let first = fetch(format!("http://a.example:{port}/"));
    tokio::task::spawn_blocking(move || receiver.recv().unwrap())
        .await
        .unwrap();
    let second = fetch(format!("http://b.example:{port}/"));
    while names.asked() < 2 {
        tokio::task::yield_now().await;
    }
    let third = fetch(other.url()).await.unwrap().unwrap();
    assert_eq!(
        third.answer.access_result().unwrap().outcome().code(),
        "error http 404"
    );
    assert!(!first.is_finished() && !second.is_finished());
    first.abort();
    second.abort();
}
