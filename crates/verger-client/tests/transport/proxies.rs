//! Requests that go through a proxy.

use std::io::Write as _;
use std::sync::mpsc::{self, Receiver};

use url::Url;
use verger_access::TransportFailure;
use verger_client::TransportSettings;

use crate::loopback::{Loopback, deaf_port, hang, read_head, response, write_and_close};
use crate::scene::{Names, SHORT, assert_failure, fetch, reply};
use crate::secure::{Closing, Signer, answer_securely};

/// Settings that go through `proxy`, under a guard that admits nothing but public addresses, with
/// a resolver that knows nothing.
fn through(proxy: &str) -> TransportSettings {
    TransportSettings {
        resolver: Names::new(&[]),
        proxy: Some(Url::parse(proxy).unwrap()),
        ..TransportSettings::new("TestBot/1.0")
    }
}

/// A proxy that answers with `octets`, and tells which heads it read.
fn telling(octets: Vec<u8>) -> (Loopback, Receiver<String>) {
    let (tells, told) = mpsc::channel();
    let proxy = Loopback::serving(move |mut stream, _| {
        tells.send(read_head(&mut stream)).unwrap();
        write_and_close(stream, &octets);
    });
    (proxy, told)
}

#[tokio::test]
async fn a_proxy_is_told_the_whole_url_and_its_own_password() {
    let (proxy, told) = telling(response("200 OK", "", b"a"));
    let settings = through(&format!("http://us%65r:p%3Ass@{}", proxy.address));
    let arrival = fetch(settings, "http://h.example:8080/robots.txt").await;
    // Whom the request went to, the proxy alone knows.
    assert_eq!(arrival.peer, None);
    assert_eq!(reply(arrival).body, b"a");
    let head = told.recv().unwrap().to_ascii_lowercase();
    assert!(
        head.starts_with("get http://h.example:8080/robots.txt http/1.1\r\n"),
        "{head}"
    );
    assert!(head.contains("\r\nhost: h.example:8080\r\n"), "{head}");
    // "user:p:ss".
    assert!(
        head.contains("\r\nproxy-authorization: basic dxnlcjpwonnz\r\n"),
        "{head}"
    );
}

#[tokio::test]
async fn a_secure_request_goes_through_a_tunnel_that_sees_nothing_of_it() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example"], &[]);
    let (tells, told) = mpsc::channel();
    let proxy = Loopback::serving(move |mut stream, _| {
        tells.send(read_head(&mut stream)).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 Connected\r\nVia: x\r\n\r\n")
            .unwrap();
        let answer = response("200 OK", "", b"a");
        answer_securely(&config, stream, &answer, Closing::Announced);
    });
    let settings = TransportSettings {
        root_certificates: vec![signer.der()],
        ..through(&format!("http://user:pass@{}", proxy.address))
    };
    let arrival = fetch(settings, "https://h.example/robots.txt").await;
    assert_eq!(arrival.peer, None);
    assert_eq!(reply(arrival).body, b"a");
    assert_eq!(
        told.recv().unwrap(),
        "CONNECT h.example:443 HTTP/1.1\r\nHost: h.example:443\r\n\
         Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\n"
    );
}

#[tokio::test]
async fn a_proxy_that_opens_no_tunnel_is_a_failure_to_connect() {
    let endless = format!("HTTP/1.1 200 OK\r\nA: {}", "b".repeat(20_000));
    for (octets, words) in [
        ("HTTP/1.1 403 Forbidden\r\n\r\n", "403 Forbidden"),
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "407"),
        ("nonsense\r\n\r\n", "nonsense"),
        ("HTTP/1.1 200 OK\r\n", "the proxy"),
        ("", "the proxy"),
        (&endless, "too long"),
    ] {
        let (proxy, _told) = telling(octets.as_bytes().to_vec());
        let settings = through(&format!("http://{}", proxy.address));
        let arrival = fetch(settings, "https://h.example/robots.txt").await;
        assert_failure(arrival, TransportFailure::Connect, words);
    }
}

#[tokio::test]
async fn a_proxy_that_is_silent_runs_into_the_timeouts() {
    let proxy = Loopback::serving(|stream, _| hang(stream));
    for (url, words) in [
        ("https://h.example/", "tunnel"),
        ("http://h.example/", "head"),
    ] {
        let settings = TransportSettings {
            connect_timeout: SHORT,
            head_timeout: SHORT,
            ..through(&format!("http://{}", proxy.address))
        };
        assert_failure(fetch(settings, url).await, TransportFailure::Timeout, words);
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_a_failure_to_connect() {
    let (_socket, address) = deaf_port();
    let settings = through(&format!("http://{address}"));
    let arrival = fetch(settings, "http://h.example/robots.txt").await;
    assert_failure(arrival, TransportFailure::Connect, "the proxy");
}

#[tokio::test]
async fn a_literal_address_is_refused_before_the_proxy_hears_of_it() {
    let (proxy, _told) = telling(response("200 OK", "", b"a"));
    for host in [
        "127.0.0.1",
        "2130706433",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
    ] {
        for scheme in ["http", "https"] {
            let settings = through(&format!("http://{}", proxy.address));
            let arrival = fetch(settings, &format!("{scheme}://{host}/robots.txt")).await;
            assert_failure(arrival, TransportFailure::AddressRefused, "RFC");
        }
    }
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_name_is_judged_as_far_as_it_resolves_here() {
    let (proxy, _told) = telling(response("200 OK", "", b"a"));
    let names = Names::new(&[
        ("inside.example", &[&["10.0.0.1"]]),
        ("mixed.example", &[&["9.9.9.9", "127.0.0.1"]]),
        ("public.example", &[&["9.9.9.9"]]),
    ]);
    let settings = || TransportSettings {
        resolver: names.clone(),
        ..through(&format!("http://{}", proxy.address))
    };
    for host in ["inside.example", "mixed.example"] {
        for scheme in ["http", "https"] {
            let arrival = fetch(settings(), &format!("{scheme}://{host}/robots.txt")).await;
            assert_failure(arrival, TransportFailure::AddressRefused, "RFC");
        }
    }
    assert_eq!(proxy.connections(), 0);
    for host in ["public.example", "unknown.example", "silent.example"] {
        let arrival = fetch(settings(), &format!("http://{host}/robots.txt")).await;
        assert_eq!(reply(arrival).body, b"a", "{host}");
    }
}

#[tokio::test]
async fn ftp_goes_neither_through_the_proxy_nor_around_it() {
    let (proxy, _told) = telling(response("200 OK", "", b"a"));
    let settings = through(&format!("http://{}", proxy.address));
    let url = format!("ftp://{}/robots.txt", proxy.address);
    assert_failure(
        fetch(settings, &url).await,
        TransportFailure::Connect,
        "FTP",
    );
    assert_eq!(proxy.connections(), 0);
}
