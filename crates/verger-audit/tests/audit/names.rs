//! Host names, queried while logs are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use verger_audit::{CheckDirectories, NameAsker, NamesFile};
use verger_client::{DnsResolver, one_thread_runtime};
use verger_testkit::name_server::{Family, NameAnswer, NameServer};

use crate::run::{Auditing, Said, line, new_path};

const FILE: &str = "User-agent: *\nDisallow: /private\n";

/// Audits a log with the names stored in a directory, and queries a name server for more. Also
/// returns the message about addresses without an answer.
fn audited(log: &str, directory: &Path, server: Option<&NameServer>) -> (Said, Option<String>) {
    let directories = CheckDirectories {
        named: vec![directory.to_owned()],
        default: None,
    };
    let written = directories.made().unwrap();
    let (checks, kept) = directories.read(Some(written), |_| ()).unwrap();
    let mut auditing = Auditing::by(FILE);
    auditing.checks = checks;
    let Some(server) = server else {
        return (auditing.log(log), None);
    };
    let resolver = DnsResolver::asking([server.address()]);
    let mut asker = NameAsker::new(one_thread_runtime().unwrap(), resolver, kept);
    let said = auditing.log_asking(log, Some(&mut asker));
    asker.keep().unwrap();
    (said, asker.unanswered().map(|it| it.to_string()))
}

/// Returns current requests of a crawler from these addresses.
fn requests(agent: &str, addresses: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let addresses = addresses.into_iter();
    let lines = addresses.map(|it| line(now.as_secs(), it.as_ref(), "/", 200, agent));
    lines.collect()
}

/// Returns `crawler check requests` for each crawler.
fn rows(said: &Said) -> Vec<String> {
    let rows = said.rows().into_iter();
    rows.map(|row| row.trim_end_matches(" 0 0").to_owned())
        .collect()
}

fn reversed(address: &str) -> String {
    let mut bytes: Vec<_> = address.split('.').collect();
    bytes.reverse();
    format!("{}.in-addr.arpa", bytes.join("."))
}

