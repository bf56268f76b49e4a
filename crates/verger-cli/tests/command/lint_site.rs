//! `lint` of sites on loopback: findings about how a file is served.

use serde_json::Value;
use verger_origin::Origin;
use verger_testkit::name_server::{NameAnswer, NameServer};

use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::Said;

const FILE: &str = "User-agent: *\nDisallow: /private\n";

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{}{}", said.stdout, said.stderr))
}

/// Returns the findings about how the file is served.
fn about_serving(document: &Value) -> Vec<(String, String)> {
    let findings = document["findings"].as_array().unwrap().iter();
    let without_place = findings.filter(|it| it["spans"].as_array().unwrap().is_empty());
    let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    let found = without_place.map(|it| (text(it, "code"), text(it, "message")));
    found.collect()
}

fn codes(document: &Value) -> Vec<String> {
    let found = about_serving(document);
    found.into_iter().map(|(code, _)| code).collect()
}

#[test]
fn the_behaviours_of_the_hostile_origin_are_found() {
    let origin = Origin::start().unwrap();
    let store = new_store("lint-origin");
    for (behaviour, code, expected) in [
        ("usual", 0, &[][..]),
        ("type-wrong", 1, &["not-plain-text"]),
        ("html-challenge", 1, &[]),
        ("status-403", 1, &["forbidden"]),
        ("status-404", 0, &["not-found"]),
        ("status-429-seconds", 1, &["too-many-requests"]),
        ("status-999", 1, &["unusual-status"]),
        ("redirects-6", 1, &["too-many-redirects"]),
        ("redirect-other-host", 1, &["redirected-to-other-host"]),
        ("max-age-172800", 1, &["lifetime-over-a-day"]),
    ] {
        let url = origin.url(behaviour);
        let said = on_web(&store, &format!("lint --format json {url}"));
        assert_eq!(
            said.code, code,
            "{behaviour}: {}{}",
            said.stdout, said.stderr
        );
        assert_eq!(codes(&json(&said)), expected, "{behaviour}");
    }
}

#[test]
fn a_site_that_does_not_answer_is_an_error() {
    let server = Server::saying("");
    let store = new_store("lint-no-answer");
    let said = on_web(&store, &format!("lint {}", server.url("")));
    assert_eq!(said.code, 2);
    assert!(
        said.stderr
            .contains("error: cannot fetch http://127.0.0.1:"),
        "{}",
        said.stderr
    );
    // An address that is refused is named with the reason.
    let said = on_store(&store, &format!("lint {}", server.url("")));
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("127.0.0.1 is"), "{}", said.stderr);
}

