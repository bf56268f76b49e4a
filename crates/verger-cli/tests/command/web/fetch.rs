//! `fetch`, against servers on loopback.

use serde_json::Value;

use crate::server::{Server, new_store, on_store, on_web, reply, robots};
use crate::verger::{command, run};

const BODY: &str = "User-agent: *\nDisallow: /x\n";

#[test]
fn a_fetch_tells_what_happened_and_what_follows() {
    let headers = "Content-Type: text/html\r\nETag: \"v1\"\r\nCache-Control: max-age=600\r\n";
    let server = Server::saying(reply("200 OK", headers, BODY));
    let store = new_store("fetch");
    let url = server.url("/page");
    let said = on_web(&store, &format!("fetch --json {url}")).quietly(0);
    let said: Value = serde_json::from_str(&said).unwrap();
    for (key, value) in [
        ("schema", "verger.fetch/1"),
        ("authority", &server.url("")),
        ("url", &server.url("/robots.txt")),
        ("media_type", "text/html"),
        ("entity_tag", "\"v1\""),
        ("dialect", "rfc9309"),
        ("profile", "rfc9309"),
        ("stance", "rules"),
        ("clause", "R9309-2.3.1.1-1"),
        ("store", store.to_str().unwrap()),
    ] {
        assert_eq!(said[key], value, "{key}");
    }
    assert_eq!(said["bytes"], BODY.len());
    assert_eq!(said["snapshot"], 1);
    assert_eq!(said["access_result"]["what"], "status 200");
    assert_eq!(said["warnings"][0]["kind"], "not-text-plain");
    assert!(said["hops"][0]["duration_us"].is_u64());
    server.say(reply("304 Not Modified", "", ""));
    let said = on_web(&store, &format!("fetch {url}")).quietly(0);
    for line in [
        "status 304 from 127.0.0.1",
        "  SHA-256 ",
        "snapshot        2 in ",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(
        server.requests()[1]
            .to_lowercase()
            .contains("if-none-match: \"v1\"")
    );
}

#[test]
fn a_fetch_shows_the_delay_of_crawlers_without_a_group() {
    let body = "User-agent: a\nCrawl-delay: 60\nUser-agent: *\nCrawl-delay: 10\nDisallow: /x\n";
    let (server, store) = (Server::saying(robots(body)), new_store("delay"));
    let url = server.url("");
    let said = on_web(&store, &format!("fetch {url}")).quietly(0);
    let line = "  delay           10 s between requests (for *)\n";
    assert!(said.contains(line), "{said}");
    let limits = "--min-delay 1s --max-delay 5s";
    let said = on_web(&store, &format!("fetch --json {limits} {url}")).quietly(0);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&said["delay_ms"], &said["asked_ms"]),
        (&5_000.into(), &10_000.into())
    );
    assert_eq!(said["bounded"], "max");
    // Rules that are not in force ask for nothing.
    server.say(reply("404 Not Found", "", "no"));
    let said = on_web(&store, &format!("fetch {url}")).quietly(0);
    assert!(!said.contains("between requests"), "{said}");
    let said = on_web(&store, &format!("fetch --min-delay 2s {url}")).quietly(0);
    assert!(said.contains("  2 s between requests (for *)\n"), "{said}");
}

#[test]
fn a_body_alone_goes_to_standard_output() {
    let (server, store) = (Server::saying(robots("\u{feff}a\r\nb")), new_store("body"));
    let said = on_web(&store, &format!("fetch --body {}", server.url("")));
    assert_eq!((said.stdout.as_str(), said.code), ("\u{feff}a\r\nb", 0));
    assert!(
        said.stderr
            .contains("access result   successful (status 200)")
    );
    server.say(reply("404 Not Found", "", "no"));
    let said = on_web(&store, &format!("fetch --body {}", server.url("")));
    assert_eq!((said.stdout.as_str(), said.code), ("", 0));
}

#[test]
fn a_fetch_of_what_cannot_be_reached_ends_with_4() {
    let server = Server::saying("nonsense\r\n\r\n");
    let store = new_store("nonsense");
    let said = on_web(&store, &format!("fetch {}", server.url(""))).quietly(4);
    assert!(
        said.contains("unreachable (the response is malformed)"),
        "{said}"
    );
    assert!(
        said.contains("stance          closed (RFC 9309, 2.3.1.4)"),
        "{said}"
    );
}

#[test]
fn the_password_of_a_proxy_comes_from_a_file() {
    let (proxy, store) = (Server::saying(robots("")), new_store("proxy-password"));
    let file = store.with_file_name("password");
    std::fs::create_dir_all(store.parent().unwrap()).unwrap();
    std::fs::write(&file, "pass\n").unwrap();
    let address = proxy.url("").replace("http://", "http://user@");
    let file = file.to_str().unwrap();
    let arguments =
        format!("fetch http://h.example/ --proxy {address} --proxy-password-file {file}");
    on_store(&store, &arguments);
    // "user:pass".
    assert!(proxy.requests()[0].contains("Basic dXNlcjpwYXNz\r\n"));
}

