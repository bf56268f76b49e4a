//! Connections to one address, whatever names lead there.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::mpsc;

use verger_access::TransportFailure;
use verger_client::{NetworkTransport, Transport as _, TransportSettings};

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
