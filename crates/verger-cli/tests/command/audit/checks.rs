//! `audit --resolve` and `audit --update-checks`.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use verger_testkit::name_server::{NameAnswer, NameServer};

use crate::audit::requests::line;
use crate::past::day;
use crate::server::{Server, reply, robots};
use crate::verger::{Said, command, empty_directory, file, run, verger_on};

const FILE: &str = "User-agent: *\nDisallow: /private\n";

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_secs()
}

#[test]
fn names_are_asked_for_and_kept() {
    let names = NameServer::answering(|name, _| {
        let answers = name.starts_with("2.");
        NameAnswer::Code(if answers { 3 } else { 5 })
    })
    .unwrap();
    let (checks_in, robots) = (
        empty_directory("audit-checks-names"),
        file("audit-names.txt", FILE),
    );
    let addresses = ["198.51.100.2", "198.51.100.3"];
    let log = addresses.map(|it| line(now(), it, "/private", 200, "Googlebot"));
    let (robots, directory) = (robots.display(), checks_in.display());
    let audit = format!("audit --robots {robots} --checks {directory}");
    let resolve = format!("--resolve --name-server {}", names.address());
    for (more, asked) in [(resolve.as_str(), 3), ("", 0)] {
        let before = names.questions().len();
        let said = verger_on(log.concat(), &format!("{audit} {more} --format csv -"));
        let checks: Vec<_> = said
            .stdout
            .lines()
            .skip(1)
            .filter_map(|it| it.split(',').nth(3))
            .collect();
        assert_eq!(
            (said.code, &checks[..]),
            (0, &["unverifiable", "impostor"][..]),
            "{more}: {said:?}"
        );
        let warning = "warning: name servers did not answer about 1 address: ";
        assert_eq!(said.stderr.starts_with(warning), asked > 0, "{said:?}");
        assert_eq!(names.questions().len() > before, asked > 0);
    }
    fs::write(checks_in.join("address-names.jsonl"), "no line\n").unwrap();
    let said = verger_on(log.concat(), &format!("{audit} -"));
    let said = said.refused();
    assert!(
        said.contains("line 1: ") && said.contains("verger.names/1"),
        "{said}"
    );
}

#[test]
fn a_file_with_another_name_is_a_warning() {
    let (checks_in, robots) = (
        empty_directory("audit-checks-other"),
        file("audit-other.txt", FILE),
    );
    fs::write(checks_in.join(".DS_Store"), "").unwrap();
    let arguments = format!(
        "audit --robots {} --checks {} -",
        robots.display(),
        checks_in.display()
    );
    let log = line(day(1), "192.0.2.1", "/", 200, "GPTBot");
    let said = verger_on(log, &arguments);
    assert!(
        said.code == 0 && said.stderr.starts_with("warning: `"),
        "{said:?}"
    );
    assert!(said.stderr.contains(".DS_Store` is ignored"), "{said:?}");
}

fn update(checks_in: &Path, from: &str, more: &str) -> Said {
    verger_on(
        "",
        &format!(
            "audit --update-checks --checks {} --checks-from {from} {more}",
            checks_in.display()
        ),
    )
}

const ALLOWED: &str = "--allow-address 127.0.0.0/8";

