//! `audit --resolve` and `audit --update-checks`: whose requests are whose.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use verger_testkit::name_server::{Family, NameAnswer, NameServer};

use crate::audit::{audited, line};
use crate::past::day;
use crate::server::{Server, reply, robots};
use crate::verger::{Said, command, file, run, verger_on};

const FILE: &str = "User-agent: *\nDisallow: /private\n";

/// An empty directory; names must differ between tests.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("audit-checks-{name}"));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_secs()
}

fn reversed(address: &str) -> String {
    let mut octets: Vec<_> = address.split('.').collect();
    octets.reverse();
    format!("{}.in-addr.arpa", octets.join("."))
}

/// A name server with addresses of every kind.
fn names() -> NameServer {
    let names = |names: &[&str]| NameAnswer::Names(names.iter().map(|&it| it.to_owned()).collect());
    let addresses = |address: &str| NameAnswer::Addresses(vec![address.parse().unwrap()]);
    let answers = BTreeMap::from([
        (
            reversed("66.249.66.1"),
            names(&["other.example", "Crawl-1.Googlebot.com"]),
        ),
        ("crawl-1.googlebot.com".to_owned(), addresses("66.249.66.1")),
        (reversed("198.51.100.2"), names(&["crawl-2.googlebot.com"])),
        ("crawl-2.googlebot.com".to_owned(), addresses("203.0.113.5")),
        (
            reversed("198.51.100.3"),
            names(&["evilgooglebot.com", "googlebot.com.evil.example"]),
        ),
        (reversed("198.51.100.5"), NameAnswer::Code(2)),
        (reversed("198.51.100.6"), names(&["crawl-6.googlebot.com"])),
        ("crawl-6.googlebot.com".to_owned(), NameAnswer::Code(2)),
    ]);
    NameServer::answering(move |name, _| {
        let answer = answers.get(&name.to_ascii_lowercase());
        answer.cloned().unwrap_or(NameAnswer::Code(3))
    })
    .unwrap()
}

/// A request of each kind of address.
fn requests() -> String {
    let addresses = [
        ("66.249.66.1", "Googlebot"),
        ("198.51.100.2", "Googlebot"),
        ("198.51.100.3", "Googlebot"),
        ("198.51.100.4", "Googlebot"),
        ("198.51.100.5", "Googlebot"),
        ("198.51.100.6", "Googlebot"),
        ("198.51.100.7", "bingbot"),
        ("198.51.100.8", "GPTBot"),
        ("10.0.0.1", "Googlebot"),
        ("198.51.100.9", "Firefox"),
        ("66.249.66.1", "Googlebot"),
    ];
    let requests = addresses.map(|(address, agent)| line(now(), address, "/", 200, agent));
    requests.concat()
}

