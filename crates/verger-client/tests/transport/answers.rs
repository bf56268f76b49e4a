//! Requests, and complete responses.

use std::io::Write as _;
use std::sync::mpsc;

use http::header::{HeaderName, HeaderValue};
use verger_access::{BODY_BYTES_WANTED, BodyEnd, TransportFailure};
use verger_client::{
    KeptHead, NetworkTransport, Proxies, SettingsError, Transport as _, TransportSettings,
};

use crate::loopback::{Loopback, hang, read_head, response, write_and_close};
use crate::scene::{
    assert_failure, far_off, fetch, reply, request, settings, short_silence_timeout,
};

#[tokio::test]
async fn a_file_comes_with_its_headers_and_the_address_it_came_from() {
    let fields = "Content-Type: text/plain\r\nETag: \"a\"\r\n";
    let server = Loopback::answering(response("200 OK", fields, b"User-agent: *\n"));
    let arrival = fetch(settings(), &server.url()).await;
    assert_eq!(arrival.peer, Some(server.address.ip()));
    let reply = reply(arrival);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.headers["etag"], "\"a\"");
    assert_eq!(reply.body, b"User-agent: *\n");
    assert_eq!(reply.body_end, BodyEnd::Whole);
}

/// R9309-3-5: no other header is sent.
#[tokio::test]
async fn a_request_has_its_conditions_and_no_cookies_or_credentials() {
    let (sender, receiver) = mpsc::channel();
    let server = Loopback::serving(move |mut stream, _| {
        sender.send(read_head(&mut stream)).unwrap();
        write_and_close(stream, &response("304 Not Modified", "", b""));
    });
    let mut asked = request(&server.url());
    let name = HeaderName::from_static("if-none-match");
    let tag = HeaderValue::from_static("\"a\"");
    asked.conditions.insert(name, tag);
    let transport = NetworkTransport::new(settings()).unwrap();
    assert_eq!(reply(transport.send(&asked, far_off()).await).status, 304);

    let head = receiver.recv().unwrap().to_ascii_lowercase();
    let mut lines: Vec<&str> = head.trim_end().split("\r\n").collect();
    assert_eq!(lines.remove(0), "get /robots.txt http/1.1");
    lines.sort_unstable();
    let host = format!("host: {}", server.address);
    assert_eq!(
        lines,
        [
            "accept-encoding: gzip, br, zstd",
            "accept: text/plain, */*;q=0.1",
            &host,
            "if-none-match: \"a\"",
            "user-agent: testbot/1.0",
        ]
    );
}

#[tokio::test]
async fn heads_are_kept_as_they_went_over_the_connection() {
    let (sender, receiver) = mpsc::channel();
    let answer = "HTTP/1.1 404 Nope\r\nLINK:  </a>\r\nBad Line\r\nSet-Cookie: a\r\nContent-Length: 2\r\n\r\n";
    let server = Loopback::serving(move |mut stream, _| {
        for _ in 0..2 {
            sender.send(read_head(&mut stream)).unwrap();
            let early = "HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n";
            stream
                .write_all(format!("{early}{answer}no").as_bytes())
                .unwrap();
        }
    });
    let transport = NetworkTransport::new(settings()).unwrap();
    for _ in 0..2 {
        let facts = transport
            .send(&request(&server.url()), far_off())
            .await
            .facts;
        let head = receiver.recv().unwrap();
        assert_eq!(facts.request, Some(KeptHead::new(head.as_bytes(), 0)));
        assert_eq!(facts.response, Some(KeptHead::new(answer.as_bytes(), 0)));
        assert!(facts.sent.is_some() && facts.tls.is_none());
    }
    // If a response cannot be read, the bytes that arrived are kept.
    let server = Loopback::answering("HTTP/1.1 2oo OK\r\nA: b\r\n\r\n");
    let arrival = fetch(settings(), &server.url()).await;
    assert!(arrival.facts.request.is_some());
    let head = arrival.facts.response.clone().unwrap();
    assert!(head.bytes().starts_with(b"HTTP/1.1 2oo OK\r\n"), "{head:?}");
    assert_failure(arrival, TransportFailure::Protocol, "");
}

#[tokio::test]
async fn the_body_of_a_redirect_or_of_a_4xx_is_not_read() {
    for status in ["301 Moved", "404 Not Found", "403 Forbidden"] {
        let head = format!("HTTP/1.1 {status}\r\nLocation: /x\r\nContent-Length: 9\r\n\r\n");
        let server = Loopback::answering_and_hanging(head);
        let reply = reply(fetch(settings(), &server.url()).await);
        assert_eq!(reply.headers["location"], "/x");
        assert_eq!((reply.body.len(), reply.body_end), (0, BodyEnd::Whole));
    }
}

