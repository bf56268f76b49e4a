//! `watch`: changes in what a robots.txt allows, as they happen.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::server::{Server, new_store, on_web, reply, robots};
use crate::verger::{command, file, json_lines};

const OPEN: &str = "User-agent: *\nDisallow: /cart\n";
const MOVED: &str = "# moved\nUser-agent: *\nDisallow: /cart/\nDisallow: /cart\n";
const CLOSED: &str = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart\n";

/// Returns the JSON events of one round, and the exit code.
fn round(store: &Path, server: &Server, arguments: &str) -> (Vec<Value>, i32) {
    let said = on_web(
        store,
        &format!("watch --once --json {arguments} {}", server.url("/")),
    );
    assert_eq!(said.stderr, "", "{said:?}");
    (json_lines(&said.stdout), said.code)
}

#[test]
fn a_change_of_meaning_is_said_once() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-meaning"));
    assert_eq!(
        round(&store, &server, ""),
        (vec![], 0),
        "a first sight is no change"
    );
    assert_eq!(round(&store, &server, ""), (vec![], 0));
    server.say(robots(MOVED));
    assert_eq!(
        round(&store, &server, ""),
        (vec![], 0),
        "the meaning is the same"
    );
    server.say(robots(CLOSED));
    let (events, code) = round(&store, &server, "");
    let [event] = &*events else {
        panic!("{events:?}")
    };
    assert_eq!(
        (&event["event"], &event["same"], code),
        (&"changed".into(), &false.into(), 1)
    );
    let change = &event["changes"][0];
    assert_eq!(change["crawlers"], Value::from(vec!["gptbot"]));
    assert_eq!(change["newly_disallowed"]["url"], server.url("/"));
    assert_eq!(round(&store, &server, ""), (vec![], 0));
}

#[test]
fn a_person_reads_what_changed() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-person"));
    round(&store, &server, "");
    server.say(robots(CLOSED));
    let said = on_web(&store, &format!("watch --once {}", server.url("/")));
    assert!(
        said.stdout
            .contains(&format!("{}  changed: warning\n", server.url(""))),
        "{}",
        said.stdout
    );
    let lost = "  crawlers lost the site: GPTBot\n";
    assert!(said.stdout.contains(lost), "{}", said.stdout);
    server.say(reply("503 Service Unavailable", "", ""));
    let said = on_web(&store, &format!("watch --once {}", server.url("/")));
    let line = "  the rules of the last good copy decide, before: its rules decide (";
    let other = "  everything is disallowed for now, before: its rules decide (";
    assert!(
        said.stdout.contains(line) || said.stdout.contains(other),
        "{}",
        said.stdout
    );
}

#[test]
fn the_served_file_is_held_to_that_of_the_repository() {
    let (server, store) = (Server::saying(robots(MOVED)), new_store("watch-file"));
    let own = file("watch-own.txt", OPEN);
    let arguments = format!("--same-meaning-as {}", own.display());
    assert_eq!(round(&store, &server, &arguments), (vec![], 0));
    server.say(robots(CLOSED));
    let (events, code) = round(&store, &server, &arguments);
    let kinds: Value = events.iter().map(|event| event["event"].clone()).collect();
    assert_eq!(
        (kinds, code),
        (Value::from(vec!["changed", "differs_from_file"]), 1)
    );
    // It is not said again, and the exit code is that of a difference all the same.
    let said = on_web(
        &store,
        &format!("watch --once {arguments} {}", server.url("/")),
    );
    assert_eq!((said.stdout.as_str(), said.code), ("", 1));
    let note = "still differs from the file, as reported at ";
    assert!(said.stderr.contains(note), "{}", said.stderr);
}

