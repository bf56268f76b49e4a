//! `check` without `--robots`, against servers on loopback.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Stdio;

use serde_json::Value;

use crate::past::{Past, day};
use crate::server::{Server, new_store, on_store, on_web, on_web_in_time, reply, robots};
#[cfg(unix)]
use crate::verger::verger_with_short_files;
use crate::verger::{command, file, verger, verger_on};

const BODY: &str = "User-agent: *\nDisallow: /x\nAllow: /x/y\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_rules_of_the_authority_decide_and_are_asked_for_once() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("rules"));
    let [x, y, z] = ["/x", "/x/y", "/z"].map(|path| server.url(path));
    let width = y.len();
    let expected = format!(
        "\
disallowed  {x:<width$}   line 2: Disallow: /x   (group at line 1, *)
allowed     {y:<width$}   line 3: Allow: /x/y   (group at line 1, *)
allowed     {z:<width$}   no rule matches   (group at line 1, *)
"
    );
    for _ in 0..2 {
        let said = on_web(&store, &format!("check {x} {y} {z}"));
        assert_eq!(said.quietly(1), expected);
        assert_eq!(server.requests().len(), 1);
    }
    let head = server.requests().concat();
    assert!(head.starts_with("GET /robots.txt HTTP/1.1\r\n"), "{head}");
    let version = env!("CARGO_PKG_VERSION");
    let sent = format!("user-agent: verger/{version} (reads robots.txt)\r\n");
    assert!(head.to_lowercase().contains(&sent), "{head}");
    let said = on_web(&store, &format!("check --refresh {x} {y} {z}"));
    assert_eq!(said.quietly(1), expected);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn explanations_and_crawlers_are_those_of_a_given_file() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("explained"));
    let x = server.url("/x");
    let given = verger_on(
        BODY,
        &format!("check -r - --explain -a a -a googlebot-news {x}"),
    );
    let said = on_web(
        &store,
        &format!("check --explain -a a -a googlebot-news {x}"),
    );
    assert_eq!((said.code, given.code), (1, 1));
    assert_eq!(said.stderr, given.stderr);
    let is_about_access = |line: &&str| {
        let starts = [
            "  http",
            "  successful (status 200) at ",
            "  rules by rfc9309 until ",
        ];
        starts.iter().any(|start| line.starts_with(start))
    };
    let without: Vec<_> = said
        .stdout
        .lines()
        .filter(|line| !is_about_access(line))
        .collect();
    let about_access = said.stdout.lines().count() - without.len();
    assert_eq!(about_access, 6, "{}", said.stdout);
    let squeezed = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    assert_eq!(squeezed(&without.join("\n")), squeezed(&given.stdout));
}

#[test]
fn the_delay_is_that_of_rules_in_force() {
    let body = "User-agent: a\nCrawl-delay: 2\nUser-agent: *\nDisallow: /x\n";
    let (server, store) = (Server::saying(robots(body)), new_store("check-delay"));
    let url = server.url("/y");
    let said = on_web(&store, &format!("check -a a {url}")).quietly(0);
    let expected = "no rule matches   (group at line 1, a; 2 s between requests)\n";
    assert!(said.ends_with(expected), "{said}");
    let said = on_web(&store, &format!("check {url}")).quietly(0);
    assert!(said.ends_with("(group at line 1, *)\n"), "{said}");
    server.say(reply("403 Forbidden", "", "no"));
    let said = on_web(&store, &format!("check --refresh -a a --json {url}"));
    assert_eq!(said.code, 0);
    let said = said.stdout;
    assert!(json(&said).get("delay_ms").is_none(), "{said}");
    let said = on_web(&store, &format!("check -a a --min-delay 1s {url}")).quietly(0);
    assert!(said.ends_with("   (1 s between requests)\n"), "{said}");
}

#[test]
fn where_there_is_no_robots_txt_everything_is_allowed() {
    let server = Server::saying(reply("404 Not Found", "", "no"));
    let store = new_store("missing");
    let url = server.url("/x");
    let said = on_web(&store, &format!("check {url}")).quietly(0);
    assert_eq!(
        said,
        format!("allowed     {url}   no robots.txt (status 404): open by RFC 9309, 2.3.1.3\n")
    );
    let said = on_web(&store, &format!("check --profile cautious --json {url}")).quietly(0);
    let said = json(&said);
    assert_eq!(said["profile"], "cautious");
    assert_eq!(said["stance"], "open");
    assert_eq!(said["reason"], "stance");
    assert_eq!(said["access_result"]["result"], "unavailable");
    assert_eq!(said["body_sha256"], Value::Null);
}

