//! Which rules were in force, and which crawlers obeyed them. The verdict depends on the
//! observations, not on where a period begins.

use std::ops::Range;
use std::time::Duration;

use serde_json::{Value, json};
use verger::{Dialect, TargetPath};
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::ReadAs;
use verger_audit::{FileRules, Judgement, RulesHistory, RulesSource, StoreRules};
use verger_crawlers::Registry;
use verger_store::{BodyHash, MemoryStore, StoreError};

use crate::past::{Past, day};
use crate::run::{Auditing, Said, file, in_force, line, shown};

const DAY: u64 = 86_400;

/// Seconds since 1970.
const SEEN: u64 = day(0);

const FILE: &str =
    "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /$\n";

/// Audits a log against observations of `https://audit.example`, which are kept for 30 days.
fn by_past(past: &Past<MemoryStore>, grace: Duration, log: &str) -> Said {
    let profile = Profile::RFC9309.with_lifetime(Duration::from_secs(30 * DAY));
    let mut auditing =
        Auditing::of(StoreRules::new(&past.store, &profile)).at("https://audit.example");
    auditing.settings.grace = grace;
    auditing.log(log)
}

/// Returns a line with a request of `GPTBot` for `/a` at each of these times.
fn requests_for_a(times: impl IntoIterator<Item = u64>) -> String {
    let lines = times.into_iter();
    let lines = lines.map(|time| line(time, "192.0.2.1", "/a", 200, "GPTBot"));
    lines.collect()
}

#[test]
fn what_was_disallowed_is_counted_by_line() {
    let mut log = String::new();
    for (nth, target) in ["/", "/a", "/robots.txt", "/b?c"].into_iter().enumerate() {
        log += &line(day(1) + nth as u64, "192.0.2.1", target, 200, "GPTBot");
    }
    log += &line(day(1), "192.0.2.2", "/private/x", 200, "bingbot");
    log += &line(day(1), "192.0.2.2", "/public", 200, "bingbot");
    log += &line(day(1), "192.0.2.3", "/private/x", 200, "Firefox");
    log += "no line of this format\n";
    let bytes = log.len() as u64;
    let said = Auditing::by(FILE).log(log);
    assert_eq!(said.read, [(8, bytes)]);
    assert_eq!(
        said.warnings,
        ["1 of 8 lines cannot be read and is not counted"]
    );
    let [logs, gptbot, bingbot] = &said.lines[..] else {
        panic!("{said:?}")
    };
    let keys = "lines of_crawlers other_clients not_read grace_seconds range_documents";
    assert_eq!(shown(logs, keys), "8 6 1 1 86400 0");
    let keys = "crawler check requests allowed disallowed";
    assert_eq!(shown(gptbot, keys), "gptbot unverifiable 4 1 2");
    assert_eq!(gptbot["robots_txt"]["served"], 1);
    let by = &gptbot["disallowed_lines"][0];
    assert_eq!(shown(by, "line rule requests"), "5 Disallow: / 2");
    assert_eq!(shown(&by["samples"][1], "log_line target"), "4 /b?c");
    assert_eq!(bingbot["disallowed_lines"][0]["line"], 2);
    assert_eq!(shown(bingbot, "allowed disallowed crawl_delay"), "1 1 null");
}

#[test]
fn lines_after_200_of_a_crawler_and_5000_of_all_are_counted_together() {
    let crawlers = Registry::bundled().iter();
    let crawlers = crawlers.filter(|it| !it.is_control_only()).take(30);
    let names = crawlers
        .clone()
        .map(|it| format!("User-agent: {}", it.own_token()));
    let rules = (0..201).map(|rule| format!("Disallow: /{rule}/"));
    let body = names.chain(rules).collect::<Vec<_>>().join("\n");
    let requests = crawlers.flat_map(|crawler| {
        let target = |rule| format!("/{rule}/");
        let agent = crawler.header_name();
        (0..201).map(move |rule| line(day(1), "192.0.2.1", &target(rule), 200, agent))
    });
    let log: String = requests.collect();
    let said = Auditing::by(&body).log(log);
    let rows = said.lines[1..].iter();
    let lines = rows.map(|row| row["disallowed_lines"].as_array().unwrap().len() as u64);
    let lines: Vec<_> = lines.collect();
    assert_eq!((lines.iter().max(), lines.iter().sum()), (Some(&200), 5000));
    let rows = said.lines[1..].iter();
    let others = rows.map(|row| row["disallowed_by_other_lines"].as_u64().unwrap());
    assert_eq!(others.sum::<u64>(), 30 * 201 - 5000);
}

