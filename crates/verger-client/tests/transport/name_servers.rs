//! Queries to name servers, on loopback.

use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::Arc;

use verger_access::TransportFailure;
use verger_client::{DnsResolver, ResolveError, ResolveFailure, Resolver as _, TransportSettings};
use verger_testkit::name_server::{Family, NameAnswer, NameServer};

use crate::loopback::{Loopback, response};
use crate::scene::{assert_failure, fetch, reply, settings, short_connect_timeout};

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// A server with names of every kind.
fn usual() -> NameServer {
    let answers = |name: &str, family| {
        let found = match (name, family) {
            ("both.example", _) => &["192.0.2.1", "2001:db8::1", "192.0.2.2"][..],
            ("four.example", _) => &["192.0.2.4"],
            ("six.example", _) => &["2001:db8::6"],
            ("none.example", _) => &[],
            ("alias.example", _) => {
                let found = addresses(&["192.0.2.7", "2001:db8::7"]);
                return NameAnswer::AliasOf("target.example", found);
            }
            ("long.example", _) => return NameAnswer::TooLongForUdp(addresses(&["192.0.2.8"])),
            ("only-six-fails.example", Family::Ipv4) => &["192.0.2.9"],
            ("six-denied.example", Family::Ipv4) => &["192.0.2.10"],
            ("six-silent.example", Family::Ipv4) => &["192.0.2.11"],
            ("only-six-fails.example" | "fails.example", _) => return NameAnswer::Code(2),
            ("refused.example", _) => return NameAnswer::Code(5),
            ("six-silent.example", Family::Ipv6) | ("silent.example", _) => {
                return NameAnswer::Silence;
            }
            _ => return NameAnswer::Code(3),
        };
        NameAnswer::Addresses(addresses(found))
    };
    NameServer::answering(answers).unwrap()
}

/// A server with the same answer for every name.
fn saying(answer: NameAnswer) -> NameServer {
    NameServer::answering(move |_, _| answer.clone()).unwrap()
}

/// A server that never answers.
fn silent() -> (UdpSocket, SocketAddr) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

fn failure(found: Result<Vec<IpAddr>, ResolveError>) -> ResolveFailure {
    found.unwrap_err().failure()
}

#[tokio::test]
async fn an_absolute_name_is_queried_for_both_families() {
    let server = usual();
    let resolver = DnsResolver::asking([server.address()]);
    for (name, expected) in [
        (
            "both.example",
            &["192.0.2.1", "192.0.2.2", "2001:db8::1"][..],
        ),
        ("BOTH.example.", &["192.0.2.1", "192.0.2.2", "2001:db8::1"]),
        ("four.example", &["192.0.2.4"]),
        ("six.example", &["2001:db8::6"]),
        ("none.example", &[]),
        ("alias.example", &["192.0.2.7", "2001:db8::7"]),
        ("long.example", &["192.0.2.8"]),
        ("only-six-fails.example", &["192.0.2.9"]),
        ("six-denied.example", &["192.0.2.10"]),
        ("six-silent.example", &["192.0.2.11"]),
    ] {
        let found = resolver.resolve(name).await;
        assert_eq!(found, Ok(addresses(expected)), "{name}");
    }
    let questions = server.questions();
    let of = |name: &str| {
        let of_name = questions
            .iter()
            .filter(|it| it.name.eq_ignore_ascii_case(name));
        of_name.map(|it| it.family).collect::<Vec<_>>()
    };
    for family in [Family::Ipv4, Family::Ipv6] {
        assert!(of("four.example").contains(&family), "{questions:?}");
        assert!(of("none.example").contains(&family), "{questions:?}");
    }
    assert!(
        questions
            .iter()
            .any(|it| it.name == "long.example" && it.is_over_tcp)
    );
    // No search list is applied.
    assert!(
        questions
            .iter()
            .all(|it| it.name.to_ascii_lowercase().ends_with(".example"))
    );
}

#[tokio::test]
async fn an_address_has_names() {
    let server = NameServer::answering(|name, _| match name {
        "1.2.0.192.in-addr.arpa" => NameAnswer::Names(vec!["A.example".into(), "b.example".into()]),
        "2.2.0.192.in-addr.arpa" => NameAnswer::Code(3),
        "3.2.0.192.in-addr.arpa" => NameAnswer::Code(2),
        "4.2.0.192.in-addr.arpa" => NameAnswer::Names(Vec::new()),
        name if name.ends_with(".8.b.d.0.1.0.0.2.ip6.arpa") => {
            NameAnswer::Names(vec!["six.example".into()])
        }
        name => panic!("{name}"),
    })
    .unwrap();
    let resolver = DnsResolver::asking([server.address()]);
    for (address, expected) in [
        ("192.0.2.1", Ok(&["a.example", "b.example"][..])),
        ("2001:db8::1", Ok(&["six.example"])),
        ("192.0.2.2", Ok(&[])),
        ("192.0.2.3", Err(ResolveFailure::Failed)),
        ("192.0.2.4", Ok(&[])),
    ] {
        let names = resolver.names_of(address.parse().unwrap()).await;
        let names = names.map_err(|error| error.failure());
        let expected = expected.map(|it| it.iter().map(|&it| it.to_owned()).collect::<Vec<_>>());
        assert_eq!(names, expected, "{address}");
    }
    let asked = server.questions();
    assert!(
        asked.iter().all(|it| it.family == Family::Names),
        "{asked:?}"
    );
    let without_servers = DnsResolver::asking([]);
    let failed = without_servers.names_of("192.0.2.1".parse().unwrap()).await;
    assert_eq!(failed.unwrap_err().failure(), ResolveFailure::Failed);
}

