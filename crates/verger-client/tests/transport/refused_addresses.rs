//! The guard cannot be bypassed.

use std::io::{ErrorKind, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use verger_access::TransportFailure;
use verger_client::{Arrival, NetworkTransport, Received, Transport as _, TransportSettings};

use crate::loopback::{Loopback, hang, read_head, response};
use crate::scene::{Names, assert_failure, far_off, fetch, reply, request, settings};

/// A listener that must see no connection.
struct Forbidden(Vec<TcpListener>);

impl Forbidden {
    /// Listens on loopback, and on IPv6 if the machine has it, on one port.
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let listeners = [Some(listener), TcpListener::bind(("::1", port)).ok()];
        let listeners: Vec<TcpListener> = listeners.into_iter().flatten().collect();
        for listener in &listeners {
            listener.set_nonblocking(true).unwrap();
        }
        Self(listeners)
    }

    fn port(&self) -> u16 {
        self.0[0].local_addr().unwrap().port()
    }

    #[track_caller]
    fn assert_untouched(&self) {
        for listener in &self.0 {
            let seen = listener.accept().map_err(|error| error.kind());
            assert_eq!(seen.err(), Some(ErrorKind::WouldBlock));
        }
    }
}

#[track_caller]
fn assert_refused(arrival: Arrival, words: &str) {
    assert_eq!(arrival.peer, None);
    assert_failure(arrival, TransportFailure::AddressRefused, words);
}

fn guarded(names: Arc<Names>) -> TransportSettings {
    let mut settings = TransportSettings::new("TestBot/1.0");
    settings.resolver = names;
    settings
}

#[tokio::test]
async fn a_literal_is_refused_in_every_spelling() {
    let forbidden = Forbidden::new();
    let port = forbidden.port();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0x7f000001",
        "017700000001",
        "127.1",
        "127.0.0.1.",
        "0.0.0.0",
        "0",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fe80::1]",
        "169.254.169.254",
    ] {
        for scheme in ["http", "https", "ftp"] {
            let url = format!("{scheme}://{host}:{port}/robots.txt");
            let arrival = fetch(guarded(Names::new(&[])), &url).await;
            // URL hosts are normalised only in the special schemes (FTP, HTTP, HTTPS).
            assert_refused(arrival, "RFC");
        }
    }
    forbidden.assert_untouched();
}

#[tokio::test]
async fn a_name_is_refused_by_its_addresses() {
    let forbidden = Forbidden::new();
    let names = Names::new(&[
        ("one.example", &[&["127.0.0.1"]]),
        ("mapped.example", &[&["::ffff:127.0.0.1"]]),
        ("all.example", &[&["127.0.0.1", "::1", "10.0.0.1"]]),
    ]);
    for host in ["one.example", "mapped.example", "all.example"] {
        for scheme in ["http", "https", "ftp"] {
            let url = format!("{scheme}://{host}:{}/robots.txt", forbidden.port());
            assert_refused(fetch(guarded(names.clone()), &url).await, "127.0.0.1");
        }
    }
    forbidden.assert_untouched();
}

#[tokio::test]
async fn localhost_is_refused_as_the_machine_resolves_it() {
    let forbidden = Forbidden::new();
    let url = format!("http://localhost:{}/robots.txt", forbidden.port());
    let arrival = fetch(TransportSettings::new("TestBot/1.0"), &url).await;
    assert_refused(arrival, "loopback");
    forbidden.assert_untouched();
}

#[tokio::test]
async fn of_several_addresses_the_refused_ones_are_never_tried() {
    let server = Loopback::answering(response("200 OK", "", b"a"));
    let names = Names::new(&[("h.example", &[&["::1", "10.0.0.1", "127.0.0.1"]])]);
    let mut settings = settings();
    settings.resolver = names;
    let url = format!("http://h.example:{}/robots.txt", server.address.port());
    let arrival = fetch(settings, &url).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
}

#[tokio::test]
async fn a_name_that_rebinds_to_another_address_has_no_effect() {
    // The first answer is permitted. Later ones are not.
    let server = Loopback::serving(|mut stream, _| {
        read_head(&mut stream);
        let _ = stream.write_all(&response("200 OK", "Connection: close\r\n", b"a"));
        hang(stream);
    });
    let names = Names::new(&[("h.example", &[&["127.0.0.1"], &["127.0.1.1"]])]);
    let guard = verger_client::AddressGuard::default();
    let mut settings = guarded(names.clone());
    settings.guard = guard.allowing("127.0.0.1/32".parse().unwrap());
    let transport = NetworkTransport::new(settings).unwrap();
    let asked = request(&format!(
        "http://h.example:{}/robots.txt",
        server.address.port()
    ));
    assert_eq!(reply(transport.send(&asked, far_off()).await).body, b"a");
    assert_eq!(names.asked(), 1);
    // A new connection resolves once again, and the guard checks it again.
    assert_refused(
        transport.send(&asked, far_off()).await,
        "127.0.1.1 is a loopback",
    );
    assert_eq!(names.asked(), 2);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn an_allowed_network_permits_nothing_else() {
    let forbidden = Forbidden::new();
    let port = forbidden.port();
    for host in [
        "[::ffff:127.0.0.1]",
        "[::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ] {
        let url = format!("http://{host}:{port}/robots.txt");
        assert_refused(fetch(settings(), &url).await, "loopback");
    }
    forbidden.assert_untouched();
}

#[tokio::test]
async fn the_transport_follows_no_redirect() {
    let forbidden = Forbidden::new();
    let field = format!("Location: http://127.0.0.1:{}/\r\n", forbidden.port());
    let server = Loopback::answering(response("302 Found", &field, b""));
    let arrival = fetch(settings(), &server.url()).await;
    assert!(matches!(arrival.received, Received::Http(reply) if reply.status == 302));
    forbidden.assert_untouched();
}
