//! The origin as a whole.

use std::net::TcpListener;

use verger_origin::{CONNECTIONS_MAX, Origin, OriginError, OriginSettings, planned_listing};

use crate::conversation::{End, ask, connect, listen};

#[test]
fn the_urls_are_those_of_the_ports() {
    let origin = Origin::start().unwrap();
    let port = origin.port("usual");
    assert_eq!(
        origin.url("usual"),
        format!("http://127.0.0.1:{port}/robots.txt")
    );
    assert_eq!(
        origin.url_on_other_host("usual"),
        format!("http://localhost:{port}/robots.txt")
    );
    assert!(origin.url("tls-usual").starts_with("https://127.0.0.1:"));
    assert!(origin.url("ftp-usual").starts_with("ftp://127.0.0.1:"));
}

#[test]
#[should_panic(expected = "there is no behaviour `gzipbomb`")]
fn a_misspelt_behaviour_is_told() {
    let _ = Origin::start().unwrap().requests("gzipbomb");
}

#[test]
fn the_origin_outlasts_more_connections_than_it_serves() {
    let origin = Origin::start().unwrap();
    let hanging: Vec<_> = (0..CONNECTIONS_MAX)
        .map(|_| {
            let mut stream = connect(&origin, "hang-before-head");
            ask(&mut stream, "/robots.txt", "");
            stream
        })
        .collect();
    // All earlier connections were accepted, because this one was behind them in the same queue.
    let (heard, end) = listen(&mut connect(&origin, "hang-before-head"), 1);
    assert!(heard.is_empty() && matches!(end, End::Closed | End::Reset));
    let (heard, end) = listen(&mut connect(&origin, "usual"), 1);
    assert!(heard.is_empty() && matches!(end, End::Closed | End::Reset));
    drop(hanging);
    // Slots become free once the origin notices that the clients have gone.
    let is_served = (0..100_000).any(|_| {
        let mut stream = connect(&origin, "usual");
        ask(&mut stream, "/robots.txt", "");
        !listen(&mut stream, 1).0.is_empty()
    });
    assert!(is_served);
}

#[test]
fn an_origin_with_connections_that_hang_can_be_dropped() {
    let origin = Origin::start().unwrap();
    let mut hanging = connect(&origin, "hang-before-head");
    ask(&mut hanging, "/robots.txt", "");
    let mut flooding = connect(&origin, "body-endless");
    ask(&mut flooding, "/robots.txt", "");
    let _ = listen(&mut flooding, 1);
    drop(origin);
    assert_ne!(listen(&mut hanging, usize::MAX).1, End::Silent);
    assert_ne!(listen(&mut flooding, usize::MAX).1, End::Silent);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = OriginSettings {
        first_port: Some(taken.local_addr().unwrap().port()),
        ..OriginSettings::loopback()
    };
    let error = Origin::start_with(settings).unwrap_err();
    assert!(
        matches!(error, OriginError::Bind(address, _) if address == taken.local_addr().unwrap())
    );
}

#[test]
fn a_plan_lists_every_behaviour_at_its_port() {
    let settings = OriginSettings {
        first_port: Some(8600),
        ..OriginSettings::loopback()
    };
    let plan = planned_listing(&settings).unwrap();
    let origin = Origin::start().unwrap();
    for (behaviour, port) in origin.behaviours().zip(8600..) {
        let url = format!("{}://127.0.0.1:{port}/robots.txt", behaviour.scheme);
        let line = format!("{:<28} {url}\n", behaviour.name);
        assert!(plan.contains(&line), "{line}");
    }
    let settings = OriginSettings {
        first_port: Some(65_500),
        ..settings
    };
    assert!(matches!(
        planned_listing(&settings),
        Err(OriginError::PortsExhausted)
    ));
}