#[test]
fn a_list_names_sites_their_files_and_their_receivers() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-list"));
    let url = server.url("");
    let claims = file(
        "watch-list-claims.toml",
        "[[claim]]\ncrawlers = ['gptbot']\nallowed = ['/']\n",
    );
    let list = |claims: &Path| {
        let text = format!(
            "own_addresses = ['127.0.0.0/8']\n[[site]]\nurl = '{url}'\nclaims = '{}'\n\
             [[site]]\nurl = '{url}/twice'\n",
            claims.display()
        );
        file("watch-list.toml", &text)
    };
    let watch = |path: &Path| {
        let watch = format!("watch --once --json --sites {}", path.display());
        on_web(&store, &watch)
    };
    let said = watch(&list(&claims));
    let twice = "line 5: line 2 lists the same site";
    assert!(said.code == 2 && said.stderr.contains(twice), "{said:?}");
    server.say(robots(CLOSED));
    let said = watch(&list(&claims));
    let events = json_lines(&said.stdout);
    let told: Vec<_> = events
        .iter()
        .map(|it| (&it["event"], &it["severity"]))
        .collect();
    let expected = [
        (&"changed".into(), &"warning".into()),
        (&"claims_fail".into(), &"critical".into()),
    ];
    assert_eq!(told, expected, "{said:?}");
    // A file that is missing is named, and stops no comparison.
    server.say(robots(OPEN));
    let said = watch(&list(Path::new("missing.toml")));
    assert_eq!(json_lines(&said.stdout).len(), 1, "{said:?}");
    assert!(said.stderr.contains("missing.toml"), "{said:?}");
    let unusable = file(
        "watch-list.toml",
        "[[site]]\nurl = 'a.example'\nevry = '1h'\n",
    );
    let said = watch(&unusable);
    assert!(
        said.code == 2 && said.stderr.contains("line 3: unknown key"),
        "{said:?}"
    );
}

/// Another command may fetch the file between two rounds.
#[test]
fn a_change_that_another_command_saw_first_is_a_change() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-other"));
    round(&store, &server, "");
    server.say(robots(CLOSED));
    on_web(&store, &format!("fetch {}", server.url("/")));
    let (events, code) = round(&store, &server, "");
    assert_eq!((events.len(), code), (1, 1));
}

#[cfg(unix)]
#[test]
fn a_program_gets_each_change() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-program"));
    round(&store, &server, "");
    server.say(robots(CLOSED));
    let got = store.with_file_name("got.json");
    let program = store.with_file_name("program");
    std::fs::write(
        &program,
        format!("#!/bin/sh\ncat > '{}'\necho seen\n", got.display()),
    )
    .unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    let said = on_web(
        &store,
        &format!(
            "watch --once --json --exec {} {}",
            program.display(),
            server.url("/")
        ),
    );
    assert_eq!((said.code, said.stderr.as_str()), (1, "seen\n"));
    assert_eq!(std::fs::read_to_string(&got).unwrap(), said.stdout);
    // What it did not take is due in the next watch, whatever happened to other receivers.
    server.say(robots(OPEN));
    for (text, expected) in [
        ("exit 7\n", "it ended with exit status: 7"),
        (
            "sleep 1000 &\nsleep 1000\n",
            "it ran longer than 0.01 s and was killed",
        ),
    ] {
        std::fs::write(&program, format!("#!/bin/sh\n{text}")).unwrap();
        let limit = if text.contains("sleep") {
            "10ms"
        } else {
            "60s"
        };
        let said = on_web(
            &store,
            &format!(
                "watch --once --exec {} --exec-timeout {limit} {}",
                program.display(),
                server.url("/")
            ),
        );
        assert_eq!(said.code, 2, "{}", said.stderr);
        let due = format!(
            "a change of {} is still due to `{}`: {expected}",
            server.url(""),
            program.display()
        );
        assert!(said.stderr.contains(&due), "{}", said.stderr);
    }
    std::fs::write(&program, format!("#!/bin/sh\ncat > '{}'\n", got.display())).unwrap();
    let arguments = format!("--exec {}", program.display());
    assert_eq!(round(&store, &server, &arguments), (vec![], 1));
    let event: Value = serde_json::from_str(&std::fs::read_to_string(&got).unwrap()).unwrap();
    assert_eq!(event["changes"][0]["newly_allowed"]["url"], server.url("/"));
    assert_eq!(round(&store, &server, &arguments), (vec![], 0));
    server.say(robots(CLOSED));
    let said = on_web(
        &store,
        &format!("watch --once --exec ./not-there {}", server.url("/")),
    );
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("`./not-there`: "), "{}", said.stderr);
}