#[tokio::test]
async fn a_missing_name_and_a_failed_lookup_are_different_failures() {
    let server = usual();
    let resolver = DnsResolver::asking([server.address()]);
    for (name, expected) in [
        ("unknown.example", ResolveFailure::NoSuchName),
        ("nowhere.invalid", ResolveFailure::NoSuchName),
        ("fails.example", ResolveFailure::Failed),
        ("refused.example", ResolveFailure::Failed),
        ("x..example", ResolveFailure::Failed),
    ] {
        assert_eq!(failure(resolver.resolve(name).await), expected, "{name}");
    }
    let nothing = DnsResolver::asking([]);
    assert_eq!(
        failure(nothing.resolve("a.example").await),
        ResolveFailure::Failed
    );
}

#[tokio::test(start_paused = true)]
async fn silent_name_servers_are_a_failure_of_their_own() {
    let (_socket, silent) = silent();
    let resolver = DnsResolver::asking([silent, silent, silent]);
    let found = resolver.resolve("a.example").await;
    assert_eq!(failure(found), ResolveFailure::TimedOut);
}

#[tokio::test]
async fn after_a_failing_or_silent_name_server_the_next_one_is_queried() {
    let (_socket, silent) = silent();
    for first in [
        Some(saying(NameAnswer::Code(2))),
        Some(saying(NameAnswer::Code(5))),
        None,
    ] {
        let first = first.as_ref().map_or(silent, NameServer::address);
        let second = usual();
        let resolver = DnsResolver::asking([first, second.address()]);
        let found = resolver.resolve("four.example").await;
        assert_eq!(found, Ok(addresses(&["192.0.2.4"])));
    }
}

#[tokio::test]
async fn the_name_server_that_answered_last_is_queried_first() {
    let (first, second) = (saying(NameAnswer::Code(5)), usual());
    let resolver = DnsResolver::asking([first.address(), second.address()]);
    for _ in 0..3 {
        let found = resolver.resolve("four.example").await;
        assert_eq!(found, Ok(addresses(&["192.0.2.4"])));
        let denied = resolver.resolve("unknown.example").await;
        assert_eq!(failure(denied), ResolveFailure::NoSuchName);
    }
    let names: Vec<String> = first.questions().into_iter().map(|it| it.name).collect();
    assert!(names.iter().all(|name| name == "four.example"), "{names:?}");
    // Nothing is cached. Each name is queried again for both families, and once more after a late
    // answer.
    let asked = second.questions().into_iter();
    let asked = asked.filter(|it| it.name == "four.example").count();
    assert!(asked >= 6, "{asked}");
}

#[tokio::test]
async fn names_whose_servers_are_silent_delay_no_others() {
    let server = usual();
    let resolver = Arc::new(DnsResolver::asking([server.address()]));
    let hanging: Vec<_> = (0..300)
        .map(|_| {
            let resolver = Arc::clone(&resolver);
            tokio::spawn(async move { resolver.resolve("silent.example").await })
        })
        .collect();
    while server.questions().is_empty() {
        tokio::task::yield_now().await;
    }
    for _ in 0..10 {
        let found = resolver.resolve("four.example").await;
        assert_eq!(found, Ok(addresses(&["192.0.2.4"])));
    }
    assert!(hanging.iter().all(|it| !it.is_finished()));
    hanging.iter().for_each(tokio::task::JoinHandle::abort);
}

fn asking(server: &NameServer, mut settings: TransportSettings) -> TransportSettings {
    settings.resolver = Arc::new(DnsResolver::asking([server.address()]));
    settings
}

#[tokio::test]
async fn every_address_of_a_name_is_judged_and_failures_are_distinguished() {
    let site = Loopback::answering(response("200 OK", "", b"a"));
    let port = site.address.port();
    let server = NameServer::answering(|name, _| match name {
        "inside.example" => NameAnswer::Addresses(addresses(&["10.1.2.3", "::ffff:10.0.0.1"])),
        "here.example" => NameAnswer::Addresses(addresses(&["10.1.2.3", "127.0.0.1"])),
        "none.example" => NameAnswer::Addresses(Vec::new()),
        "silent.example" => NameAnswer::Silence,
        _ => NameAnswer::Code(3),
    });
    let server = server.unwrap();
    let url = |name: &str| format!("http://{name}.example:{port}/robots.txt");
    let here = fetch(asking(&server, settings()), &url("here")).await;
    assert_eq!(reply(here).body, b"a");
    for (name, expected, words) in [
        ("inside", TransportFailure::AddressRefused, "10.1.2.3"),
        ("none", TransportFailure::Dns, "has no address"),
        ("unknown", TransportFailure::Dns, "there is no such name"),
    ] {
        let arrival = fetch(asking(&server, settings()), &url(name)).await;
        assert_failure(arrival, expected, words);
    }
    let late = fetch(asking(&server, short_connect_timeout()), &url("silent")).await;
    assert_failure(
        late,
        TransportFailure::Timeout,
        "no address of silent.example within 1 s",
    );
    assert_eq!(site.connections(), 1);
}
