//! Reuse of idle connections.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use verger_access::TransportFailure;
use verger_client::{NetworkTransport, Transport as _, TransportSettings};

use crate::loopback::{Loopback, hang, read_head, response};
use crate::scene::{assert_failure, far_off, reply, request, settings};

fn answer(stream: &mut TcpStream) {
    stream.write_all(&response("200 OK", "", b"a")).unwrap();
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server = Loopback::serving(|mut stream, _| {
        while !read_head(&mut stream).is_empty() {
            answer(&mut stream);
        }
    });
    let transport = NetworkTransport::new(settings()).unwrap();
    for _ in 0..3 {
        let arrival = transport.send(&request(&server.url()), far_off()).await;
        assert_eq!(arrival.peer, Some(server.address.ip()));
        assert_eq!(reply(arrival).body, b"a");
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn no_connection_is_kept_where_none_is_to_be() {
    let server = Loopback::serving(|mut stream, _| {
        read_head(&mut stream);
        answer(&mut stream);
        hang(stream);
    });
    let usual = TransportSettings::new("FooBot").idle_connections_per_host;
    assert_eq!(usual, 0);
    let mut settings = settings();
    settings.idle_connections_per_host = usual;
    let transport = NetworkTransport::new(settings).unwrap();
    for _ in 0..2 {
        reply(transport.send(&request(&server.url()), far_off()).await);
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_request_is_sent_again_where_an_idle_connection_was_closed() {
    // The first connection answers once and is closed, before or after the next request, or is
    // reset.
    for reads_next in [false, true] {
        let server = Loopback::serving(move |mut stream, number| {
            read_head(&mut stream);
            answer(&mut stream);
            if number > 0 {
                hang(stream);
            } else if reads_next {
                read_head(&mut stream);
            }
        });
        let transport = NetworkTransport::new(settings()).unwrap();
        for _ in 0..2 {
            assert_eq!(
                reply(transport.send(&request(&server.url()), far_off()).await).body,
                b"a"
            );
        }
        assert_eq!(server.connections(), 2);
    }
}

#[tokio::test]
async fn a_request_is_sent_at_most_twice() {
    let heads = Arc::new(AtomicUsize::new(0));
    let read = Arc::clone(&heads);
    let server = Loopback::serving(move |mut stream, number| {
        read_head(&mut stream);
        read.fetch_add(1, Ordering::SeqCst);
        if number == 0 {
            answer(&mut stream);
            read_head(&mut stream);
            read.fetch_add(1, Ordering::SeqCst);
        }
    });
    let transport = NetworkTransport::new(settings()).unwrap();
    assert_eq!(
        reply(transport.send(&request(&server.url()), far_off()).await).body,
        b"a"
    );
    let arrival = transport.send(&request(&server.url()), far_off()).await;
    assert_failure(arrival, TransportFailure::Reset, "");
    assert_eq!(heads.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_request_on_a_new_connection_is_sent_once() {
    let server = Loopback::serving(|mut stream, _| {
        read_head(&mut stream);
    });
    let transport = NetworkTransport::new(settings()).unwrap();
    let arrival = transport.send(&request(&server.url()), far_off()).await;
    assert_failure(arrival, TransportFailure::Reset, "");
    assert_eq!(server.connections(), 1);
}