/// A webhook that answers so, one after the other, and what it was asked: heads and bodies.
fn hook(statuses: &'static [&str]) -> (String, thread::JoinHandle<Vec<(String, Value)>>) {
    let hook = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook?key=secret", hook.local_addr().unwrap());
    let answering = move || {
        let answer = |status: &&str| {
            let (connection, _) = hook.accept().unwrap();
            let mut reader = BufReader::new(&connection);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            head.make_ascii_lowercase();
            let length = head.split("content-length: ").nth(1).unwrap();
            let length = length.lines().next().unwrap().parse().unwrap();
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            (&connection)
                .write_all(reply(status, "", "").as_bytes())
                .unwrap();
            (head, serde_json::from_slice(&body).unwrap())
        };
        statuses.iter().map(answer).collect()
    };
    (url, thread::spawn(answering))
}

#[test]
fn a_webhook_gets_each_change_until_it_takes_it() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-webhook"));
    round(&store, &server, "");
    server.say(robots(CLOSED));
    let (url, asked) = hook(&[
        "500 Internal Server Error",
        "302 Found",
        "500 Internal Server Error",
        "204 No Content",
    ]);
    let webhook = format!("--webhook {url} --contact bot@example.com");
    let said = on_web(
        &store,
        &format!("watch --once --json {webhook} {}", server.url("/")),
    );
    let event: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(said.code, 2);
    let due = "is still due to the webhook at 127.0.0.1: it answered 500\nhelp: \
        the next watch with this URL delivers it, but not one with another URL";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    assert_eq!(round(&store, &server, &webhook), (vec![], 1));
    for (head, body) in asked.join().unwrap() {
        assert!(
            head.starts_with("post /hook?key=secret http/1.1\r\n"),
            "{head}"
        );
        assert!(
            head.contains("\r\nuser-agent: verger/")
                && head.contains(" (reads robots.txt; bot@example.com)\r\n"),
            "{head}"
        );
        assert_eq!(
            (&body["id"], &body["changes"]),
            (&event["id"], &event["changes"])
        );
    }
}

#[test]
fn a_receiver_with_a_name_goes_on_at_another_url_and_shares_nothing_with_others() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-receiver"));
    for name in ["", "--receiver team", "--receiver file"] {
        round(&store, &server, name);
    }
    let (old, _) = hook(&["301 Moved Permanently"; 3]);
    let (new, asked) = hook(&["200 OK"]);
    round(&store, &server, &format!("--receiver team --webhook {old}"));
    server.say(robots(CLOSED));
    let team = "watch --once --receiver team --webhook";
    let said = on_web(&store, &format!("{team} {old} {}", server.url("/")));
    assert_eq!(said.code, 2);
    let due = "it answered 301, and redirects are not followed\nhelp: give the URL that it leads to; \
        the next watch with a receiver named `team` delivers it, even to another URL";
    assert!(said.stderr.contains(due), "{}", said.stderr);
    let said = on_web(&store, &format!("{team} {new} {}", server.url("/")));
    assert_eq!((said.code, &*said.stdout), (1, ""), "{}", said.stderr);
    assert_eq!(asked.join().unwrap()[0].1["event"], "changed");
    // What one watch printed is still a change to those with other names.
    for name in ["", "--receiver file"] {
        let (events, code) = round(&store, &server, name);
        assert_eq!((events.len(), code), (1, 1), "{name}");
    }
}

