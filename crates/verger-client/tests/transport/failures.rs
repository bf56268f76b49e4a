//! Every way to get no complete reply over HTTP.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::time::timeout;
use verger_access::TransportFailure;

use crate::loopback::{Loopback, deaf_port, hang, read_head};
use crate::scene::{
    Names, SHORT, assert_failure, failure, fetch, reply, settings, short_connect_timeout,
    short_head_timeout, short_silence_timeout,
};

/// Sends a request to a server that answers `bytes` and closes.
async fn assert_answer_is(bytes: impl Into<Vec<u8>>, expected: TransportFailure, words: &str) {
    let bytes = bytes.into();
    let server = Loopback::answering(bytes.clone());
    let arrival = fetch(settings(), &server.url()).await;
    let head = String::from_utf8_lossy(&bytes)
        .chars()
        .take(90)
        .collect::<String>();
    println!("{head:?}");
    assert_eq!(arrival.peer, Some(server.address.ip()));
    assert_failure(arrival, expected, words);
}

#[tokio::test]
async fn a_name_without_addresses_is_a_failure_of_dns() {
    let names = Names::new(&[("empty.example", &[&[]])]);
    for (host, words) in [
        ("unknown.example", "there is no such name"),
        ("empty.example", "no address"),
    ] {
        let mut settings = settings();
        settings.resolver = names.clone();
        let arrival = fetch(settings, &format!("http://{host}/robots.txt")).await;
        assert_eq!(arrival.peer, None);
        assert_failure(arrival, TransportFailure::Dns, words);
    }
}

#[tokio::test]
async fn a_silent_resolver_reaches_the_connect_timeout() {
    let mut settings = short_connect_timeout();
    settings.resolver = Names::new(&[]);
    let arrival = fetch(settings, "http://silent.example/robots.txt").await;
    assert_failure(
        arrival,
        TransportFailure::Timeout,
        "no address of silent.example within 1 s",
    );
}

#[tokio::test]
async fn a_closed_port_is_a_failure_to_connect() {
    let (_socket, address) = deaf_port();
    let url = format!("http://{address}/robots.txt");
    let arrival = fetch(settings(), &url).await;
    assert_failure(arrival, TransportFailure::Connect, "127.0.0.1");
}

#[tokio::test]
async fn a_host_with_a_dead_address_is_reached_at_the_next() {
    let server = Loopback::answering("HTTP/1.1 204 No Content\r\n\r\n");
    let port = server.address.port();
    // The port is closed at the first two addresses. The third is refused.
    let names = Names::new(&[(
        "h.example",
        &[&["127.0.0.9", "127.0.0.8", "10.0.0.1", "127.0.0.1"]],
    )]);
    let mut settings = settings();
    settings.resolver = names;
    let arrival = fetch(settings, &format!("http://h.example:{port}/robots.txt")).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
}

/// A port with a full backlog, so that the system accepts no more connections.
async fn overrun(address: SocketAddr) -> (TcpListener, Vec<TcpStream>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(address).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(stream) = timeout(SHORT, TcpStream::connect(address)).await {
        waiting.push(stream.unwrap());
        assert!(waiting.len() < 100, "the system takes whatever comes");
    }
    (listener, waiting)
}

#[tokio::test]
async fn a_connection_without_an_answer_times_out() {
    let (listener, _waiting) = overrun("127.0.0.1:0".parse().unwrap()).await;
    let address = listener.local_addr().unwrap();
    let arrival = fetch(
        short_connect_timeout(),
        &format!("http://{address}/robots.txt"),
    )
    .await;
    assert_failure(
        arrival,
        TransportFailure::Timeout,
        "no connection to 127.0.0.1",
    );
}

#[tokio::test]
async fn a_silent_address_leaves_time_for_the_next_one() {
    let server = Loopback::answering("HTTP/1.1 204 No Content\r\n\r\n");
    let port = server.address.port();
    let (_listener, _waiting) = overrun(([127, 0, 0, 2], port).into()).await;
    let mut settings = settings();
    settings.resolver = Names::new(&[("h.example", &[&["127.0.0.2", "127.0.0.1"]])]);
    settings.connect_timeout = 2 * SHORT;
    let arrival = fetch(settings, &format!("http://h.example:{port}/robots.txt")).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
}

#[tokio::test]
async fn timeouts_may_be_as_long_as_they_like() {
    let server = Loopback::answering("HTTP/1.1 204 No Content\r\n\r\n");
    let mut settings = settings();
    settings.connect_timeout = Duration::MAX;
    settings.head_timeout = Duration::MAX;
    settings.silence_timeout = Duration::MAX;
    settings.idle_timeout = Duration::MAX;
    let arrival = fetch(settings, &server.url()).await;
    assert_eq!(reply(arrival).status, 204);
}

#[tokio::test]
async fn a_silent_server_reaches_the_head_timeout() {
    for start in ["", "HTTP/1.1 200 OK\r\nA: b\r\n"] {
        let server = Loopback::answering_and_hanging(start);
        let arrival = fetch(short_head_timeout(), &server.url()).await;
        assert_eq!(arrival.peer, Some(server.address.ip()));
        assert_failure(arrival, TransportFailure::Timeout, "no reply within 1 s");
    }
}

#[tokio::test]
async fn a_slow_head_reaches_the_head_timeout() {
    let server = Loopback::serving(|mut stream, _| {
        read_head(&mut stream);
        stream.set_read_timeout(Some(SHORT / 10)).unwrap();
        // The timeout of a read paces the bytes. The read ends when the client closes.
        while stream.write_all(b"H").is_ok() && stream.read(&mut [0]).is_err() {}
    });
    let arrival = fetch(short_head_timeout(), &server.url()).await;
    // "HHHH" is not HTTP. Either that or the timeout ends the request.
    let (failure, _) = failure(arrival);
    assert!(matches!(
        failure,
        TransportFailure::Timeout | TransportFailure::Protocol
    ));
}

