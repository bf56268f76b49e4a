//! Connections to one address, whatever names lead there.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::mpsc;

use verger_access::{Authority, TransportFailure};
use verger_client::{Client, FetchLimits, NetworkTransport, Transport as _, TransportSettings};

use crate::loopback::{Loopback, hang, read_head, response};
use crate::scene::{Names, SHORT, assert_failure, far_off, reply, request, settings};

/// One connection at once, to two names of one address.
fn one_at_once() -> TransportSettings {
    let loopback: &[&[&str]] = &[&["127.0.0.1"]];
    TransportSettings {
        connections_per_address_max: 1,
        resolver: Names::new(&[("a.example", loopback), ("b.example", loopback)]),
        ..settings()
    }
}

#[tokio::test]
async fn an_idle_connection_gives_way_to_another_name() {
    // It serves one connection after the other, and leaves the closing to the client.
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
async fn a_connection_in_use_is_waited_for_within_the_connect_timeout() {
    let (tells, told) = mpsc::channel();
    let server = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        tells.send(()).unwrap();
        hang(stream);
    });
    let port = server.address.port();
    let settings = TransportSettings {
        connect_timeout: SHORT,
        ..one_at_once()
    };
    let transport = Arc::new(NetworkTransport::new(settings).unwrap());
    let first = tokio::spawn({
        let (transport, asked) = (
            Arc::clone(&transport),
            request(&format!("http://a.example:{port}/robots.txt")),
        );
        async move { transport.send(&asked, far_off()).await }
    });
    tokio::task::spawn_blocking(move || told.recv())
        .await
        .unwrap()
        .unwrap();
    let asked = request(&format!("http://b.example:{port}/robots.txt"));
    let second = transport.send(&asked, far_off()).await;
    assert_failure(
        second,
        TransportFailure::Timeout,
        "other connections to 127.0.0.1",
    );
    assert_eq!(server.connections(), 1);
    first.abort();
}

#[tokio::test]
async fn who_waits_for_an_address_keeps_no_other_site_waiting() {
    let (tells, told) = mpsc::channel();
    let silent = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        tells.send(()).unwrap();
        hang(stream);
    });
    let other = Loopback::answering_at("127.0.0.2", response("404 Not Found", "", b""));
    let port = silent.address.port();
    let names = Names::new(&[
        ("a.example", &[&["127.0.0.1"]]),
        ("b.example", &[&["127.0.0.1"]]),
    ]);
    let settings = TransportSettings {
        resolver: names.clone(),
        // An address of its own for the site that is to be answered.
        connections_per_address_max: 1,
        ..settings()
    };
    let limits = FetchLimits {
        fetches_max: 2,
        ..FetchLimits::default()
    };
    let transport = Arc::new(NetworkTransport::new(settings).unwrap());
    let client = Client::over(transport).limits(limits).build();
    let fetch = |url: String| {
        let (client, authority) = (client.clone(), Authority::of(&url).unwrap());
        tokio::spawn(async move { client.fetch(&authority).await })
    };
    let first = fetch(format!("http://a.example:{port}/"));
    tokio::task::spawn_blocking(move || told.recv().unwrap())
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