#[tokio::test]
async fn any_status_of_three_digits_is_returned_and_no_other() {
    for status in [100 + 1, 299, 418, 599, 600, 999] {
        let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n\r\n");
        let server = Loopback::answering(head);
        let reply = reply(fetch(settings(), &server.url()).await);
        assert_eq!(reply.status, status);
    }
    for status in ["099", "99", "1000", "2x0", "-20", ""] {
        let server = Loopback::answering(format!("HTTP/1.1 {status} OK\r\n\r\n"));
        let arrival = fetch(settings(), &server.url()).await;
        assert_failure(arrival, TransportFailure::Protocol, "");
    }
}

#[tokio::test]
async fn a_body_is_read_up_to_the_limit() {
    for (length, end) in [
        (BODY_BYTES_WANTED - 1, BodyEnd::Whole),
        (BODY_BYTES_WANTED, BodyEnd::CutAtLimit),
        (BODY_BYTES_WANTED + 1, BodyEnd::CutAtLimit),
    ] {
        let server = Loopback::answering(response("200 OK", "", &vec![b'a'; length]));
        let reply = reply(fetch(settings(), &server.url()).await);
        assert_eq!(reply.body.len(), length.min(BODY_BYTES_WANTED));
        assert_eq!(reply.body_end, end);
    }
}

#[tokio::test]
async fn an_endless_body_is_cut_at_the_limit() {
    for chunked in [false, true] {
        let server = Loopback::serving(move |mut stream, _| {
            read_head(&mut stream);
            let (fields, piece) = if chunked {
                (
                    "Transfer-Encoding: chunked\r\n",
                    "5\r\naaaa\n\r\n".repeat(1000),
                )
            } else {
                ("", "aaaa\n".repeat(1000))
            };
            let _ = write!(stream, "HTTP/1.1 200 OK\r\n{fields}\r\n");
            while stream.write_all(piece.as_bytes()).is_ok() {}
        });
        let reply = reply(fetch(settings(), &server.url()).await);
        assert_eq!(reply.body.len(), BODY_BYTES_WANTED);
        assert_eq!(reply.body_end, BodyEnd::CutAtLimit);
    }
}

#[tokio::test]
async fn a_body_may_end_with_the_connection() {
    let server = Loopback::answering("HTTP/1.0 200 OK\r\n\r\nDisallow: /");
    let reply = reply(fetch(settings(), &server.url()).await);
    assert_eq!(
        (&*reply.body, reply.body_end),
        (&b"Disallow: /"[..], BodyEnd::Whole)
    );
}

#[tokio::test]
async fn interim_responses_are_ignored_up_to_a_limit() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    let end = String::from_utf8(response("200 OK", "", b"a")).unwrap();
    let server = Loopback::answering(hints.repeat(32) + &end);
    assert_eq!(reply(fetch(settings(), &server.url()).await).body, b"a");

    let server = Loopback::answering(hints.repeat(33) + &end);
    let arrival = fetch(settings(), &server.url()).await;
    assert_failure(arrival, TransportFailure::Protocol, "interim");

    let server = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        while stream.write_all(hints.as_bytes()).is_ok() {}
    });
    let arrival = fetch(settings(), &server.url()).await;
    assert_failure(arrival, TransportFailure::Protocol, "interim");
}

#[tokio::test]
async fn a_malformed_header_line_does_not_affect_the_others() {
    let fields = "no colon\r\nETag : \"a\"\r\nX-Folded: a\r\n b\r\n";
    let server = Loopback::answering(response("200 OK", fields, b"a"));
    let reply = reply(fetch(settings(), &server.url()).await);
    assert_eq!(
        (reply.headers["etag"].as_bytes(), &*reply.body),
        (&b"\"a\""[..], &b"a"[..])
    );
}