/// `HTTP_PROXY` in capitals is not read, and `HTTPS_PROXY` is for https alone.
#[test]
fn a_webhook_is_asked_by_the_rules_about_proxies_and_gets_what_a_chat_shows() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-proxies"));
    round(&store, &server, "");
    let watch = |arguments: &str, variables: [(&str, &str); 2]| {
        let mut watch = command();
        watch.args("watch --once --webhook-format slack --allow-address 127.0.0.0/8".split(' '));
        watch.arg("--store").arg(&store).arg(server.url("/"));
        watch.args(arguments.split(' '));
        watch.envs(variables);
        let said = watch.output().unwrap();
        let stderr = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said.status.code(), Some(1), "{stderr}");
        String::from_utf8(said.stdout).unwrap()
    };
    server.say(robots(CLOSED));
    let (url, asked) = hook(&["200 OK"]);
    let dead = "http://127.0.0.1:9";
    let variables = [("HTTP_PROXY", dead), ("HTTPS_PROXY", dead)];
    let printed = watch(&format!("--webhook {url}"), variables);
    let (_, body) = &asked.join().unwrap()[0];
    let (first, rest) = printed.trim_end().split_once('\n').unwrap();
    assert_eq!(
        *body,
        serde_json::json!({"text": format!("{first}\n```\n{rest}\n```")})
    );
    server.say(robots(OPEN));
    let (proxy, asked) = hook(&["200 OK"]);
    let proxy = proxy.replace("/hook?key=secret", "");
    let variables = [("http_proxy", &*proxy), ("no_proxy", "127.0.0.1")];
    watch("--webhook http://192.0.2.1/hook", variables);
    let (head, _) = &asked.join().unwrap()[0];
    let expected = "post http://192.0.2.1/hook http/1.1\r\n";
    assert!(head.starts_with(expected), "{head}");
}

#[cfg(unix)]
#[test]
fn a_watch_goes_on_until_a_signal() {
    let (server, store) = (Server::saying(robots(OPEN)), new_store("watch-signal"));
    let mut watch = command();
    watch.args([
        "watch",
        "--every",
        "1s",
        "--json",
        "--allow-address",
        "127.0.0.0/8",
        "--store",
    ]);
    watch.arg(&store).arg(server.url("/"));
    let mut child = watch
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut notes = BufReader::new(child.stderr.take().unwrap());
    let mut note = String::new();
    notes.read_line(&mut note).unwrap();
    assert_eq!(
        note,
        "note: watching 1 site until Ctrl-C: changes are printed as they happen\n"
    );
    // The first fetch must have seen the old file.
    while server.requests().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    for body in [CLOSED, OPEN] {
        let seen = server.requests().len();
        while server.requests().len() == seen {
            thread::sleep(Duration::from_millis(5));
        }
        server.say(robots(body));
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let event: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(event["event"], "changed");
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-s", "TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn wrong_arguments_say_why() {
    let store = new_store("watch-wrong");
    for (arguments, expected) in [
        ("watch --every 0s h.example", "write at least 1s"),
        (
            "watch --webhook ftp://h.example/ h.example",
            "the scheme `ftp` is not http or https",
        ),
        (
            "watch --webhook https://me:secret@h.example/ h.example",
            "a webhook URL cannot have a user or password",
        ),
        (
            "watch --same-meaning-as not-there.txt h.example",
            "not-there.txt",
        ),
        (
            "watch --receiver a/b h.example",
            "a name has 1 to 64 letters",
        ),
        ("watch", "missing argument: URL or HOST"),
    ] {
        let said = on_web(&store, arguments);
        assert_eq!(said.code, 2, "{arguments}");
        assert!(
            said.stderr.contains(expected),
            "{arguments}: {}",
            said.stderr
        );
    }
}
