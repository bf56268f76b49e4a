//! Requests through a proxy.

use std::io::Write as _;
use std::sync::mpsc::{self, Receiver};

use url::Url;
use verger_access::TransportFailure;
use verger_client::{AddressGuard, Proxies, TransportSettings};

use crate::loopback::{Loopback, deaf_port, hang, read_head, response, write_and_close};
use crate::scene::{Names, SHORT, assert_failure, fetch, reply, settings};
use crate::secure::{Closing, Signer, answer_securely};

/// Settings with `proxy`, a guard that permits only public addresses, and a resolver without names.
fn through(proxy: &str) -> TransportSettings {
    let mut settings = TransportSettings::new("TestBot/1.0");
    settings.resolver = Names::new(&[]);
    settings.proxies = Proxies::all(&Url::parse(proxy).unwrap()).unwrap();
    settings
}

/// A proxy that answers with `bytes` and sends the heads it reads to a channel.
fn recording(bytes: Vec<u8>) -> (Loopback, Receiver<String>) {
    let (sender, receiver) = mpsc::channel();
    let proxy = Loopback::serving(move |mut stream, _| {
        sender.send(read_head(&mut stream)).unwrap();
        write_and_close(stream, &bytes);
    });
    (proxy, receiver)
}

#[tokio::test]
async fn a_proxy_gets_the_whole_url_and_its_password() {
    let (proxy, receiver) = recording(response("200 OK", "", b"a"));
    let settings = through(&format!("http://us%65r:p%3Ass@{}", proxy.address));
    let arrival = fetch(settings, "http://h.example:8080/robots.txt").await;
    // Only the proxy knows the address of the server.
    assert_eq!(arrival.peer, None);
    let kept = arrival.facts.request.clone().unwrap();
    let kept = String::from_utf8(kept.bytes().to_vec()).unwrap();
    assert!(kept.starts_with("GET http://h.example:8080/"), "{kept}");
    assert!(
        kept.contains("\r\nproxy-authorization: [18 bytes removed]\r\n"),
        "{kept}"
    );
    assert_eq!(reply(arrival).body, b"a");
    let head = receiver.recv().unwrap().to_ascii_lowercase();
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
async fn a_secure_request_goes_through_an_encrypted_tunnel() {
    let signer = Signer::named("signer");
    let config = signer.config(&["h.example"], &[]);
    let (sender, receiver) = mpsc::channel();
    let proxy = Loopback::serving(move |mut stream, _| {
        sender.send(read_head(&mut stream)).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 Connected\r\nVia: x\r\n\r\n")
            .unwrap();
        let answer = response("200 OK", "", b"a");
        answer_securely(&config, stream, &answer, Closing::Announced);
    });
    let mut settings = through(&format!("http://user:pass@{}", proxy.address));
    settings.root_certificates = vec![signer.der()];
    let arrival = fetch(settings, "https://h.example/robots.txt").await;
    assert_eq!(arrival.peer, None);
    assert_eq!(reply(arrival).body, b"a");
    assert_eq!(
        receiver.recv().unwrap(),
        "CONNECT h.example:443 HTTP/1.1\r\nHost: h.example:443\r\n\
         Proxy-Authorization: Basic dXNlcjpwYXNz\r\n\r\n"
    );
}

#[tokio::test]
async fn a_proxy_that_opens_no_tunnel_is_a_failure_to_connect() {
    let endless = format!("HTTP/1.1 200 OK\r\nA: {}", "b".repeat(20_000));
    for (bytes, words) in [
        ("HTTP/1.1 403 Forbidden\r\n\r\n", "403 Forbidden"),
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "407"),
        ("nonsense\r\n\r\n", "nonsense"),
        ("HTTP/1.1 200 OK\r\n", "the proxy"),
        ("", "the proxy"),
        (&endless, "too long"),
    ] {
        let (proxy, _told) = recording(bytes.as_bytes().to_vec());
        let settings = through(&format!("http://{}", proxy.address));
        let arrival = fetch(settings, "https://h.example/robots.txt").await;
        assert_failure(arrival, TransportFailure::Connect, words);
    }
}

