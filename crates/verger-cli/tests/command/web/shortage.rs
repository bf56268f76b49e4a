//! A shortage of this machine is an error of the run, and never recorded as a fact about a site.
#![cfg(unix)]

use std::net::UdpSocket;
use std::path::Path;

use crate::server::{Server, new_store, on_store, robots};
use crate::verger::verger_with_few_files;

/// Limits, from one at which the program can just be loaded to one that is enough.
const LIMITS: [u32; 9] = [6, 8, 12, 15, 17, 19, 21, 24, 40];

/// V-83.
#[test]
fn with_too_few_files_a_run_says_so_and_the_store_has_no_outage() {
    let server = Server::saying(robots("User-agent: *\nDisallow: /a\n"));
    let store = new_store("few-files");
    // A name of the machine is looked up.
    let by_name = server.url("/b").replace("127.0.0.1", "localhost");
    let (mut said_so, mut answered) = (0, 0);
    for limit in LIMITS {
        for arguments in [
            format!("fetch {}", server.url("/")),
            format!("fetch {by_name}"),
            format!("check -a FooBot --refresh {by_name}"),
            format!("watch --once {}", server.url("/")),
        ] {
            let store = store.display();
            let arguments = format!(
                "{arguments} --allow-address 127.0.0.0/8 --allow-address ::1 --store {store}"
            );
            let said = verger_with_few_files(limit, &arguments);
            match said.code {
                0 => answered += 1,
                2 => {
                    let lacks = said.stderr.contains("can open no more files and sockets");
                    assert!(lacks, "{limit}: {arguments}: {}", said.stderr);
                    said_so += 1;
                }
                code => panic!(
                    "{limit}: {arguments}: {code}: {}{}",
                    said.stdout, said.stderr
                ),
            }
        }
    }
    assert!(said_so >= 8 && answered >= 4, "{said_so} {answered}");
    assert_no_outage(&store);
}

/// V-83.
#[test]
fn with_too_few_sockets_for_many_sites_some_are_unanswered_and_none_is_down() {
    let proxy = Server::saying(robots("User-agent: *\nDisallow: /a\n"));
    let store = new_store("few-sockets");
    // Each name is asked for over two sockets, which stay open for a second: no server answers there.
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let name_server = silent.local_addr().unwrap();
    let urls = (0..40).map(|number| format!("http://h{number}.example/b"));
    let urls = urls.collect::<Vec<_>>().join(" ");
    let arguments = format!(
        "check -a FooBot --proxy {} --name-server {name_server} --store {} {urls}",
        proxy.url(""),
        store.display()
    );
    let said = verger_with_few_files(40, &arguments);
    assert_eq!(said.code, 2, "{}{}", said.stdout, said.stderr);
    let unanswered = "cannot be fetched: this process can open no more files and sockets (";
    assert!(said.stderr.contains(unanswered), "{}", said.stderr);
    assert!(!said.stdout.contains("unreachable"), "{}", said.stdout);
    assert_no_outage(&store);
}

/// Asserts that no attempt in the store failed.
#[track_caller]
fn assert_no_outage(store: &Path) {
    let lines = on_store(store, "store export").quietly(0);
    assert!(!lines.contains("failed"), "{lines}");
}