#[test]
fn the_password_of_a_proxy_comes_from_the_environment_where_no_file_has_it() {
    let (proxy, store) = (Server::saying(robots("")), new_store("proxy-environment"));
    let file = store.with_file_name("password");
    std::fs::create_dir_all(store.parent().unwrap()).unwrap();
    std::fs::write(&file, "pass\n").unwrap();
    let address = proxy.url("").replace("http://", "http://user@");
    // "user:pass" and "user:word", each in base64; without a password "user:".
    for (password, has_file, credentials) in [
        (Some("word"), false, "Basic dXNlcjp3b3Jk\r\n"),
        (Some("word"), true, "Basic dXNlcjpwYXNz\r\n"),
        (Some(""), false, "Basic dXNlcjo=\r\n"),
        (None, false, "Basic dXNlcjo=\r\n"),
    ] {
        let mut command = command();
        command.env_remove("VERGER_PROXY_PASSWORD").arg("fetch");
        if let Some(password) = password {
            command.env("VERGER_PROXY_PASSWORD", password);
        }
        if has_file {
            command.arg("--proxy-password-file").arg(&file);
        }
        let asked = proxy.requests().len();
        command.args(["--allow-address", "192.0.2.0/24", "--proxy", &address]);
        command.args(["http://192.0.2.1/", "--store"]).arg(&store);
        assert_eq!(command.output().unwrap().status.code(), Some(0));
        let requests = proxy.requests();
        assert_eq!(requests.len(), asked + 1);
        let request = &requests[asked];
        assert!(request.contains(credentials), "{password:?}: {request}");
    }
}

#[test]
fn an_address_that_is_refused_is_not_admitted_by_another_option() {
    let (server, store) = (Server::saying(robots("")), new_store("refuse-address"));
    let arguments = format!("fetch {} --refuse-address 127.0.0.1", server.url("/"));
    let said = on_web(&store, &arguments);
    assert!(said.stdout.contains("refused"), "{said:?}");
    assert_eq!(server.requests(), Vec::<String>::new());
}

#[test]
fn a_user_agent_without_a_contact_is_noted() {
    let server = Server::saying(robots(""));
    let url = server.url("/");
    for (sent, is_noted) in [
        (Some("ExampleBot/1.0"), true),
        (Some("ExampleBot/1.0 (+https://example.com/bot)"), false),
        (Some("ExampleBot/1.0 bot@example.com"), false),
        // The header of the command itself is no choice of the user.
        (None, false),
    ] {
        let mut command = command();
        command.args(["fetch", &url, "--no-store", "--allow-address", "127.0.0.1"]);
        if let Some(sent) = sent {
            command.args(["--send-user-agent", sent]);
        }
        let said = run(&mut command, "");
        assert_eq!(said.code, 0, "{said:?}");
        let has_note = said.stderr.contains("has no URL or email address");
        assert_eq!(has_note, is_noted, "{said:?}");
        assert!(is_noted || said.stderr.is_empty(), "{said:?}");
    }
}

#[test]
fn sitemaps_are_resolved_against_the_url_of_the_file() {
    let target = Server::saying(robots(
        "Sitemap: /s.xml\nSitemap: t.xml\nSitemap: https://h.example/u.xml\nSitemap: http://[\n",
    ));
    let location = format!("Location: {}\r\n", target.url("/sub/robots.txt"));
    let server = Server::saying(reply("301 Moved", &location, ""));
    let store = new_store("fetch-sitemaps");
    let said = on_web(&store, &format!("fetch {}", server.url(""))).quietly(0);
    for (url, resolved) in [
        ("/s.xml", format!(" is {}", target.url("/s.xml"))),
        ("t.xml", format!(" is {}", target.url("/sub/t.xml"))),
        ("https://h.example/u.xml", String::new()),
        ("http://[", " is not a URL".to_owned()),
    ] {
        let line = format!("  sitemap         {url}{resolved}\n");
        assert!(said.contains(&line), "{line}: {said}");
    }
    let said = on_web(&store, &format!("fetch --json {}", server.url(""))).quietly(0);
    let said: Value = serde_json::from_str(&said).unwrap();
    let expected = serde_json::json!([
        {"line": 1, "url": "/s.xml", "resolved": target.url("/s.xml")},
        {"line": 2, "url": "t.xml", "resolved": target.url("/sub/t.xml")},
        {"line": 3, "url": "https://h.example/u.xml", "resolved": "https://h.example/u.xml"},
        {"line": 4, "url": "http://[", "resolved": null},
    ]);
    assert_eq!(said["sitemaps"], expected);
    let many: Vec<String> = (0..13).map(|nth| format!("Sitemap: /{nth}\n")).collect();
    let many = many.concat();
    target.say(robots(&many));
    let said = on_web(&store, &format!("fetch {}", server.url(""))).quietly(0);
    assert!(said.contains(" 3 more sitemaps\n"), "{said}");
}

#[test]
fn what_is_not_fetched_over_is_to_be_given_as_a_file() {
    let store = new_store("fetch-gemini");
    for url in ["gemini://h.example", "gopher://h.example:70/"] {
        let said = on_web(&store, &format!("fetch {url}"));
        assert_eq!(said.code, 2);
        assert!(
            said.stderr.contains("give the robots.txt of"),
            "{}",
            said.stderr
        );
    }
}
