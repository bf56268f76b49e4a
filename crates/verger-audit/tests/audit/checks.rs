//! Checks who sent a request, with published address ranges and host names.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use verger_access::Timestamp;
use verger_audit::{
    CheckDirectories, ChecksError, ConfirmedNames, NameSource, NamesFile, RequestCheck,
    RequestChecks,
};
use verger_crawlers::Registry;

use crate::past::day;
use crate::run::{Auditing, line, new_path};

const RANGES: &str = "{\"prefixes\":[{\"ipv4Prefix\":\"192.0.2.0/24\"}]}";

/// Reads a directory with a document downloaded at this time. Also returns the warnings.
fn read(
    directory: &Path,
    name: &str,
    document: &str,
    at: u64,
) -> Result<(RequestChecks, Vec<String>), ChecksError> {
    fs::create_dir_all(directory).unwrap();
    let path = directory.join(name);
    fs::write(&path, document).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(at))
        .unwrap();
    let directories = CheckDirectories {
        named: vec![directory.to_owned()],
        default: None,
    };
    let mut warnings = Vec::new();
    let read = directories.read(None, |warning| warnings.push(warning.to_string()));
    read.map(|(checks, _)| (checks, warnings))
}

/// Returns the address ranges of `GPTBot`, downloaded at this time: 192.0.2.0/24.
pub(crate) fn ranges(at: u64) -> RequestChecks {
    read(&new_path("-ranges"), "gptbot.json", RANGES, at)
        .unwrap()
        .0
}

#[test]
fn an_impostor_is_not_counted_against_the_operator() {
    let audited = |log: &str, anonymous: bool| {
        let mut auditing = Auditing::by("User-agent: GPTBot\nDisallow: /\nAllow: /$\n");
        auditing.checks = ranges(day(2));
        auditing.settings.anonymous = anonymous;
        auditing.log(log)
    };
    let impostors = line(day(1), "198.51.100.9", "/a", 200, "GPTBot").repeat(3);
    let log = line(day(1), "192.0.2.1", "/", 200, "GPTBot") + &impostors;
    let said = audited(&log, false);
    assert_eq!(
        said.rows(),
        ["gptbot verified 1 0 0", "gptbot impostor 3 3 0"]
    );
    assert_eq!(
        (said.has("disallowed"), said.has("impostor")),
        (Ok(false), Ok(true))
    );
    let said = audited(
        &(log + &line(day(1), "192.0.2.1", "/a", 200, "GPTBot")),
        true,
    );
    assert_eq!(said.has("disallowed"), Ok(true));
    let address = &said.lines[1]["disallowed_lines"][0]["samples"][0]["address"];
    assert_eq!(address, "192.0.2.0/24");
    assert!(!format!("{:?}", said.lines).contains("198.51.100.9"));
    assert_eq!(said.lines[0]["range_documents"], 1);
}

#[test]
fn ranges_that_are_old_at_the_last_request_are_named() {
    let old = "1 of 1 document of address ranges was not read within 30 days of the last request (2026-10-23), so \
               it shows no impostors: fetch it with `verger audit --update-checks`";
    for (read_at, expected) in [(day(1), Some(old)), (day(2), None)] {
        let mut auditing = Auditing::by("");
        auditing.checks = ranges(read_at);
        let said = auditing.log(line(day(32), "192.0.2.1", "/", 200, "GPTBot"));
        assert_eq!(said.old_ranges.as_deref(), expected);
    }
}