#[tokio::test]
async fn the_page_of_a_5xx_is_handed_in_however_it_ends() {
    let whole = response("500 Oops", "", b"not found");
    let cut = b"HTTP/1.1 504 Oops\r\nContent-Length: 99\r\n\r\nnot found".to_vec();
    let chunks =
        b"HTTP/1.1 502 Oops\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nnot found\r\nx".to_vec();
    for bytes in [whole, cut, chunks] {
        let server = Loopback::answering(bytes);
        let reply = reply(fetch(settings(), &server.url()).await);
        assert!((500..=504).contains(&reply.status));
        assert_eq!(reply.body, b"not found");
    }
    let cut = "HTTP/1.1 500 Oops\r\nContent-Length: 99\r\n\r\nnot found";
    let server = Loopback::answering_and_hanging(cut);
    let late = reply(fetch(short_silence_timeout(), &server.url()).await);
    assert_eq!((late.status, &*late.body), (500, &b"not found"[..]));

    let fields = "Content-Encoding: gzip\r\n";
    let server = Loopback::answering(response("500 Oops", fields, b"not found"));
    let reply = reply(fetch(settings(), &server.url()).await);
    assert_eq!((reply.status, reply.body.len()), (500, 0));
}

#[tokio::test]
async fn a_page_that_cannot_matter_is_not_read() {
    for head in [
        "404 Not Found\r\n",
        "503 Service Unavailable\r\nRetry-After: 600\r\n",
        "503 Service Unavailable\r\n",
        "500 Oops\r\nRetry-After: 600\r\n",
        "200000 OK\r\n",
        "999 Denied\r\n",
    ] {
        let bytes = format!("HTTP/1.1 {head}Content-Length: 99\r\n\r\nnot found");
        let server = Loopback::answering_and_hanging(bytes);
        let arrival = fetch(settings(), &server.url()).await;
        if head.starts_with("200000") {
            assert_failure(arrival, TransportFailure::Protocol, "");
            continue;
        }
        let reply = reply(arrival);
        assert_eq!(reply.status.to_string(), head[..3]);
        assert_eq!(reply.body, b"", "{head}");
        assert_eq!(
            reply.headers.contains_key("retry-after"),
            head.contains("600")
        );
    }
}

#[tokio::test]
async fn the_page_of_an_error_does_not_hide_its_status_until_the_deadline() {
    let bytes = "HTTP/1.1 500 Oops\r\nContent-Length: 99\r\nContent-Encoding: gzip\r\n\r\nnot";
    let server = Loopback::answering_and_hanging(bytes);
    let transport = NetworkTransport::new(settings()).unwrap();
    // The deadline has passed. The head is awaited, but the page is not read.
    let asked = request(&server.url());
    let reply = reply(transport.send(&asked, tokio::time::Instant::now()).await);
    assert_eq!(reply.status, 500);
}

#[tokio::test]
async fn dropping_the_future_closes_the_connection() {
    let (gone, is_gone) = mpsc::channel();
    let server = Loopback::serving(move |mut stream, _| {
        read_head(&mut stream);
        gone.send("asked").unwrap();
        hang(stream);
        gone.send("gone").unwrap();
    });
    let transport = NetworkTransport::new(settings()).unwrap();
    let asked = request(&server.url());
    let mut sending = transport.send(&asked, far_off());
    // The future is polled until the server has the request.
    let is_asked = tokio::task::spawn_blocking(move || {
        assert_eq!(is_gone.recv().unwrap(), "asked");
        is_gone
    });
    let is_gone = tokio::select! {
        _ = &mut sending => panic!("nothing was answered"),
        is_gone = is_asked => is_gone.unwrap(),
    };
    drop(sending);
    let gone = tokio::task::spawn_blocking(move || is_gone.recv().unwrap()).await;
    assert_eq!(gone.unwrap(), "gone");
}

#[test]
fn settings_that_cannot_be_used_are_an_error() {
    let refused = |settings| NetworkTransport::new(settings).err();
    for text in ["", "  ", "a\nb", "a\rb", "caf\u{e9}", "a\0"] {
        let expected = SettingsError::UserAgent(text.to_owned());
        assert_eq!(refused(TransportSettings::new(text)), Some(expected));
    }
    let with = |change: fn(&mut TransportSettings)| {
        let mut settings = settings();
        change(&mut settings);
        refused(settings)
    };
    let password = with(|it| it.ftp_password = "a\r\nDELE x".to_owned());
    assert_eq!(password, Some(SettingsError::FtpPassword));
    let proxy = Proxies::all(&"https://u:secret@p.example/".parse().unwrap()).err();
    assert_eq!(proxy, Some(SettingsError::Proxy("p.example".to_owned())));
    for bytes in [
        "junk",
        "-----BEGIN nothing",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ] {
        let mut settings = settings();
        settings.root_certificates = vec![bytes.as_bytes().to_vec()];
        let refused = refused(settings);
        assert!(
            matches!(refused, Some(SettingsError::RootCertificate(_))),
            "{bytes}"
        );
    }
}