#[tokio::test]
async fn a_proxy_that_asks_for_a_password_says_nothing_about_the_site() {
    let (proxy, _told) = recording(response("407 Proxy Authentication Required", "", b""));
    let through_it = through(&format!("http://{}", proxy.address));
    let arrival = fetch(through_it, "http://h.example/robots.txt").await;
    assert_failure(arrival, TransportFailure::Connect, "407");
    // Without a proxy, it is a status of the site.
    let (site, _told) = recording(response("407 Proxy Authentication Required", "", b""));
    assert_eq!(reply(fetch(settings(), &site.url()).await).status, 407);
}

#[tokio::test]
async fn a_silent_proxy_reaches_the_timeouts() {
    let proxy = Loopback::serving(|stream, _| hang(stream));
    for (url, words) in [
        ("https://h.example/", "tunnel"),
        ("http://h.example/", "no reply within 1 s"),
    ] {
        let mut settings = through(&format!("http://{}", proxy.address));
        settings.connect_timeout = SHORT;
        settings.head_timeout = SHORT;
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
async fn a_literal_address_is_refused_before_a_connection_to_the_proxy() {
    let (proxy, _told) = recording(response("200 OK", "", b"a"));
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
    let (proxy, _told) = recording(response("200 OK", "", b"a"));
    let names = Names::new(&[
        ("inside.example", &[&["10.0.0.1"]]),
        ("mixed.example", &[&["9.9.9.9", "127.0.0.1"]]),
        ("public.example", &[&["9.9.9.9"]]),
    ]);
    let settings = || {
        let mut settings = through(&format!("http://{}", proxy.address));
        settings.resolver = names.clone();
        settings
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
    let (proxy, _told) = recording(response("200 OK", "", b"a"));
    let settings = through(&format!("http://{}", proxy.address));
    let url = format!("ftp://{}/robots.txt", proxy.address);
    assert_failure(
        fetch(settings, &url).await,
        TransportFailure::Connect,
        "FTP",
    );
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_host_without_a_proxy_is_connected_to_as_if_there_were_none() {
    let (proxy, _told) = recording(response("200 OK", "", b"proxied"));
    let (server, receiver) = recording(response("200 OK", "", b"direct"));
    let port = server.address.port();
    let through = through(&format!("http://user:pass@{}", proxy.address));
    let settings = |list: &str| {
        let mut settings = through.clone();
        settings.guard = AddressGuard::default().allowing("127.0.0.0/8".parse().unwrap());
        settings.proxies = through.proxies.clone().except(list).unwrap();
        settings
    };
    let url = format!("http://{}/robots.txt", server.address);
    let arrival = fetch(settings(&format!("127.0.0.0/8,[::1]:{port}")), &url).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
    assert_eq!(reply(arrival).body, b"direct");
    // The server sees neither the proxy form of the request nor the password.
    let head = receiver.recv().unwrap().to_ascii_lowercase();
    assert!(head.starts_with("get /robots.txt http/1.1\r\n"), "{head}");
    assert!(!head.contains("proxy-authorization"), "{head}");
    assert_eq!(proxy.connections(), 0);
    // The port differs.
    let arrival = fetch(settings("127.0.0.1:1"), &url).await;
    assert_eq!(arrival.peer, None);
    assert_eq!(reply(arrival).body, b"proxied");
}

#[tokio::test]
async fn the_guard_judges_a_host_without_a_proxy() {
    let (server, _told) = recording(response("200 OK", "", b"a"));
    let settings = through("http://192.0.2.1:9");
    let proxies = settings.proxies.clone().except("*").unwrap();
    let mut settings = settings;
    settings.proxies = proxies;
    let arrival = fetch(settings, &format!("http://{}/", server.address)).await;
    assert_failure(arrival, TransportFailure::AddressRefused, "RFC");
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn ftp_to_a_host_without_a_proxy_goes_there() {
    let settings = through("http://192.0.2.1:9");
    let proxies = settings.proxies.clone().except("127.0.0.1").unwrap();
    let mut settings = settings;
    settings.proxies = proxies;
    let arrival = fetch(settings, "ftp://127.0.0.1/robots.txt").await;
    // The guard refuses it, not a proxy.
    assert_failure(arrival, TransportFailure::AddressRefused, "RFC");
}