#[test]
fn a_document_that_is_none_is_named() {
    let error = read(&new_path("-ranges"), "ccbot.json", "<html>", day(1)).unwrap_err();
    let expected = "ccbot.json`: the document is neither JSON with `prefixes` nor";
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn a_file_with_another_name_is_left_out() {
    let directory = new_path("-ranges");
    let (_, warnings) = read(&directory, ".DS_Store", "{}", day(1)).unwrap();
    let shown = directory.display();
    let left_out = "ignored: a document of address ranges is named after the end of its URL, which `verger crawlers NAME` shows";
    assert_eq!(warnings, [format!("`{shown}/.DS_Store` is {left_out}")]);
    fs::write(directory.join("former.json"), RANGES).unwrap();
    let (checks, warnings) = read(&directory, "gptbot.json", RANGES, day(1)).unwrap();
    let both = format!("`{shown}/.DS_Store` and 1 other file are {left_out}");
    assert_eq!(warnings, [both]);
    let mut auditing = Auditing::by("");
    auditing.checks = checks;
    let said = auditing.log(line(day(1), "192.0.2.1", "/", 200, "GPTBot"));
    assert_eq!(said.rows(), ["gptbot verified 1 0 0"]);
}

#[test]
fn an_old_name_makes_no_impostor() {
    let entry = |address: &str, names: &str| {
        format!(
            "{{\"schema\":\"verger.names/1\",\"address\":\"{address}\",\"read_at\":\"@{}\",\"names\":[{names}]}}\n",
            day(40)
        )
    };
    let directory = new_path("-names");
    fs::create_dir_all(&directory).unwrap();
    let kept = entry("66.249.66.1", "\"a.googlebot.com\"") + &entry("198.51.100.2", "");
    fs::write(directory.join("address-names.jsonl"), kept).unwrap();
    for (time, of_other) in [(day(40), "impostor"), (day(0), "unverifiable")] {
        let of = |address| line(time, address, "/private", 200, "Googlebot");
        let mut auditing = Auditing::by("User-agent: *\nDisallow: /private\n");
        NamesFile::read(&directory)
            .unwrap()
            .add_to(&mut auditing.checks);
        let said = auditing.log(of("66.249.66.1") + &of("198.51.100.2"));
        let mut rows = said.rows();
        rows.sort_by_key(|row| row.contains(of_other));
        let other = format!("googlebot {of_other} 1 1 0");
        assert_eq!(rows, ["googlebot verified 1 1 0", &other]);
    }
    let mut auditing = Auditing::by("");
    let names = NamesFile::read(&directory).unwrap();
    names.add_to(&mut auditing.checks);
    // Name servers were not queried about the first address, and their answers say nothing about
    // the others.
    let of = |address, agent| line(day(40), address, "/", 200, agent);
    let others = ["GPTBot", "bingbot"].map(|agent| of("66.249.66.1", agent) + &of("-", agent));
    let said = auditing.log(of("203.0.113.9", "Googlebot") + &others.concat());
    assert_eq!(said.has("impostor"), Ok(false));
    let mut auditing = Auditing::by("");
    names.add_to(&mut auditing.checks);
    assert!(auditing.log(of("-", "Googlebot")).has("impostor").is_err());
    assert!(NamesFile::read(Path::new("no\0path")).is_err());
}

#[test]
fn a_file_of_names_has_the_newest_of_200_000_addresses() {
    const FIRST: u32 = u32::from_be_bytes([8, 8, 0, 0]);
    let directory = new_path("-many-names");
    fs::create_dir_all(&directory).unwrap();
    let mut names = NamesFile::read(&directory).unwrap();
    for nth in 0..=200_000 {
        let read_at = Timestamp::from_unix_seconds(day(u64::from(nth != 100_000)));
        names.set(Ipv4Addr::from(FIRST + nth).into(), read_at, Vec::new());
    }
    names.write().unwrap();
    let path = directory.join("address-names.jsonl");
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written.lines().count(), 200_000);
    assert!(!written.contains(&format!("\"{}\"", Ipv4Addr::from(FIRST + 100_000))));
    // Lines beyond the limit are not read.
    fs::write(path, written + "no line\n").unwrap();
    let mut checks = RequestChecks::default();
    let names = NamesFile::read(&directory).unwrap();
    names.add_to(&mut checks);
    fs::remove_dir_all(directory).unwrap();
    // Names of further addresses are not stored either, so these addresses are not queried.
    let own = || ConfirmedNames::Names(vec!["crawl.googlebot.com".to_owned()]);
    let (googlebot, address) = (
        Registry::bundled().by_name("googlebot").unwrap(),
        Ipv4Addr::new(66, 249, 66, 1),
    );
    for (address, check) in [
        (address, RequestCheck::Unverifiable),
        (Ipv4Addr::from(FIRST), RequestCheck::Verified),
    ] {
        checks.add_names(address.into(), own(), Timestamp::default());
        let checked = checks.check(googlebot, Some(address.into()), Timestamp::default());
        assert_eq!(checked, check);
    }
    assert!(!checks.wants_names(googlebot, address.into(), Timestamp::default()));
    assert!(checks.lacks_evidence(googlebot, Some(address.into())));
}

/// Records how many addresses are queried at once.
struct Asked(Vec<usize>);

impl NameSource for Asked {
    fn fresh_since(&self) -> Timestamp {
        Timestamp::default()
    }

    fn ask(&mut self, addresses: &BTreeSet<IpAddr>, _: &mut RequestChecks) {
        self.0.push(addresses.len());
    }
}

#[test]
fn names_of_2000_addresses_are_asked_for_at_once() {
    let addresses = (0..2001).map(|nth| format!("203.0.{}.{}", 100 + nth / 250, nth % 250));
    let lines = addresses.map(|address| line(day(1), &address, "/", 200, "Googlebot"));
    let mut asked = Asked(Vec::new());
    let said = Auditing::by("").log_asking(lines.collect::<String>(), Some(&mut asked));
    assert_eq!(asked.0, [2000, 1]);
    assert_eq!(said.rows(), ["googlebot unverifiable 2001 0 0"]);
}

#[test]
fn a_request_under_a_token_for_rules_is_an_impostors() {
    let agents = [
        "Mozilla/5.0 (compatible; Google-Extended/1.0)",
        "Mozilla/5.0 (compatible; Googlebot/2.1; Google-Extended)",
        "Applebot-Extended/0.1",
    ];
    let requests = agents.map(|agent| line(day(1), "203.0.113.9", "/a", 200, agent));
    let said = Auditing::by("User-agent: *\nDisallow: /\n").log(requests.concat());
    let rows = &said.lines[1..];
    let names: Vec<_> = rows.iter().map(|it| &it["crawler"]["name"]).collect();
    assert_eq!(rows.len(), 2, "{names:?}");
    assert!(rows.iter().all(|it| it["check"] == "impostor"), "{rows:?}");
}