#[test]
fn documents_are_fetched_whole_or_the_one_before_is_kept() {
    let checks_in = empty_directory("audit-checks-update");
    let good = "{\"prefixes\":[{\"ipv4Prefix\":\"203.0.113.0/24\"}]}";
    let server = Server::of_pages(&[
        ("/ranges/gptbot.json", good),
        ("/ranges/ccbot.json", "-> ORIGIN/moved.json"),
        ("/moved.json", good),
    ]);
    // The address guard refuses this machine unless it is allowed.
    let refused = update(&checks_in, &server.url("/ranges"), "");
    let none = "0 documents of address ranges fetched";
    assert!(refused.stdout.starts_with(none), "{refused:?}");
    assert_eq!((refused.code, server.requests().len()), (2, 0));
    let said = update(&checks_in, &server.url("/ranges"), ALLOWED);
    let two = "2 documents of address ranges fetched into ";
    assert!(said.stdout.starts_with(two), "{said:?}");
    assert!(
        said.stderr.contains("/ranges/applebot.json: status 404\n"),
        "{said:?}"
    );
    assert_eq!(said.code, 2);
    let too_long = Server::saying(robots(&"192.0.2.0/24\n".repeat((16 << 20) / 13 + 1)));
    let said = update(&checks_in, &too_long.url("/"), ALLOWED);
    let problem = "gptbot.json: the document is larger than 16 MiB; the version of ";
    assert!(said.stderr.contains(problem), "{}", said.stderr);
    let failing = Server::saying(reply("503 Service Unavailable", "", good));
    assert_eq!(update(&checks_in, &failing.url("/"), ALLOWED).code, 2);
    for name in ["gptbot.json", "ccbot.json"] {
        assert_eq!(
            fs::read_to_string(checks_in.join(name)).unwrap(),
            good,
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(&checks_in).unwrap().count(), 2);
    for (arguments, expected) in [
        (
            "audit --checks-from https://h.example/ x.log",
            "--update-checks",
        ),
        (
            "audit --update-checks --checks-from ranges",
            "begins with https:// or http://",
        ),
        (
            "audit --update-checks --checks not/there",
            "cannot create the directory",
        ),
        ("audit", "missing argument: <LOG>"),
    ] {
        let said = verger_on("", arguments);
        assert_eq!(said.code, 2, "{arguments}");
        assert!(
            said.stderr.contains(expected),
            "{arguments}: {}",
            said.stderr
        );
    }
}

#[test]
fn what_was_fetched_is_used_without_being_named() {
    let state = empty_directory("audit-checks-state");
    let server = Server::saying(robots("192.0.2.0/24\n"));
    let robots_txt = file("audit-default.txt", FILE);
    let run_there = |arguments: &str, log: &str| {
        let mut command = command();
        command.env("XDG_STATE_HOME", &state);
        run(command.args(arguments.split_whitespace()), log)
    };
    let update = format!(
        "audit --update-checks --checks-from {} {ALLOWED}",
        server.url("/")
    );
    let said = run_there(&update, "");
    let checks_in = state.join("verger").join("checks");
    let expected = format!(
        "25 documents of address ranges fetched into {}\n",
        checks_in.display()
    );
    assert_eq!(said.quietly(0), expected);
    assert_eq!(server.requests().len(), 25);
    let log = [
        line(now(), "192.0.2.1", "/private", 200, "GPTBot"),
        line(now(), "198.51.100.1", "/private", 200, "GPTBot"),
    ];
    let audit = format!("audit --robots {} -", robots_txt.display());
    let said = run_there(&audit, &log.concat()).quietly(0);
    assert!(
        said.contains("\n25 documents of address ranges, read 20"),
        "{said}"
    );
    assert!(said.contains("\ngptbot   verified         1 "), "{said}");
    assert!(said.contains("\ngptbot   impostor         1 "), "{said}");
    // Ranges of today say little about a log of long ago, and that is said.
    let log = line(day(0), "198.51.100.1", "/private", 200, "GPTBot");
    let said = run_there(&audit, &log);
    assert!(
        said.stdout.contains("\ngptbot   unverifiable "),
        "{}",
        said.stdout
    );
    let warning = "warning: 25 of 25 documents of address ranges were not read within 30 days of the last request (2026-09-21)";
    assert!(said.stderr.contains(warning), "{}", said.stderr);
    // Both at once: what is fetched is said beside the answers.
    let both = run_there(
        &format!("{update} --format csv --robots {} -", robots_txt.display()),
        &log,
    );
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert!(
        both.stderr
            .contains("25 documents of address ranges fetched"),
        "{}",
        both.stderr
    );
    assert!(both.stdout.starts_with("crawler,"), "{}", both.stdout);
}