/// The check of each crawler's requests, and how many there were.
fn checks(said: &[Value]) -> BTreeMap<String, u64> {
    let rows = said[1..].iter().map(|row| {
        let name = format!(
            "{} {}",
            row["crawler"].as_str().unwrap(),
            row["check"].as_str().unwrap()
        );
        (name, row["requests"].as_u64().unwrap())
    });
    rows.collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn names_verify_where_they_have_the_address() {
    let (names, checks_in) = (names(), directory("names"));
    let robots = file("audit-names.txt", FILE);
    let log = requests();
    let arguments = format!(
        "--robots {} --checks {}",
        robots.display(),
        checks_in.display()
    );
    let resolve = format!("{arguments} --resolve --name-server {}", names.address());
    let expected = BTreeMap::from(
        [
            ("googlebot verified", 2),
            ("googlebot impostor", 3),
            ("googlebot unverifiable", 3),
            ("bingbot unverifiable", 1),
            ("gptbot unverifiable", 1),
        ]
        .map(|(name, requests)| (name.to_owned(), requests)),
    );
    let run = |arguments: &str| {
        let said = verger_on(&log, &format!("audit --format json {arguments} -"));
        assert_eq!(said.code, 0, "{}", said.stderr);
        let lines = said
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        (checks(&lines.collect::<Vec<Value>>()), said.stderr)
    };
    let (first, warned) = run(&resolve);
    assert_eq!(first, expected);
    assert!(
        warned.contains("the name servers did not answer about 2 addresses"),
        "{warned}"
    );
    // Each address once, and only those whose crawler is known by names; of names only those that an
    // operator gives to its hosts.
    let asked = |family| {
        let asked = names.questions();
        let asked = asked
            .iter()
            .filter(|it| it.family == family && !it.is_over_tcp);
        let mut asked: Vec<_> = asked.map(|it| it.name.to_ascii_lowercase()).collect();
        asked.sort_unstable();
        asked
    };
    let mut expected_names = [
        "66.249.66.1",
        "198.51.100.2",
        "198.51.100.3",
        "198.51.100.4",
        "198.51.100.5",
        "198.51.100.6",
        "198.51.100.7",
    ]
    .map(reversed);
    expected_names.sort_unstable();
    assert_eq!(asked(Family::Names), expected_names);
    assert_eq!(
        asked(Family::Ipv4),
        [
            "crawl-1.googlebot.com",
            "crawl-2.googlebot.com",
            "crawl-6.googlebot.com"
        ]
    );
    // What was said is kept: without `--resolve` nothing is asked, with it only what failed.
    let before = names.questions().len();
    assert_eq!(run(&arguments), (first.clone(), String::new()));
    assert_eq!(names.questions().len(), before);
    assert_eq!(run(&resolve).0, first);
    let again = &asked(Family::Names)[..];
    assert_eq!(again.len(), expected_names.len() + 2, "{again:?}");
    let kept = fs::read_to_string(checks_in.join("address-names.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 5, "{kept}");
    assert!(
        kept.contains("\"names\":[\"crawl-1.googlebot.com\"]"),
        "{kept}"
    );
    fs::write(
        checks_in.join("address-names.jsonl"),
        format!("{kept}no line\n"),
    )
    .unwrap();
    let failed = verger_on(&log, &format!("audit {arguments} -"));
    assert_eq!(failed.code, 2);
    assert!(
        failed
            .stderr
            .contains("line 6: it is no line of verger.names/1"),
        "{}",
        failed.stderr
    );
}

/// An audit that asks a name server about requests of Googlebot from some addresses.
fn resolved(
    name: &str,
    names: &NameServer,
    addresses: impl Iterator<Item = String>,
    more: &str,
) -> (Said, BTreeMap<String, u64>, usize) {
    let (checks_in, robots) = (directory(name), file("audit-refusing.txt", FILE));
    let log: String = addresses
        .map(|address| line(now(), &address, "/", 200, "Googlebot"))
        .collect();
    let arguments = format!(
        "audit --format json --robots {} --checks {} --resolve --name-server {} {more} -",
        robots.display(),
        checks_in.display(),
        names.address()
    );
    let said = verger_on(&log, &arguments);
    let rows = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let rows = checks(&rows.collect::<Vec<Value>>());
    let asked = names.questions();
    let asked = asked.iter().filter(|it| !it.is_over_tcp).count();
    (said, rows, asked)
}

#[test]
fn name_servers_that_do_not_answer_are_not_asked_for_ever() {
    let names = NameServer::answering(|_, _| NameAnswer::Code(5)).unwrap();
    // Of 100 zones.
    let addresses = (0..1000).map(|nth| format!("{}.51.100.{}", 20 + nth % 100, nth / 100));
    let (said, rows, asked) = resolved("refusing", &names, addresses, "--fail-on impostor");
    assert_eq!(said.code, 2, "{}", said.stderr);
    for expected in [
        " addresses, 128 of them in a row, nor any other question; they were not asked about ",
        "1,000 requests of known crawlers that could not be checked",
    ] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    assert!((128..256).contains(&asked), "{asked}");
    assert_eq!(
        rows,
        BTreeMap::from([("googlebot unverifiable".to_owned(), 1000)])
    );
    assert!(!directory("refusing").join("address-names.jsonl").exists());
}

#[test]
fn a_reverse_zone_that_does_not_answer_is_given_up_for_itself() {
    let names = NameServer::answering(|name, _| match name.to_ascii_lowercase() {
        name if name.ends_with(".51.198.in-addr.arpa") => NameAnswer::Code(2),
        _ => NameAnswer::Code(3),
    })
    .unwrap();
    let broken = (0..400).map(|nth| format!("198.51.{}.{}", nth % 2, nth / 2));
    let whole = (0..100).map(|nth| format!("203.0.113.{nth}"));
    let (said, rows, asked) = resolved("broken-zone", &names, broken.chain(whole), "");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let counts: Vec<u32> = said
        .stderr
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(counts.iter().sum::<u32>(), 400, "{}", said.stderr);
    for expected in ["addresses; they were not", "others in 198.51.0.0/"] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let expected = [("googlebot impostor", 100), ("googlebot unverifiable", 400)];
    let expected = expected.map(|(name, requests)| (name.to_owned(), requests));
    assert_eq!(rows, BTreeMap::from(expected));
    assert!(asked < 300, "{asked}");
}

#[test]
fn fields_that_change_within_a_log_are_read_as_without_names() {
    let names = names();
    let (checks_in, robots) = (directory("fields"), file("audit-fields.txt", FILE));
    let log = "#Fields: date time c-ip cs-uri-stem cs(User-Agent)\n\
               2026-11-20 10:00:00 198.51.100.3 /private Googlebot/2.1\n\
               #Fields: c-ip date time cs(User-Agent) cs-uri-stem\n\
               198.51.100.3 2026-11-20 10:00:01 Googlebot/2.1 /private\n";
    let arguments = format!(
        "--robots {} --checks {}",
        robots.display(),
        checks_in.display()
    );
    let without = audited(log, &arguments);
    let with = audited(
        log,
        &format!("{arguments} --resolve --name-server {}", names.address()),
    );
    for said in [&without, &with] {
        let disallowed = said[1..]
            .iter()
            .map(|row| row["disallowed"].as_u64().unwrap());
        assert_eq!(
            (disallowed.sum::<u64>(), &said[0]["not_read"]),
            (2, &0.into()),
            "{said:?}"
        );
    }
}

fn update(checks_in: &Path, from: &str, more: &str) -> crate::verger::Said {
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
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn documents_are_fetched_whole_or_the_one_before_is_kept() {
    let checks_in = directory("update");
    let old = fs::File::create(checks_in.join("bingbot.json")).unwrap();
    std::io::Write::write_all(&mut &old, b"192.0.2.0/24\n").unwrap();
    old.set_modified(UNIX_EPOCH + Duration::from_secs(day(0)))
        .unwrap();
    let good = "{\"prefixes\":[{\"ipv4Prefix\":\"203.0.113.0/24\"}]}";
    let server = Server::of_pages(&[
        ("/ranges/gptbot.json", good),
        ("/ranges/ccbot.json", "-> ORIGIN/moved.json"),
        ("/moved.json", good),
        ("/ranges/bingbot.json", "<html>"),
    ]);
    // The address guard refuses this machine unless it is allowed.
    let refused = update(&checks_in, &server.url("/ranges"), "");
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stdout
            .starts_with("0 documents of address ranges fetched"),
        "{}",
        refused.stdout
    );
    assert!(server.requests().is_empty());
    let said = update(&checks_in, &server.url("/ranges"), ALLOWED);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(
        said.stdout
            .starts_with("2 documents of address ranges fetched into "),
        "{}",
        said.stdout
    );
    let problem = "bingbot.json: the document is neither JSON with `prefixes` nor a list of networks, one a line; the one of 2026-09-21 is kept\n";
    assert!(said.stderr.contains(problem), "{}", said.stderr);
    assert!(
        said.stderr.contains("/ranges/applebot.json: status 404\n"),
        "{}",
        said.stderr
    );
    for (name, body) in [
        ("gptbot.json", good),
        ("ccbot.json", good),
        ("bingbot.json", "192.0.2.0/24\n"),
    ] {
        assert_eq!(
            fs::read_to_string(checks_in.join(name)).unwrap(),
            body,
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(&checks_in).unwrap().count(), 3);
    let too_long = Server::saying(robots(&"192.0.2.0/24\n".repeat((16 << 20) / 13 + 1)));
    let said = update(&checks_in, &too_long.url("/"), ALLOWED);
    assert!(
        said.stderr
            .contains("gptbot.json: the document has more than 16 MiB; the one of "),
        "{}",
        said.stderr
    );
    assert_eq!(
        fs::read_to_string(checks_in.join("gptbot.json")).unwrap(),
        good
    );
    let failing = Server::saying(reply("503 Service Unavailable", "", good));
    assert_eq!(update(&checks_in, &failing.url("/"), ALLOWED).code, 2);
    for (arguments, expected) in [
        (
            "audit --checks-from https://h.example/ x.log",
            "--update-checks",
        ),
        (
            "audit --update-checks --checks-from ranges",
            "begins with https:// or http://",
        ),
        ("audit --update-checks --checks not/there", "cannot be made"),
        ("audit", "<LOG>"),
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
    let state = directory("state");
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