#[tokio::test]
async fn a_silence_within_a_body_reaches_its_timeout() {
    for fields in [
        "Content-Length: 9",
        "Transfer-Encoding: chunked",
        "Connection: close",
    ] {
        let server =
            Loopback::answering_and_hanging(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n"));
        let arrival = fetch(short_silence_timeout(), &server.url()).await;
        assert_failure(
            arrival,
            TransportFailure::Timeout,
            "no byte of the body within 1 s",
        );
    }
}

#[tokio::test]
async fn a_connection_that_ends_before_the_head_does_is_lost() {
    assert_answer_is("", TransportFailure::Reset, "").await;
    assert_answer_is("HTTP/1.1 200 OK\r\nA: b", TransportFailure::Reset, "").await;
    assert_answer_is("HTTP/1.1 103 Hints\r\n\r\n", TransportFailure::Reset, "").await;
}

#[tokio::test]
async fn a_reset_is_recognised_in_every_part_of_a_response() {
    for start in [
        "",
        "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na",
    ] {
        // Unread bytes make the system reset the connection instead of closing it.
        let server = Loopback::serving(move |mut stream, _| {
            stream.read_exact(&mut [0]).unwrap();
            stream.write_all(start.as_bytes()).unwrap();
        });
        let arrival = fetch(settings(), &server.url()).await;
        assert_failure(arrival, TransportFailure::Reset, "");
    }
}

#[tokio::test]
async fn a_body_shorter_than_its_length_is_truncated() {
    let truncated = TransportFailure::Truncated;
    assert_answer_is(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na",
        truncated,
        "",
    )
    .await;
    assert_answer_is(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n",
        truncated,
        "",
    )
    .await;
}

#[tokio::test]
async fn chunks_that_end_early_are_truncated_and_malformed_ones_are_not() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for body in [
        "",
        "2",
        "2\r\n",
        "2\r\na",
        "2\r\nab",
        "2\r\nab\r\n",
        "2\r\nab\r\n0\r\n",
    ] {
        let bytes = format!("{head}{body}");
        assert_answer_is(bytes, TransportFailure::Truncated, "").await;
    }
    for body in [
        "x\r\n",
        "-1\r\n",
        "2\r\nabc\r\n0\r\n\r\n",
        "fffffffffffffffff\r\n",
        "\r\n",
    ] {
        let bytes = format!("{head}{body}");
        assert_answer_is(bytes, TransportFailure::Chunking, "").await;
    }
    let extension = "a".repeat(64 * 1024);
    let bytes = format!("{head}1;{extension}\r\na\r\n0\r\n\r\n");
    assert_answer_is(bytes, TransportFailure::Chunking, "").await;
}

#[tokio::test]
async fn a_reply_that_is_not_http_is_a_failure_of_protocol() {
    let protocol = TransportFailure::Protocol;
    assert_answer_is("SSH-2.0-OpenSSH_9.2\r\n\r\n", protocol, "").await;
    assert_answer_is("220 ftp.example ready\r\n", protocol, "").await;
    assert_answer_is("<html>\r\n\r\n</html>", protocol, "").await;
    assert_answer_is("HTTP/2.0 200 OK\r\n\r\n", protocol, "").await;
    assert_answer_is(b"\x15\x03\x01\x00\x02\x02\x46".as_slice(), protocol, "").await;
    let lengths = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
    assert_answer_is(lengths, protocol, "").await;
    assert_answer_is(
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        protocol,
        "",
    )
    .await;
}

#[tokio::test]
async fn a_head_has_limits_in_bytes_and_in_fields() {
    let head = |fields: String| format!("HTTP/1.1 204 No Content\r\n{fields}\r\n");
    let fits = Loopback::answering(head("A: b\r\n".repeat(100)));
    let arrival = fetch(settings(), &fits.url()).await;
    assert_eq!(reply(arrival).headers.get_all("a").iter().count(), 100);
    // A line has four bytes in addition to the name and the value.
    let of_bytes = |bytes: usize| head(format!("A: {}\r\n", "b".repeat(bytes - 5)));
    for bytes in [65_535, 65_536] {
        let fits = Loopback::answering(of_bytes(bytes));
        let arrival = fetch(settings(), &fits.url()).await;
        assert_eq!(reply(arrival).headers["a"].len(), bytes - 5);
    }
    let protocol = TransportFailure::Protocol;
    assert_answer_is(head("A: b\r\n".repeat(101)), protocol, "").await;
    assert_answer_is(of_bytes(65_537), protocol, "").await;
    assert_answer_is(of_bytes(70_000), protocol, "").await;
}

#[tokio::test]
async fn an_endless_head_is_a_failure_of_protocol() {
    let server = Loopback::serving(|mut stream, _| {
        read_head(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nA: ");
        while stream.write_all(&[b'a'; 4096]).is_ok() {}
        hang(stream);
    });
    let arrival = fetch(settings(), &server.url()).await;
    assert_failure(arrival, TransportFailure::Protocol, "");
}

#[tokio::test]
async fn an_unsupported_scheme_is_a_failure_of_protocol() {
    let arrival = fetch(settings(), "gopher://127.0.0.1/robots.txt").await;
    assert_failure(arrival, TransportFailure::Protocol, "gopher");
}