/// Returns the names queried over UDP for an address family, after the first `after` questions, in
/// lower case, sorted and without duplicates: a question is repeated if its answer is late.
fn asked(server: &NameServer, family: Family, after: usize) -> Vec<String> {
    let questions = server.questions().into_iter().skip(after);
    let questions = questions.filter(|it| it.family == family && !it.is_over_tcp);
    let mut names: Vec<_> = questions.map(|it| it.name.to_ascii_lowercase()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns a name server with addresses of every kind.
fn names_of_every_kind() -> NameServer {
    let names = |names: &[&str]| NameAnswer::Names(names.iter().map(|&it| it.to_owned()).collect());
    let addresses = |address: &str| NameAnswer::Addresses(vec![address.parse().unwrap()]);
    let of_evil = ["evilgooglebot.com", "googlebot.com.evil.example"];
    let of_googlebot = ["other.example", "Crawl-1.Googlebot.com"];
    let answers = BTreeMap::from([
        (reversed("66.249.66.1"), names(&of_googlebot)),
        ("crawl-1.googlebot.com".to_owned(), addresses("66.249.66.1")),
        (reversed("198.51.100.2"), names(&["crawl-2.googlebot.com"])),
        ("crawl-2.googlebot.com".to_owned(), addresses("203.0.113.5")),
        (reversed("198.51.100.3"), names(&of_evil)),
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

#[test]
fn names_verify_where_they_have_the_address() {
    let (server, directory) = (names_of_every_kind(), new_path("-names"));
    let of_googlebot = (2..=6).map(|last| format!("198.51.100.{last}"));
    let of_googlebot: Vec<_> = of_googlebot.chain(["66.249.66.1".to_owned()]).collect();
    let log = requests("Googlebot", &of_googlebot)
        + &requests("Googlebot", ["10.0.0.1", "66.249.66.1"])
        + &requests("bingbot", ["198.51.100.7"])
        + &requests("GPTBot", ["198.51.100.8"])
        + &requests("Firefox", ["198.51.100.9"]);
    let (said, unanswered) = audited(&log, &directory, Some(&server));
    let expected = [
        "googlebot verified 2",
        "googlebot impostor 3",
        "googlebot unverifiable 3",
        "bingbot unverifiable 1",
        "gptbot unverifiable 1",
    ];
    let in_order = |said: &Said| {
        let mut rows = rows(said);
        rows.sort_by_key(|row| expected.iter().position(|it| it == row));
        rows
    };
    assert_eq!(in_order(&said), expected);
    let unanswered_two = "name servers did not answer about 2 addresses: their requests are not checked by host name";
    assert_eq!(unanswered.as_deref(), Some(unanswered_two));
    // Each address is queried once, and only if its crawler is recognized by host name. Only names
    // of an operator are resolved.
    let of_bing = "198.51.100.7".to_owned();
    let addresses = of_googlebot.iter().chain([&of_bing]);
    let mut addresses: Vec<_> = addresses.map(|it| reversed(it)).collect();
    addresses.sort_unstable();
    assert_eq!(asked(&server, Family::Names, 0), addresses);
    let hosts = ["crawl-1", "crawl-2", "crawl-6"].map(|it| format!("{it}.googlebot.com"));
    assert_eq!(asked(&server, Family::Ipv4, 0), hosts);
    // Answers are stored: without a server the result is the same, and with it only failures are
    // queried again.
    let asked_before = server.questions().len();
    let (without, _) = audited(&log, &directory, None);
    assert_eq!(in_order(&without), expected);
    assert_eq!(
        in_order(&audited(&log, &directory, Some(&server)).0),
        expected
    );
    let failed = ["198.51.100.5", "198.51.100.6"].map(reversed);
    assert_eq!(asked(&server, Family::Names, asked_before), failed);
    let kept = directory.join("address-names.jsonl");
    let lines = fs::read_to_string(&kept).unwrap();
    assert_eq!(lines.lines().count(), 5, "{lines}");
    assert!(
        lines.contains("\"names\":[\"crawl-1.googlebot.com\"]"),
        "{lines}"
    );
    fs::write(&kept, lines + "no line\n").unwrap();
    let error = NamesFile::read(&directory).unwrap_err().to_string();
    assert!(
        error.contains("line 6: it does not follow verger.names/1"),
        "{error}"
    );
}

#[test]
fn name_servers_that_do_not_answer_are_not_asked_for_ever() {
    let server = NameServer::answering(|_, _| NameAnswer::Code(5)).unwrap();
    // In 100 zones.
    let addresses = (0..1000).map(|nth| format!("{}.51.100.{}", 20 + nth % 100, nth / 100));
    let directory = new_path("-refusing");
    let (said, unanswered) = audited(&requests("Googlebot", addresses), &directory, Some(&server));
    let unanswered = unanswered.unwrap();
    let expected = " addresses, 128 of them in a row, nor any other question, so the run skipped ";
    assert!(unanswered.contains(expected), "{unanswered}");
    let undecided = said.has("impostor").unwrap_err();
    let expected = "1,000 requests of known crawlers that could not be checked";
    assert!(undecided.contains(expected), "{undecided}");
    let questions = server.questions();
    let asked = questions.iter().filter(|it| !it.is_over_tcp).count();
    assert!((128..256).contains(&asked), "{asked}");
    assert_eq!(rows(&said), ["googlebot unverifiable 1000"]);
    assert!(!directory.join("address-names.jsonl").exists());
}

#[test]
fn a_reverse_zone_that_does_not_answer_is_given_up_for_itself() {
    let server = NameServer::answering(|name, _| match name.to_ascii_lowercase() {
        name if name.ends_with(".198.in-addr.arpa") => NameAnswer::Code(2),
        _ => NameAnswer::Code(3),
    })
    .unwrap();
    for (zones, named, end) in [(1, 51..52, ": "), (6, 51..56, " and others: ")] {
        let broken = (0..200 * zones).map(|nth| format!("198.{}.0.{}", 51 + nth / 200, nth % 200));
        let whole = (0..100).map(|nth| format!("203.0.113.{nth}"));
        let log = requests("Googlebot", broken.chain(whole));
        let before = server.questions().len();
        let (said, unanswered) = audited(&log, &new_path("-zone"), Some(&server));
        let unanswered = unanswered.unwrap();
        let counts = unanswered
            .split(' ')
            .filter_map(|word| word.parse::<u32>().ok());
        assert_eq!(counts.sum::<u32>(), 200 * zones, "{unanswered}");
        let named: Vec<_> = named.map(|nth| format!("198.{nth}.0.0/24")).collect();
        let named = format!("others in {}{end}", named.join(", "));
        for expected in ["addresses, so the run skipped", &named] {
            assert!(unanswered.contains(expected), "{unanswered}");
        }
        let mut rows = rows(&said);
        rows.sort_unstable();
        let unverifiable = format!("googlebot unverifiable {}", 200 * zones);
        assert_eq!(rows, ["googlebot impostor 100", &unverifiable]);
        assert!(server.questions().len() - before < 1000);
    }
}

#[test]
fn nothing_is_said_of_addresses_where_each_was_answered() {
    let server = NameServer::answering(|_, _| NameAnswer::Code(3)).unwrap();
    let log = requests("Googlebot", ["198.51.100.2"]);
    let directory = new_path("-answered");
    fs::create_dir(&directory).unwrap();
    // Old answers are queried again.
    let old = r#"{"schema":"verger.names/1","address":"198.51.100.2","read_at":"@0","names":[]}"#;
    fs::write(directory.join("address-names.jsonl"), old).unwrap();
    let (said, unanswered) = audited(&log, &directory, Some(&server));
    assert_eq!(
        (rows(&said), unanswered),
        (vec!["googlebot impostor 1".to_owned()], None)
    );
}

#[test]
fn fields_that_change_within_a_log_are_read_as_without_names() {
    let (server, directory) = (names_of_every_kind(), new_path("-changing"));
    let log = "#Fields: date time c-ip cs-uri-stem cs(User-Agent)\n\
               2026-11-20 10:00:00 198.51.100.3 /private Googlebot/2.1\n\
               #Fields: c-ip date time cs(User-Agent) cs-uri-stem\n\
               198.51.100.3 2026-11-20 10:00:01 Googlebot/2.1 /private\n";
    for server in [None, Some(&server)] {
        let (said, _) = audited(log, &directory, server);
        let disallowed = said.lines[1..]
            .iter()
            .map(|row| row["disallowed"].as_u64().unwrap());
        assert_eq!(disallowed.sum::<u64>(), 2, "{said:?}");
        assert_eq!(said.lines[0]["not_read"], 0, "{said:?}");
    }
}