#[test]
fn an_unreachable_authority_is_closed_and_its_own_file_is_not() {
    let server = Server::saying(reply("503 Service Unavailable", "", "later"));
    let store = new_store("unreachable");
    let [x, file] = ["/x", "/robots.txt"].map(|path| server.url(path));
    let said = on_web(&store, &format!("check {x} {file}")).quietly(4);
    let (first, second) = said.split_once('\n').unwrap();
    let because = "unreachable (status 503): closed by RFC 9309, 2.3.1.4, next attempt at ";
    assert!(first.starts_with("disallowed  "), "{first}");
    assert!(
        first.contains(because) && first.ends_with(" UTC"),
        "{first}"
    );
    assert!(second.starts_with("allowed "), "{second}");
    assert!(second.ends_with("/robots.txt itself\n"), "{second}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_copy_is_used_and_its_age_shown_while_no_server_answers() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("copy"));
    let x = server.url("/x");
    assert_eq!(on_web(&store, &format!("check {x}")).code, 1);
    server.say(reply("500 Oops", "", ""));
    let said = on_web(&store, &format!("check --refresh {x}")).quietly(1);
    let start = format!("disallowed  {x}   line 2: Disallow: /x   (group at line 1, *; last good ");
    assert!(said.starts_with(&start), "{said}");
    let said = json(&on_web(&store, &format!("check --json {x}")).quietly(1));
    assert_eq!(
        (&said["stance"], &said["reason"]),
        (&"copy".into(), &"rule".into())
    );
    assert_eq!(said["body_sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_site_that_restricts_access_disallows_and_is_not_unreachable() {
    let server = Server::saying(reply("403 Forbidden", "", "no"));
    let (x, store) = (server.url("/x"), new_store("restricted"));
    let said = on_web(&store, &format!("check --profile koster1996 {x}"));
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("status 403"), "{}", said.stdout);
}

#[test]
fn an_address_that_is_not_public_is_not_connected_to() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("refused"));
    let x = server.url("/x");
    let why = "the address is not allowed: 127.0.0.1 is a loopback address (RFC 1122)";
    let because = format!(
        "unreachable ({why}), unless `--allow-address` allows it: closed by Verger's choice 49\n"
    );
    for (command, shown) in [
        ("check", &*because),
        ("fetch", "127.0.0.1 is a loopback address"),
    ] {
        let said = on_store(&store, &format!("{command} {x}"));
        assert!(said.stdout.contains(shown), "{said:?}");
        assert!(
            said.stderr
                .ends_with("with `--allow-address`, such as 127.0.0.0/8\n"),
            "{said:?}"
        );
        assert_eq!(said.code, 4);
    }
    assert!(server.requests().is_empty());
    // Where it is allowed, the refusal does not delay the fetch.
    let said = on_web(&store, &format!("check {x}")).quietly(1);
    assert!(said.contains("line 2: Disallow: /x"), "{said}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn offline_nothing_is_fetched_and_what_was_never_seen_is_unknown() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("offline"));
    let x = server.url("/x");
    let said = on_store(&store, &format!("check --offline {x}"));
    let unknown = format!(
        "unknown     {x}   nothing is known about {}\n",
        server.url("")
    );
    assert_eq!((said.stdout.as_str(), said.code), (unknown.as_str(), 3));
    assert!(
        said.stderr.starts_with("note: there is no store "),
        "{}",
        said.stderr
    );
    assert!(!store.exists() && server.requests().is_empty());
    assert_eq!(on_web(&store, &format!("check {x}")).code, 1);
    let said = on_store(
        &store,
        &format!("check --offline {x} http://h.example/ /nothing"),
    );
    assert_eq!(said.code, 2);
    assert!(said.stdout.contains("line 2: Disallow: /x"));
    assert!(
        said.stdout
            .contains("nothing is known about http://h.example")
    );
    let said = on_store(
        &store,
        &format!("check --offline --json {x} http://h.example/"),
    );
    let said = said.quietly(3);
    let lines: Vec<Value> = said.lines().map(json).collect();
    assert_eq!(lines[0]["allowed"], false);
    assert_eq!(
        (&lines[1]["allowed"], &lines[1]["reason"]),
        (&Value::Null, &"unknown".into())
    );
    assert_eq!(lines[1]["stance"], Value::Null);
    let keys =
        |line: &Value| -> Vec<String> { line.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&lines[0]), keys(&lines[1]));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn what_has_expired_is_deferred_and_the_last_known_file_told() {
    let store = new_store("expired");
    let mut past = Past::of("http://h.example/", &store);
    past.body(day(1), "User-agent: *\nDisallow: /x\n");
    let urls = "http://h.example/x http://h.example/y";
    let said = on_store(&store, &format!("check --at @{} {urls}", day(3))).quietly(4);
    let until = "successful (status 200) when last seen at 2026-09-22 14:13:20 UTC, valid until \
                 2026-09-23 14:13:20 UTC: deferred by ";
    let lines: Vec<&str> = said.lines().collect();
    for (line, known) in lines.iter().zip([
        " (its last known file: disallowed, line 2: Disallow: /x)",
        " (its last known file: allowed, no rule matches)",
    ]) {
        assert!(line.starts_with("disallowed "), "{line}");
        assert!(line.contains(until) && line.ends_with(known), "{line}");
    }
    let said = on_store(&store, &format!("check --json --at @{} {urls}", day(3))).quietly(4);
    let line = json(said.lines().nth(1).unwrap());
    assert_eq!(
        (&line["allowed"], &line["stance"]),
        (&false.into(), &"defer".into())
    );
    assert_eq!(line["last_known"]["allowed"], true);
    assert_eq!(line["body_sha256"], Value::Null);
    let missing = "there is no record of a fetch after 2026-09-22T14:13:20Z";
    assert_eq!(line["missing"], missing);
}

#[test]
fn many_urls_are_answered_in_order_and_each_authority_is_asked_once() {
    let servers: Vec<Server> = (0..20).map(|_| Server::saying(robots(BODY))).collect();
    let store = new_store("many");
    let mut urls = String::new();
    let mut expected = String::new();
    for number in 0..1000 {
        let path = ["/x", "/y"][number % 2];
        let url = servers[number * 7 % servers.len()].url(path);
        urls.push_str(&url);
        urls.push('\n');
        expected.push_str(["disallowed ", "allowed "][number % 2]);
        expected.push_str(&url);
        expected.push('\n');
    }
    let list = file("web-many.txt", urls);
    let list = list.to_str().unwrap();
    let said = on_web(&store, &format!("check --refresh --urls {list}")).quietly(1);
    let words = |line: &str| -> String {
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        words.join(" ") + "\n"
    };
    assert_eq!(said.lines().map(words).collect::<String>(), expected);
    for server in &servers {
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_url_that_cannot_be_asked_about_does_not_end_the_rest() {
    let (server, store) = (Server::saying(robots("")), new_store("odd"));
    let y = server.url("/y");
    let said = on_web(
        &store,
        &format!("check /x example.com/x mailto:a@b.example {y}"),
    );
    assert_eq!(said.code, 2);
    assert_eq!(
        said.stdout,
        format!("allowed     {y:<22}   no group applies to this crawler\n")
    );
    let errors: Vec<&str> = said.stderr.lines().collect();
    assert_eq!(errors.len(), 5, "{}", said.stderr);
    let help = "help: write https://example.com/x, or give the file with `--robots robots.txt`";
    assert_eq!(errors[1], help);
    assert!(errors[4].contains("`mailto:a@b.example` is neither an absolute URL"));
}

/// V-37: whether the robots.txt is given or fetched, a URL that cannot be requested is the same error.
#[test]
fn a_url_that_nobody_can_request_is_one_error() {
    let store = new_store("cannot-be-requested");
    let url_list = list_of(&[
        "http://h:99999/",
        "http://[::1/",
        "http://a b/c",
        "https:///a",
        "http:/h.example/p",
        "http:\\\\h.example\\p",
        "mailto:a@b",
    ]);
    for dialect in ["rfc9309", "google"] {
        let fetched = on_web(
            &store,
            &format!("check --profile {dialect} --urls {url_list}"),
        );
        let given = verger_on("", &format!("check -r - -d {dialect} --urls {url_list}"));
        assert_eq!((given.code, given.stdout.as_str()), (2, ""));
        assert_eq!(given.stderr, fetched.stderr);
        assert_eq!(given.stderr.lines().count(), 7, "{}", given.stderr);
        let filtered = verger_on("", &format!("filter -r - -d {dialect} --urls {url_list}"));
        assert_eq!((filtered.code, filtered.stdout.as_str()), (2, ""));
        let columns = format!("bulk check --quiet --robots - -d {dialect} {url_list}");
        let columns = verger_on("", &columns);
        assert_eq!(
            columns.stdout.matches("\"reason\":\"not-a-url\"").count(),
            7
        );
    }
}

fn list_of(urls: &[&str]) -> String {
    let list = file("cannot-be-requested.txt", urls.join("\n"));
    list.to_str().unwrap().to_owned()
}

#[test]
fn another_scheme_is_answered_from_a_file_and_not_from_the_web() {
    let store = new_store("gopher");
    let said = on_web(&store, "check gopher://h.example/1");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("nothing is fetched over `gopher`"));
    assert!(said.stderr.contains("`--robots`"), "{}", said.stderr);
    let said = on_web(&store, "check --offline gopher://h.example/1");
    assert_eq!(said.code, 3, "{}", said.stderr);
}

#[test]
fn the_user_agent_that_is_sent_is_the_users_own_and_what_is_odd_is_noted() {
    let (server, store) = (Server::saying(robots("")), new_store("user-agent"));
    let store = store.to_str().unwrap();
    let url = server.url("/");
    let ours = [
        "--store",
        store,
        "--allow-address",
        "127.0.0.1",
        "--send-user-agent",
    ];
    let asked = |sent| {
        verger(
            ["check", "-a", "FooBot", url.as_str()]
                .into_iter()
                .chain(ours)
                .chain([sent]),
            "",
        )
    };
    let said = asked("FooBot/1.0 (+https://foo.example)");
    assert_eq!((said.stderr.as_str(), said.code), ("", 0));
    assert!(server.requests()[0].contains("FooBot/1.0 (+https://foo.example)\r\n"));
    let said = asked("BarBot/1.0");
    assert!(
        said.stderr.contains("does not contain `FooBot`"),
        "{}",
        said.stderr
    );
    assert_eq!(said.code, 0);
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_without_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/x", listener.local_addr().unwrap());
    let store = new_store("silent");
    let said = on_web_in_time(&store, &format!("check {url}")).quietly(4);
    assert!(
        said.contains("unreachable (the request timed out: no reply within 0."),
        "{said}"
    );
}

#[test]
fn an_answer_goes_out_before_the_next_question_is_waited_for() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("waits"));
    let url = server.url("/x\n");
    for json in [&[][..], &["--json"]] {
        let arguments = [
            "check",
            "--urls",
            "-",
            "--allow-address",
            "127.0.0.1",
            "--store",
        ];
        let mut child = command()
            .args(arguments)
            .arg(&store)
            .args(json)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            stdin.write_all(url.as_bytes()).unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).unwrap();
            assert!(answer.contains("Disallow: /x"), "{answer}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
    assert_eq!(server.requests().len(), 1);
}

/// The store has no room for the result, or not even for its own temporary files.
#[cfg(unix)]
#[test]
fn a_full_disk_keeps_nothing_from_being_decided_and_is_told() {
    let (server, store) = (Server::saying(robots(BODY)), new_store("full"));
    let [x, y] = ["/x", "/x/y"].map(|path| server.url(path));
    on_web(&store, &format!("check {x}")).quietly(1);
    let large = format!("{BODY}{}", "# so much room is not left\n".repeat(15_000));
    server.say(robots(&large));
    let path = store.to_str().unwrap();
    for blocks in [200, 0] {
        let run = |arguments: &str| {
            let web = "--allow-address 127.0.0.0/8 --store";
            verger_with_short_files(blocks, &format!("{arguments} {web} {path}"))
        };
        let said = run(&format!("check --refresh {x} {y}"));
        assert_eq!(said.code, 1, "{blocks} {said:?}");
        let answers: Vec<_> = said.stdout.lines().map(|line| &line[..10]).collect();
        assert_eq!(answers, ["disallowed", "allowed   "], "{blocks} {said:?}");
        assert!(said.stderr.contains("is not stored: "), "{said:?}");
        let said = run(&format!("fetch {x}"));
        assert_eq!(said.code, 0, "{blocks} {said:?}");
        assert!(said.stderr.contains("is not stored: "), "{said:?}");
    }
    // With room again, what was kept before is there and whole, and what is fetched is kept.
    on_store(&store, "store stat --check").quietly(0);
    on_web(&store, &format!("check --refresh {x}")).quietly(1);
    let said = on_store(&store, &format!("history {x}"));
    assert_eq!(said.quietly(0).lines().count(), 2);
}
