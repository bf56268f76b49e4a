//! Behaviours over plain HTTP.

use std::io::ErrorKind;
use std::net::TcpStream;

use verger_origin::Origin;
use verger_testkit::origin_file::{Behaviour, UrlScheme, Wire};

use crate::conversation::{
    End, HttpReply, SILENCE, ask, connect, listen, try_to_ask, try_to_connect,
};

const ENCODINGS: &str = "Accept-Encoding: gzip, br, zstd\r\n";

fn of_wire(origin: &Origin, wire: Wire) -> Vec<&Behaviour> {
    let behaviours = origin.behaviours();
    let found: Vec<&Behaviour> = behaviours
        .filter(|it| it.scheme == UrlScheme::Http && it.wire == wire)
        .collect();
    assert!(!found.is_empty(), "{wire:?}");
    found
}

/// Returns the status of a behaviour, if its entry names one.
fn status_of(behaviour: &Behaviour) -> Option<&str> {
    let outcome = behaviour.expected["rfc9309"].outcomes.first()?;
    let is_redirected = behaviour.name.starts_with("redirect");
    let (_, status) = outcome.split_once(" http ").filter(|_| !is_redirected)?;
    Some(status)
}

#[test]
fn who_answers_sends_all_and_closes() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Answers) {
        let name = &behaviour.name;
        let mut stream = connect(&origin, name);
        ask(&mut stream, "/robots.txt", ENCODINGS);
        let (heard, end) = listen(&mut stream, usize::MAX);
        assert_eq!(end, End::Closed, "{name}");
        assert_eq!(
            (origin.connections(name), origin.requests(name)),
            (1, 1),
            "{name}"
        );
        if let Some(status) = status_of(behaviour) {
            // A final reply may follow an interim one.
            let last = String::from_utf8_lossy(&heard)
                .rfind("HTTP/1.1 ")
                .unwrap_or(0);
            let reply = HttpReply::read(&heard[last..]).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(reply.status, status, "{name}");
            assert!(reply.is_whole(), "{name}");
        } else if name.starts_with("redirect") {
            let reply = HttpReply::read(&heard).unwrap_or_else(|| panic!("{name}"));
            assert!(reply.status.starts_with("30"), "{name}");
            assert!(reply.header("Location").is_some(), "{name}");
        } else {
            assert!(!heard.is_empty(), "{name}");
        }
    }
}

#[test]
fn who_breaks_off_leaves_something_out() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Breaks) {
        let name = &behaviour.name;
        let mut stream = connect(&origin, name);
        ask(&mut stream, "/robots.txt", "");
        let (heard, end) = listen(&mut stream, usize::MAX);
        assert_eq!(end, End::Closed, "{name}");
        let is_whole = HttpReply::read(&heard).is_some_and(|reply| reply.is_whole());
        assert!(!is_whole, "{name}");
    }
}

#[test]
fn who_resets_does_not_close() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Resets) {
        let name = &behaviour.name;
        // The reset may arrive before the client does anything.
        let asked = try_to_connect(&origin, name).and_then(|mut stream| {
            try_to_ask(&mut stream, "/robots.txt", "")?;
            Ok(listen(&mut stream, usize::MAX).1)
        });
        match asked {
            Ok(end) => assert_eq!(end, End::Reset, "{name}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{name}"),
        }
    }
}

#[test]
fn who_hangs_falls_silent() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Hangs) {
        let name = &behaviour.name;
        let mut stream = connect(&origin, name);
        stream.set_read_timeout(Some(SILENCE)).unwrap();
        ask(&mut stream, "/robots.txt", "");
        let (heard, end) = listen(&mut stream, usize::MAX);
        assert_eq!(end, End::Silent, "{name}");
        assert!(
            !HttpReply::read(&heard).is_some_and(|reply| reply.is_whole()),
            "{name}"
        );
    }
}

#[test]
fn who_drips_goes_on() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Drips) {
        let mut stream = connect(&origin, &behaviour.name);
        ask(&mut stream, "/robots.txt", "");
        let (heard, _) = listen(&mut stream, 1);
        assert!(heard.len() < 1000, "{}", behaviour.name);
        for _ in 0..3 {
            let (drop, end) = listen(&mut stream, 1);
            assert!(
                drop.len() < 1000 && end == End::Enough,
                "{}",
                behaviour.name
            );
        }
    }
}