#[test]
fn an_answer_without_a_file_is_a_finding_in_every_format() {
    let server = Server::saying(reply(
        "403 Forbidden",
        "Content-Type: text/html\r\n",
        "<p>no",
    ));
    let store = new_store("lint-forbidden");
    let url = server.url("/robots.txt");
    let lint = |format: &str| {
        let said = on_web(&store, &format!("lint --format {format} {url}"));
        assert_eq!(said.code, 1, "{}", said.stderr);
        said.stdout
    };
    let said = lint("human");
    assert!(
        said.starts_with("error[forbidden]: the server answers with status 403"),
        "{said}"
    );
    assert!(said.contains(&format!(" {url}\n")), "{said}");
    assert!(said.ends_with(&format!("{url}: 1 error\n")), "{said}");
    let said = lint("github");
    let file = url.replace(':', "%3A");
    let start = format!("::error file={file},title=forbidden::the server answers with");
    assert!(said.starts_with(&start), "{said}");
    let log: Value = serde_json::from_str(&lint("sarif")).unwrap();
    let result = &log["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], url);
    assert!(place.get("region").is_none());
}

#[test]
fn headers_and_redirects_are_facts_of_the_json() {
    let server = Server::answering(|head| {
        let reply = if head.starts_with("GET /robots.txt ") {
            reply("301 Moved", "Location: /files/robots.txt\r\n", "")
        } else {
            let headers = "Content-Type: text/plain; charset=latin1\r\n\
                           Cache-Control: max-age=604800\r\nAge: 604000\r\n\
                           Content-Signal: ai-train=yes\r\nContent-Usage: train-ai=n\r\n";
            reply(
                "200 OK",
                headers,
                "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
            )
        };
        reply.into_bytes()
    });
    let store = new_store("lint-headers");
    let url = server.url("/robots.txt");
    for requests in [2, 4] {
        let said = on_web(&store, &format!("lint --format json {url}"));
        assert_eq!(said.code, 1);
        let document = json(&said);
        assert_eq!(
            codes(&document),
            [
                "charset-not-utf8",
                "lifetime-over-a-day",
                "contradictory-headers"
            ]
        );
        let all = document["findings"].as_array().unwrap();
        let of_file = all
            .iter()
            .find(|it| it["code"] == "header-contradicts-file")
            .unwrap();
        assert_eq!(of_file["spans"][0]["line"], 2);
        let facts = &document["served"];
        assert_eq!(facts["outcome"], "successful http 200");
        assert_eq!(facts["hops"][0]["status"], 301);
        assert_eq!(facts["hops"][1]["url"], server.url("/files/robots.txt"));
        assert_eq!(facts["media_type"], "text/plain; charset=latin1");
        assert_eq!(facts["lifetime_seconds"], 604_800);
        // Nothing of the first run is confirmed in the second: the whole response is needed.
        assert_eq!(server.requests().len(), requests);
    }
    assert!(!server.requests().concat().to_lowercase().contains("if-"));
}

/// A name server for `h.test` and `www.h.test`.
fn names() -> NameServer {
    let here = || NameAnswer::Addresses(vec!["127.0.0.1".parse().unwrap()]);
    let answers = move |name: &str, _| match name {
        "h.test" | "www.h.test" | "alone.test" => here(),
        _ => NameAnswer::Code(3),
    };
    NameServer::answering(answers).unwrap()
}

fn is_of_www(head: &str) -> bool {
    head.to_lowercase().contains("\r\nhost: www.h.test")
}

#[test]
fn the_other_names_of_a_site_are_compared() {
    let server = Server::answering(|head| {
        let body = if is_of_www(head) {
            "User-agent: *\nDisallow: /\n"
        } else {
            FILE
        };
        robots(body).into_bytes()
    });
    let (names, store) = (names(), new_store("lint-variants"));
    let (port, asked) = (server.url(""), names.address());
    let port = port.rsplit(':').next().unwrap();
    let lint = |host: &str, options: &str| {
        let arguments =
            format!("lint --format json --name-server {asked} {options} http://{host}:{port}");
        on_web(&store, &arguments)
    };
    let said = lint("h.test", "");
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
    let document = json(&said);
    let url = format!("http://www.h.test:{port}/robots.txt");
    let expected = (
        "variants-differ".to_owned(),
        format!("`{url}` serves another file"),
    );
    assert_eq!(about_serving(&document), [expected]);
    assert_eq!(document["served"]["variants"][0]["name"], url);
    assert_eq!(document["served"]["variants"][0]["same_file"], false);
    assert_eq!(server.requests().len(), 2);
    let said = lint("h.test", "--no-variants");
    assert_eq!(codes(&json(&said)), [""; 0]);
    assert_eq!(server.requests().len(), 3);
    // A name that does not exist is no fault.
    let said = lint("alone.test", "");
    assert_eq!((said.code, codes(&json(&said))), (0, vec![]));
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn other_names_that_lead_to_the_same_file_are_no_finding() {
    let server = Server::answering(|head| {
        let host = head.to_lowercase();
        let port = host
            .split("host: ")
            .nth(1)
            .unwrap()
            .split(['\r', ':'])
            .nth(1)
            .unwrap();
        if is_of_www(head) {
            let to = format!("Location: http://h.test:{port}/robots.txt\r\n");
            return reply("301 Moved", &to, "").into_bytes();
        }
        robots(FILE).into_bytes()
    });
    let (names, store) = (names(), new_store("lint-variants-alike"));
    let port = server.url("");
    let port = port.rsplit(':').next().unwrap();
    let asked = names.address();
    let said = on_web(
        &store,
        &format!("lint --name-server {asked} http://h.test:{port}"),
    );
    assert_eq!(
        said.quietly(0),
        format!("http://h.test:{port}/robots.txt: nothing found\n")
    );
    // From the other side, the file comes from another host.
    let said = on_web(
        &store,
        &format!("lint --format json --name-server {asked} http://www.h.test:{port}"),
    );
    assert_eq!(codes(&json(&said)), ["redirected-to-other-host"]);
    assert_eq!(said.code, 0);
}

#[test]
fn requests_in_the_names_of_crawlers_are_compared() {
    let server = Server::answering(|head| {
        let head = head.to_lowercase();
        let reply = if head.contains("gptbot") {
            reply("403 Forbidden", "", "")
        } else if head.contains("ccbot") {
            robots("User-agent: *\nDisallow: /\n")
        } else {
            robots(FILE)
        };
        reply.into_bytes()
    });
    let store = new_store("lint-as");
    let url = server.url("");
    let said = on_web(
        &store,
        &format!("lint --format json --as gptbot,CCBot --as claudebot {url}"),
    );
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
    let document = json(&said);
    let messages: Vec<String> = about_serving(&document)
        .into_iter()
        .map(|it| it.1)
        .collect();
    assert_eq!(
        messages,
        [
            "a request with the User-Agent of `GPTBot` gets status 403, other requests get status 200",
            "a request with the User-Agent of `CCBot` gets a different file",
        ]
    );
    let answered = document["served"]["as_crawlers"].as_array().unwrap();
    assert_eq!(answered[2]["name"], "ClaudeBot");
    assert_eq!(answered[2]["same_file"], true);
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert!(
        requests[1].contains("Mozilla/5.0 (compatible; GPTBot"),
        "{}",
        requests[1]
    );
    // What is said to another name is no history of the site.
    let said = on_web(&store, &format!("check {}", server.url("/x")));
    assert!(said.stdout.starts_with("allowed"), "{}", said.stdout);
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn names_in_which_nothing_can_be_requested_are_errors() {
    let store = new_store("lint-as-wrong");
    for (arguments, says) in [
        (
            "lint --as gptbott http://127.0.0.1:9",
            "did you mean `gptbot`?",
        ),
        (
            "lint --as google-extended http://127.0.0.1:9",
            "sends no requests",
        ),
        (
            "lint --as , http://127.0.0.1:9",
            "no known crawler is called ``",
        ),
        ("lint --as gptbot -", "`--as` has no effect on a file"),
        (
            "lint --no-variants -",
            "`--no-variants` has no effect on a file",
        ),
    ] {
        let said = on_store(&store, arguments);
        assert_eq!(said.code, 2, "{arguments}");
        assert!(said.stderr.contains(says), "{arguments}: {}", said.stderr);
    }
}
