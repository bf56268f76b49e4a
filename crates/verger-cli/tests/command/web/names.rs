//! Names that name servers on loopback resolve.

use std::net::UdpSocket;

use serde_json::Value;
use verger_testkit::name_server::{NameAnswer, NameServer};

use crate::server::{Server, new_store, on_web, on_web_in_time, robots};

fn here() -> NameServer {
    let answers = |name: &str, _| match name {
        "here.example" => NameAnswer::Addresses(vec!["127.0.0.1".parse().unwrap()]),
        "inside.example" => NameAnswer::Addresses(vec!["10.0.0.1".parse().unwrap()]),
        "fails.example" => NameAnswer::Code(2),
        _ => NameAnswer::Code(3),
    };
    NameServer::answering(answers).unwrap()
}

#[test]
fn a_name_server_that_is_named_is_asked_and_its_addresses_are_judged() {
    let (site, names, store) = (Server::saying(robots("")), here(), new_store("names"));
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    let fetch = |name: &str, code| {
        let server = names.address();
        let url = format!("http://{name}.example:{port}/");
        let said = on_web(
            &store,
            &format!("fetch --json --name-server {server} {url}"),
        );
        assert_eq!(said.code, code, "{name}");
        let said: Value = serde_json::from_str(&said.stdout).unwrap();
        said["access_result"]["what"].as_str().unwrap().to_owned()
    };
    assert_eq!(fetch("here", 0), "status 200");
    for (name, what) in [
        ("unknown", "the name does not resolve: unknown.example: "),
        ("fails", "the name does not resolve: fails.example: "),
        ("inside", "the address is not allowed: "),
    ] {
        let said = fetch(name, 4);
        assert!(said.starts_with(what), "{said}");
    }
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn a_name_server_that_is_silent_is_a_timeout_and_the_next_one_is_asked() {
    let (site, names, store) = (Server::saying(robots("")), here(), new_store("silent"));
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().map(|at| (at, silent)).unwrap();
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    let url = format!("http://here.example:{port}/");
    let fetch = format!("fetch --json --name-server {} {url}", silent.0);
    let said = on_web_in_time(&store, &fetch).quietly(4);
    let said: Value = serde_json::from_str(&said).unwrap();
    let what = said["access_result"]["what"].as_str().unwrap();
    let expected = "the request timed out: no address of here.example within ";
    assert!(what.starts_with(expected), "{what}");
    let said = on_web(
        &store,
        &format!("{fetch} --name-server {}", names.address()),
    )
    .quietly(0);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["access_result"]["what"], "status 200");
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn the_machine_resolves_names_where_the_option_says_so() {
    let (site, store) = (Server::saying(robots("")), new_store("system-names"));
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    for resolver in ["system", "dns"] {
        let url = format!("http://localhost:{port}/");
        let fetch = format!("fetch --resolver {resolver} --allow-address ::1 {url}");
        assert_eq!(on_web(&store, &fetch).code, 0, "{resolver}");
    }
    assert_eq!(site.requests().len(), 2);
}