#[test]
fn a_change_of_rules_flips_the_answer_at_its_line() {
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    past.body(day(1), "User-agent: *\nDisallow:\n");
    past.not_modified(day(4));
    past.body(day(4) + 60, "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(9));
    past.body(day(9) + 60, "User-agent: *\nDisallow: /b\n");
    // A request every hour. There are no rules for the first day.
    let log = requests_for_a((0..24 * 10).map(|hour| day(0) + 1800 + hour * 3600));
    let said = by_past(&past, Duration::from_secs(DAY), &log);
    let gptbot = &said.lines[1];
    // Unknown: day 0. Allowed: days 1 to 3, and the last day except its first half hour, which
    // comes after the last change. Within grace: day 4. Disallowed: days 5 to 8.
    let keys = "unknown allowed within_grace disallowed";
    assert_eq!(shown(gptbot, keys), "24 96 24 96");
    let line = &gptbot["disallowed_lines"][0];
    assert_eq!(shown(line, "line authority"), "2 https://audit.example");
    assert_eq!(line["samples"][0]["log_line"], 24 * 5 + 1);
    assert_eq!(line["samples"].as_array().unwrap().len(), 3);
    let said = by_past(&past, Duration::ZERO, &log);
    assert_eq!(shown(&said.lines[1], "within_grace disallowed"), "0 120");
    // Without the site, no line tells which rules apply.
    let said = Auditing::of(StoreRules::new(&past.store, &Profile::RFC9309)).log(log);
    assert_eq!(said.lines[0]["without_host"], 240);
    assert_eq!(said.lines[1]["unknown"], 240);
}

/// One row for each version of a robots.txt, with its hash and time.
#[test]
fn evidence_names_the_robots_txt() {
    let (one, other) = (
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\n\nDisallow: /a\n",
    );
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    // A week later it is still the same version, and a failure does not end it.
    past.body(day(1), one);
    past.not_modified(day(12));
    past.status(day(13), 503);
    past.body(day(14), other);
    // Of two within a second, the last one applies.
    past.body(day(16), "");
    past.body(day(16), one);
    past.not_modified(day(17));
    let log = [
        line(day(2), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(3), "192.0.2.1", "/robots.txt", 200, "GPTBot"),
        line(day(13) + 60, "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(15), "192.0.2.1", "/robots.txt", 304, "bingbot"),
        line(day(15), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(17), "192.0.2.1", "/a", 200, "GPTBot"),
    ];
    let said = by_past(&past, Duration::ZERO, &log.concat());
    let time = |day: u64| Timestamp::from_unix_seconds(day).to_string();
    let hash = |body: &str| BodyHash::new(body.as_bytes());
    let rows = said.lines.iter();
    let rows = rows.filter_map(|row| row["disallowed_lines"].as_array());
    let rows: Vec<&Value> = rows.flatten().collect();
    let keys = "in_force_from in_force_until robots_sha256 requests";
    let mut found: Vec<_> = rows.iter().map(|row| shown(row, keys)).collect();
    found.sort();
    let [first, second, third] = [day(1), day(14), day(16)].map(time);
    let expected = [
        format!("{first} {second} {} 2", hash(one)),
        format!("{second} {third} {} 1", hash(other)),
        format!("{third} null {} 1", hash(one)),
    ];
    assert_eq!(found, expected, "{said:?}");
    let samples = rows
        .iter()
        .flat_map(|row| row["samples"].as_array().unwrap());
    let samples: Vec<_> = samples.map(|sample| &sample["robots_request"]).collect();
    let asked = json!({"time": time(day(3)), "answer": "served"});
    assert_eq!(samples, [&Value::Null, &asked, &asked, &asked], "{said:?}");
    assert_eq!(said.lines[1]["purposes"], json!(["ai-train"]));
}

#[test]
fn a_fetch_that_failed_accuses_no_crawler() {
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    past.status(day(1), 503);
    past.body(day(3), "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(6));
    // The last good copy still applies.
    past.status(day(7), 503);
    past.status(day(9), 503);
    let log = requests_for_a([2, 5, 8].map(day));
    let said = by_past(&past, Duration::from_secs(DAY), &log);
    assert_eq!(shown(&said.lines[1], "unknown disallowed"), "1 2");
    // A refusal is a response of the site.
    past.status(day(20), 403);
    let mut auditing = Auditing::of(StoreRules::new(&past.store, &Profile::CAUTIOUS));
    auditing.settings.grace = Duration::ZERO;
    let log = requests_for_a([day(20) + 60]);
    let said = auditing.at("https://audit.example").log(log);
    let line = &said.lines[1]["disallowed_lines"][0];
    assert_eq!(shown(line, "line requests"), "null 1");
}

#[test]
fn a_fetch_that_failed_ends_no_doubt_about_which_rules_are_in_force() {
    let (closed, open) = (
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\nDisallow: /b\n",
    );
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    past.body(day(1), closed);
    past.status(day(5), 503);
    // The same if a week is read by itself.
    past.status(day(20), 503);
    past.status(day(21), 503);
    let asked = |past: &Past<_>| {
        let log = requests_for_a([3, 7, 22].map(day));
        let said = by_past(past, Duration::from_secs(60), &log);
        shown(&said.lines[1], "within_grace disallowed")
    };
    assert_eq!(asked(&past), "0 3");
    past.body(day(25), open);
    assert_eq!(asked(&past), "3 0");
}

#[test]
fn a_clock_that_was_ahead_does_not_change_the_order() {
    let (closed, open) = (
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\nDisallow: /b\n",
    );
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    past.body(day(5), closed);
    past.body(day(1), open);
    past.body(day(3), open);
    let log = requests_for_a([2, 4, 6].map(day));
    let said = by_past(&past, Duration::ZERO, &log);
    assert_eq!(shown(&said.lines[1], "allowed disallowed"), "2 1");
}

#[test]
fn what_follows_a_copy_that_grew_too_old_is_known() {
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://audit.example");
    past.body(day(1), "User-agent: *\nDisallow: /a\n");
    past.status(day(1) + DAY / 2, 404);
    let mut auditing = Auditing::of(StoreRules::new(&past.store, &Profile::DRAFT2019));
    auditing.settings.grace = Duration::ZERO;
    // The copy applies for a day, then the 404 until it expires.
    let hours = [18, 30, 42].map(|hour| day(1) + hour * 3600);
    let said = auditing
        .at("https://audit.example")
        .log(requests_for_a(hours));
    let keys = "disallowed allowed unknown";
    assert_eq!(shown(&said.lines[1], keys), "1 1 1");
}

#[test]
fn files_come_into_force_one_after_the_other() {
    let [first, second] = [0, day(3)].map(Timestamp::from_unix_seconds);
    let [old, new] =
        ["/b", "/a"].map(|path| in_force(&format!("User-agent: *\nDisallow: {path}\n")));
    let files = vec![(first, old), (second, new)];
    let of_b = line(day(1), "192.0.2.1", "/b", 200, "GPTBot");
    let log = of_b + &requests_for_a([1, 3, 5].map(day));
    let said = Auditing::of(FileRules::new(None, files)).log(log);
    let keys = "allowed within_grace disallowed";
    assert_eq!(shown(&said.lines[1], keys), "1 1 2");
    let lines = said.lines[1]["disallowed_lines"].as_array().unwrap();
    let in_force = |line| shown(line, "rule in_force_from in_force_until");
    let mut lines: Vec<_> = lines.iter().map(in_force).collect();
    lines.sort();
    let expected = [
        format!("Disallow: /a {second} null"),
        format!("Disallow: /b null {second}"),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn what_could_not_be_read_cannot_be_obeyed() {
    let of = |target, status| line(day(1), "192.0.2.1", target, status, "GPTBot");
    let robots = "/robots.txt";
    let log = [
        of("/a", 200),
        of(robots, 403),
        of("/a", 200),
        of(robots, 200),
        of("/a", 200),
    ];
    let said = Auditing::by(FILE).log(log.concat());
    let gptbot = &said.lines[1];
    assert_eq!(shown(gptbot, "disallowed robots_open"), "2 1");
    assert_eq!(shown(&gptbot["robots_txt"], "refused served"), "1 1");
}

#[test]
fn a_refusal_excuses_what_came_at_or_after_it() {
    let of = |second, target, status| line(day(1) + second, "192.0.2.1", target, status, "GPTBot");
    let refused_at = |second| of(second, "/robots.txt", 403);
    let log = [
        refused_at(5),
        of(4, "/a", 200),
        of(5, "/a", 200),
        of(6, "/a", 200),
    ];
    let said = Auditing::by(FILE).log(log.concat());
    assert_eq!(shown(&said.lines[1], "disallowed robots_open"), "1 2");
    // A later refusal does not change an earlier one, and a late line does not affect later
    // requests.
    let log = [
        refused_at(0),
        refused_at(3601),
        of(3600, "/a", 200),
        of(3602, "/robots.txt", 200),
        refused_at(3500),
        of(3603, "/a", 200),
    ];
    let said = Auditing::by(FILE).log(log.concat());
    assert_eq!(shown(&said.lines[1], "disallowed robots_open"), "1 1");
}

/// V-84. The profile defines the statuses and the lifetime of the response.
#[test]
fn an_answer_that_allows_everything_excuses_for_its_lifetime() {
    let of = |second, target, status| line(day(1) + second, "192.0.2.1", target, status, "GPTBot");
    for (name, status, after, excused) in [
        ("rfc9309", 403, DAY - 1, true),
        ("rfc9309", 403, DAY, false),
        ("rfc9309", 404, 1, true),
        ("rfc9309", 410, 1, true),
        ("rfc9309", 451, 1, true),
        ("rfc9309", 429, 1, false),
        ("rfc9309", 503, 1, false),
        ("rfc9309", 301, 1, false),
        ("rfc9309", 200, 1, false),
        ("draft2019", 429, 1, true),
        ("koster1996", 404, 6 * DAY, true),
        ("koster1996", 403, 1, false),
        ("cautious", 410, 1, true),
        ("cautious", 451, 1, false),
    ] {
        let mut auditing = Auditing::by(FILE);
        let profile = Profile::ALL.iter().find(|it| it.name == name).unwrap();
        auditing.settings.profile.clone_from(profile);
        let said = auditing.log(of(0, "/robots.txt", status) + &of(after, "/a", 200));
        let expected = if excused { "0 1" } else { "1 0" };
        let counted = shown(&said.lines[1], "disallowed robots_open");
        assert_eq!(counted, expected, "{name} {status} {after}");
        assert_eq!(said.has("disallowed"), Ok(!excused), "{name} {status}");
    }
}

#[test]
fn logs_are_read_in_the_order_of_their_first_requests() {
    let rules = "User-agent: *\nCrawl-delay: 10\nDisallow: /a\n";
    let of = |second, target, status| line(day(1) + second, "192.0.2.1", target, status, "GPTBot");
    // If read first, the refusal in the newer log would excuse the request in the older one.
    let (newer, older) = (
        of(100, "/robots.txt", 403) + &of(120, "/b", 200),
        [of(0, "/b", 200), of(1, "/b", 200), of(50, "/a", 200)].concat(),
    );
    let logs = [
        file(".log", newer),
        file(".log.1", older),
        file(".log.2", ""),
    ];
    let said = Auditing::by(rules).logs(&logs);
    assert_eq!(shown(&said.lines[1], "disallowed robots_open"), "1 0");
    let delay = &said.lines[1]["crawl_delay"];
    assert_eq!(shown(delay, "judged early shortest_gap_seconds"), "3 1 1");
    assert_eq!((said.has("delay"), said.warnings.len()), (Ok(true), 0));
}

#[test]
fn what_comes_after_a_later_request_has_an_unknown_delay() {
    let asked = |seconds: [u64; 3]| {
        let log = requests_for_a(seconds.map(|second| day(1) + second));
        Auditing::by("User-agent: *\nCrawl-delay: 10\nDisallow:\n").log(log)
    };
    // A line may be late by the duration of a response.
    let somewhat = asked([0, 910, 10]);
    assert_eq!(
        (somewhat.has("delay"), somewhat.warnings.len()),
        (Ok(false), 0)
    );
    let said = asked([0, 911, 10]);
    assert_eq!(
        said.has("delay"),
        Err(
            "`--fail-on delay` is undecided because not everything could be judged: 1 request of known crawlers whose preceding request is unknown"
        )
    );
    let expected = "1 request under a Crawl-delay came long after a later one in the logs, so the gap before it is \
                    unknown: sort the lines by time";
    assert_eq!(said.warnings, [expected]);
}

#[test]
fn a_crawl_delay_is_kept_or_not() {
    // The last line is out of order, which is not a gap.
    let times = [0, 10, 19, 40, 30].map(|second| day(1) + second);
    let log = requests_for_a(times);
    let said = Auditing::by("User-agent: *\nCrawl-delay: 10\nDisallow:\n").log(log);
    let keys = "judged early delay_seconds shortest_gap_seconds";
    assert_eq!(shown(&said.lines[1]["crawl_delay"], keys), "3 1 10 9");
    let said = Auditing::by("User-agent: *\nCrawl-delay: 0\n").log(requests_for_a(times));
    assert!(said.lines[1]["crawl_delay"].is_null());
}

/// Returns lines of `GPTBot` to many unknown hosts, then three to a known one.
fn to_many_hosts<S: RulesSource>(auditing: Auditing<S>) -> Said {
    let unknown = (0..11_000).map(|nth| format!("{} h{nth}.example /a GPTBot/1.3\n", day(2)));
    let known = format!("{} one.example /a GPTBot/1.3\n", day(2)).repeat(3);
    let format = "$msec $host $request_uri $http_user_agent";
    auditing
        .with_format(format)
        .log(unknown.collect::<String>() + &known)
}

#[test]
fn one_file_for_all_hosts_is_so_for_further_ones() {
    let file = "User-agent: GPTBot\nDisallow: /\n";
    let said = to_many_hosts(Auditing::by(file));
    assert_eq!(said.rows(), ["gptbot unverifiable 11003 11003 0"]);
    let lines: Vec<_> = said.read.iter().map(|(lines, _)| *lines).collect();
    assert_eq!(lines, [4096, 8192, 11_003]);
    assert!(said.read[0].1 > 0, "{:?}", said.read);
    assert!(!said.warnings.concat().contains("hosts"));
    // For further hosts, the preceding request is unknown.
    let slow = to_many_hosts(Auditing::by("User-agent: *\nCrawl-delay: 5\n"));
    let why = slow.has("delay").unwrap_err();
    assert!(
        why.contains("1,003 requests of known crawlers whose preceding request is unknown"),
        "{why}"
    );
    // Rules of a site apply to no other site. Only its own requests are judged.
    let one = Authority::from_url("https://one.example").unwrap();
    let rules = FileRules::new(Some(one), vec![(Timestamp::default(), in_force(file))]);
    let said = to_many_hosts(Auditing::of(rules));
    assert_eq!(said.rows(), ["gptbot unverifiable 11003 3 11000"]);
    assert!(!said.warnings.concat().contains("hosts"));
}

/// Each host has rules, which are unknown.
struct OfEachHost;

impl RulesSource for OfEachHost {
    fn history(
        &self,
        _: Option<&Authority>,
        _: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError> {
        Ok(RulesHistory::default())
    }

    fn needs_authority(&self) -> bool {
        true
    }

    fn needs_time(&self) -> bool {
        false
    }
}

#[test]
fn hosts_after_10_000_with_rules_are_not_held_to_them() {
    let said = to_many_hosts(Auditing::of(OfEachHost));
    assert_eq!(said.rows(), ["gptbot unverifiable 11003 0 11003"]);
    let start = "1,003 requests of known crawlers went to hosts beyond the first 10,000 with rules";
    assert!(said.warnings[1].starts_with(start), "{:?}", said.warnings);
}

#[test]
fn what_came_after_64_mib_of_bodies_is_unknown() {
    let mut past = Past::within(MemoryStore::new(1 << 30), "https://audit.example");
    for nth in 0..140 {
        let body = format!(
            "User-agent: *\nDisallow: /a\n# {nth}{}",
            "x".repeat(500_000)
        );
        past.body(day(0) + nth * 60, body);
    }
    let log = requests_for_a([30, 100 * 60, 139 * 60].map(|after| day(0) + after));
    let said = by_past(&past, Duration::ZERO, &log);
    assert_eq!(shown(&said.lines[1], "disallowed unknown"), "2 1");
}

#[test]
fn hosts_that_the_store_does_not_know_hide_no_request() {
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://one.example");
    past.body(day(1), "User-agent: GPTBot\nDisallow: /\n");
    past.not_modified(day(3));
    let profile = Profile::RFC9309.with_lifetime(Duration::from_secs(30 * DAY));
    let said = to_many_hosts(Auditing::of(StoreRules::new(&past.store, &profile)));
    assert_eq!(said.rows(), ["gptbot unverifiable 11003 3 11000"]);
    assert_eq!((said.has("disallowed"), said.warnings.len()), (Ok(true), 1));
    assert_eq!(said.lines[0]["of_unknown_hosts"], 11_000);
}

#[test]
fn what_could_not_be_judged_is_neither_found_nor_absent() {
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://one.example");
    past.body(day(1), "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(3));
    let profile = Profile::RFC9309.with_lifetime(Duration::from_secs(30 * DAY));
    let to = |day: u64, host: &str, target: &str| format!("{day} {host} {target} GPTBot/1.3\n");
    let allowed: &str = &to(day(2), "one.example", "/");
    let disallowed: &str = &to(day(2), "one.example", "/a");
    let invented: &str = &to(day(2), "invented.example", "/a");
    let before: &str = &to(day(0), "one.example", "/a");
    let dotted: &str = &to(day(2), "one.example.", "/a");
    let absolute: &str = &to(day(2), "-", "http://one.example/a");
    let hostless: &str = &to(day(2), "-", "/a");
    let no_path: &str = &to(day(2), "one.example", "a");
    let no_rules = "1 request of known crawlers without known rules";
    let no_paths = "1 line of known crawlers without a path";
    let no_site = "no request went to a site with a known robots.txt";
    let none = "";
    for (lines, what, expected) in [
        ([allowed, none], "disallowed", Ok(false)),
        ([allowed, invented], "disallowed", Ok(false)),
        ([allowed, before], "disallowed", Err(no_rules)),
        ([allowed, before], "delay", Err(no_rules)),
        ([allowed, before], "refused", Ok(false)),
        ([allowed, hostless], "disallowed", Err(no_rules)),
        ([disallowed, before], "disallowed", Ok(true)),
        ([allowed, no_path], "disallowed", Err(no_paths)),
        ([allowed, dotted], "disallowed", Ok(true)),
        ([allowed, absolute], "disallowed", Ok(true)),
        ([invented, none], "disallowed", Err(no_site)),
        (
            [allowed, none],
            "impostor",
            Err(
                "there are no address ranges or host names: use `--update-checks` or `--resolve` to get them",
            ),
        ),
    ] {
        let auditing = Auditing::of(StoreRules::new(&past.store, &profile));
        let format = "$msec $host $request_uri $http_user_agent";
        let said = auditing.with_format(format).log(lines.concat());
        match (said.has(what), expected) {
            (Err(why), Err(expected)) => assert_eq!(
                why,
                format!(
                    "`--fail-on {what}` is undecided because not everything could be judged: {expected}"
                )
            ),
            (found, expected) => assert_eq!(found, expected, "{lines:?}"),
        }
    }
}

/// V-60.
#[test]
fn a_body_that_was_seen_decides_for_a_day_or_as_long_as_it_is_held_wherever_a_span_begins() {
    let authority = Authority::from_url("https://a.example").unwrap();
    let profile = Profile::RFC9309;
    let mut past = Past::within(MemoryStore::new(1 << 20), "https://a.example");
    past.body(SEEN, "User-agent: *\nDisallow: /a\n");
    past.not_modified(SEEN + 40 * DAY);
    let store = past.store;
    let crawler = Registry::bundled().by_name("gptbot").unwrap();
    let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
    let judged = |profile: &Profile, after: u64, days_before: u64| {
        let time = Timestamp::from_unix_seconds(SEEN + after);
        let start = Timestamp::from_unix_seconds(SEEN + after - days_before * DAY);
        let during = start..time.after(Duration::from_secs(1));
        let source = StoreRules::new(&store, profile);
        let mut history = source.history(Some(&authority), during).unwrap();
        history.judge(
            time,
            Duration::from_secs(DAY),
            (0, crawler, ReadAs::default()),
            &target,
        )
    };
    let held = profile.clone().with_lifetime(Duration::from_secs(20 * DAY));
    for days_before in [1, 18, 19, 20, 30] {
        for (profile, lifetime) in [(&profile, DAY), (&held, 20 * DAY)] {
            let last = judged(profile, lifetime - 1, days_before);
            assert!(
                matches!(&last, Judgement::Disallowed(rule) if rule.line == Some(2)),
                "{days_before}: {last:?}"
            );
            assert_eq!(judged(profile, lifetime, days_before), Judgement::Unknown);
        }
    }
}