#[test]
fn who_floods_has_no_end() {
    const ENOUGH: usize = 1 << 20;
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Floods) {
        let mut stream = connect(&origin, &behaviour.name);
        ask(&mut stream, "/robots.txt", "");
        let (_, end) = listen(&mut stream, ENOUGH);
        assert_eq!(end, End::Enough, "{}", behaviour.name);
    }
}

#[test]
fn who_refuses_is_not_there() {
    let origin = Origin::start().unwrap();
    for behaviour in of_wire(&origin, Wire::Refuses) {
        let error = TcpStream::connect(("127.0.0.1", origin.port(&behaviour.name))).unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::ConnectionRefused,
            "{}",
            behaviour.name
        );
    }
}

/// Follows redirects on the same port and returns their number.
fn redirects(origin: &Origin, name: &str, most: usize) -> usize {
    let mut path = "/robots.txt".to_owned();
    for count in 0..most {
        let mut stream = connect(origin, name);
        ask(&mut stream, &path, "");
        let (heard, _) = listen(&mut stream, usize::MAX);
        let reply = HttpReply::read(&heard).unwrap();
        match reply.header("Location") {
            None => {
                assert_eq!(reply.status, "200");
                return count;
            }
            Some(location) => path = format!("/{}", location.trim_start_matches('/')),
        }
    }
    most
}

#[test]
fn chains_are_as_long_as_their_names_say() {
    let origin = Origin::start().unwrap();
    for length in [1, 2, 3, 4, 5, 6, 7, 8, 20, 21] {
        let name = format!("redirects-{length}");
        assert_eq!(redirects(&origin, &name, 30), length);
    }
    assert_eq!(redirects(&origin, "redirect-kinds", 30), 5);
    for name in ["redirects-endless", "redirect-loop", "redirect-to-itself"] {
        assert_eq!(redirects(&origin, name, 30), 30, "{name}");
    }
    assert_eq!(redirects(&origin, "usual", 30), 0);
}

#[test]
fn redirects_elsewhere_name_the_usual_file_by_either_host() {
    let origin = Origin::start().unwrap();
    let location = |name: &str| {
        let mut stream = connect(&origin, name);
        ask(&mut stream, "/robots.txt", "");
        let reply = HttpReply::read(&listen(&mut stream, usize::MAX).0).unwrap();
        reply.header("Location").unwrap().to_owned()
    };
    assert_eq!(location("redirect-other-port"), origin.url("usual"));
    assert_eq!(
        location("redirect-other-host"),
        origin.url_on_other_host("usual")
    );
    assert_eq!(location("redirect-to-ftp"), origin.url("ftp-usual"));
    assert!(location("redirect-disallowed").ends_with("/private/rules.txt"));
}

#[test]
fn an_entity_tag_is_honoured_and_what_was_sent_is_kept() {
    let origin = Origin::start().unwrap();
    let status = |headers: &str| {
        let mut stream = connect(&origin, "entity-tag");
        ask(&mut stream, "/robots.txt", headers);
        HttpReply::read(&listen(&mut stream, usize::MAX).0)
            .unwrap()
            .status
    };
    assert_eq!(status(""), "200");
    assert_eq!(status("If-None-Match: \"one\"\r\n"), "304");
    assert_eq!(status("If-None-Match: \"two\"\r\n"), "200");
    let heads = origin.request_heads("entity-tag");
    assert_eq!((heads.len(), origin.requests("usual")), (3, 0));
    assert!(heads[1].contains("If-None-Match: \"one\""), "{heads:?}");
}

#[test]
fn the_date_of_retry_after_is_two_minutes_from_the_date_of_the_reply() {
    let origin = Origin::start().unwrap();
    let mut stream = connect(&origin, "status-429-date");
    ask(&mut stream, "/robots.txt", "");
    let reply = HttpReply::read(&listen(&mut stream, usize::MAX).0).unwrap();
    let date = |name| httpdate::parse_http_date(reply.header(name).unwrap()).unwrap();
    let wait = date("Retry-After").duration_since(date("Date")).unwrap();
    assert_eq!(wait.as_secs(), 120);
}
