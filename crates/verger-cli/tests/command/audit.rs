//! `audit`: the requests of access logs, held to the rules that were in force.

use serde_json::Value;

use crate::past::{Past, day};
use crate::server::new_store;
use crate::verger::{file, verger_on};

const FILE: &str =
    "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /$\n";

/// A line of a log: a crawler asked for a target at a time, in seconds since 1970.
pub(crate) fn line(time: u64, address: &str, target: &str, status: u16, agent: &str) -> String {
    let time = jiff::Timestamp::from_second(i64::try_from(time).unwrap()).unwrap();
    let time = time.strftime("%d/%b/%Y:%H:%M:%S +0000");
    format!(
        "{address} - - [{time}] \"GET {target} HTTP/1.1\" {status} 0 \"-\" \"Mozilla/5.0 (compatible; {agent}/1.0)\"\n"
    )
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The lines of an audit in JSON: of the logs, then of the crawlers.
pub(crate) fn audited(log: &str, arguments: &str) -> Vec<Value> {
    lines(&verger_on(log, &format!("audit --format json {arguments} -")).quietly(0))
}

#[test]
fn what_was_disallowed_is_counted_by_line() {
    let robots = file("audit-counted.txt", FILE);
    let mut log = String::new();
    for (nth, target) in ["/", "/a", "/robots.txt", "/b?c"].into_iter().enumerate() {
        log += &line(day(1) + nth as u64, "192.0.2.1", target, 200, "GPTBot");
    }
    log += &line(day(1), "192.0.2.2", "/private/x", 200, "bingbot");
    log += &line(day(1), "192.0.2.2", "/public", 200, "bingbot");
    log += &line(day(1), "192.0.2.3", "/private/x", 200, "Firefox");
    log += "no line of this format\n";
    let said = verger_on(
        &log,
        &format!("audit --format json --robots {} -", robots.display()),
    );
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            0,
            "warning: 1 of 8 lines cannot be read and is not counted\n"
        )
    );
    let said = lines(&said.stdout);
    assert_eq!(
        [
            &said[0]["lines"],
            &said[0]["of_crawlers"],
            &said[0]["other_clients"],
            &said[0]["not_read"]
        ],
        [8, 6, 1, 1]
    );
    let [gptbot, bingbot] = &said[1..] else {
        panic!("{said:?}")
    };
    assert_eq!(
        [&gptbot["crawler"], &gptbot["check"]],
        ["gptbot", "unverifiable"]
    );
    assert_eq!(
        [
            &gptbot["requests"],
            &gptbot["allowed"],
            &gptbot["disallowed"]
        ],
        [4, 1, 2]
    );
    assert_eq!(gptbot["robots_txt"]["served"], 1);
    let by = &gptbot["disallowed_lines"][0];
    assert_eq!(
        (&by["line"], &by["rule"], &by["requests"]),
        (&5.into(), &"Disallow: /".into(), &2.into())
    );
    let sample = &by["samples"][1];
    assert_eq!(
        (&sample["log_line"], &sample["target"]),
        (&4.into(), &"/b?c".into())
    );
    assert_eq!(bingbot["disallowed_lines"][0]["line"], 2);
    assert_eq!([&bingbot["allowed"], &bingbot["disallowed"]], [1, 1]);
}

#[test]
fn a_change_of_rules_flips_the_answer_at_its_line() {
    let store = new_store("audit-change");
    let mut past = Past::of("https://audit.example", &store);
    past.body(day(1), "User-agent: *\nDisallow:\n");
    past.not_modified(day(4));
    past.body(day(4) + 60, "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(9));
    past.body(day(9) + 60, "User-agent: *\nDisallow: /b\n");
    drop(past);
    // A request an hour; of the first day there are no rules.
    let mut log = String::new();
    for hour in 0..24 * 10 {
        log += &line(
            day(0) + 1800 + hour * 3600,
            "192.0.2.1",
            "/a",
            200,
            "GPTBot",
        );
    }
    let arguments = format!(
        "--store {} --site audit.example --hold 30d",
        store.display()
    );
    let said = audited(&log, &arguments);
    let gptbot = &said[1];
    // Unknown: day 0. Allowed: days 1 to 3, and the last day but its first half hour, which comes
    // after the last change. Within grace: day 4. Disallowed: days 5 to 8.
    assert_eq!(
        ["unknown", "allowed", "within_grace", "disallowed"]
            .map(|key| gptbot[key].as_u64().unwrap()),
        [24, 72 + 24, 24, 96]
    );
    let line = &gptbot["disallowed_lines"][0];
    assert_eq!(
        (&line["line"], &line["authority"]),
        (&2.into(), &"https://audit.example".into())
    );
    assert_eq!(line["samples"][0]["log_line"], 24 * 5 + 1);
    let said = audited(&log, &format!("{arguments} --grace 0s"));
    assert_eq!([&said[1]["within_grace"], &said[1]["disallowed"]], [0, 120]);
    // Without the site no line says whose rules count.
    let said = audited(&log, &format!("--store {}", store.display()));
    assert_eq!([&said[0]["without_host"], &said[1]["unknown"]], [240, 240]);
}

/// A row for each version of a robots.txt, each with its hash and its time.
#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn evidence_names_the_robots_txt() {
    let store = new_store("audit-evidence");
    let (one, other) = (
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\n\nDisallow: /a\n",
    );
    let mut past = Past::of("https://audit.example", &store);
    // A week later it is still the same version, and a failure ends none.
    past.body(day(1), one);
    past.not_modified(day(12));
    past.status(day(13), 503);
    past.body(day(14), other);
    past.body(day(16), one);
    drop(past);
    let log = [
        line(day(2), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(3), "192.0.2.1", "/robots.txt", 200, "GPTBot"),
        line(day(13) + 60, "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(15), "192.0.2.1", "/robots.txt", 304, "bingbot"),
        line(day(15), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(17), "192.0.2.1", "/a", 200, "GPTBot"),
    ];
    let arguments = format!(
        "--store {} --site audit.example --hold 30d --grace 0s",
        store.display()
    );
    let said = audited(&log.concat(), &arguments);
    let time = |day: u64| {
        Value::from(
            jiff::Timestamp::from_second(i64::try_from(day).unwrap())
                .unwrap()
                .to_string(),
        )
    };
    let of = |body: &str| Value::from(verger_store::BodyHash::of(body.as_bytes()).to_string());
    let mut rows: Vec<_> = said
        .iter()
        .flat_map(|row| {
            row["disallowed_lines"]
                .as_array()
                .cloned()
                .unwrap_or_default()
        })
        .map(|row| {
            let keys = [
                "in_force_from",
                "in_force_until",
                "robots_sha256",
                "requests",
            ];
            keys.map(|key| row[key].clone())
        })
        .collect();
    rows.sort_by_key(|row| row[0].as_str().map(str::to_owned));
    let expected = [
        [time(day(1)), time(day(14)), of(one), 2.into()],
        [time(day(14)), time(day(16)), of(other), 1.into()],
        [time(day(16)), Value::Null, of(one), 1.into()],
    ];
    assert_eq!(rows, expected, "{said:?}");
    let samples: Vec<_> = said[1]["disallowed_lines"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row["samples"].as_array().unwrap())
        .map(|sample| sample["robots_request"].clone())
        .collect();
    let asked = serde_json::json!({"time": time(day(3)), "answer": "served"});
    assert_eq!(
        samples,
        [Value::Null, asked.clone(), asked.clone(), asked],
        "{said:?}"
    );
    assert_eq!(said[1]["purposes"], serde_json::json!(["ai-train"]));
    let shown = verger_on(log.concat(), &format!("audit {arguments} -")).quietly(0);
    let hash = of(other);
    for expected in [
        "yes    ai-train\n",
        &format!(
            "robots.txt {}, in force from ",
            &hash.as_str().unwrap()[..12]
        ),
        "/a (robots.txt served at ",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}

#[test]
fn a_fetch_that_failed_accuses_no_crawler() {
    let store = new_store("audit-failed");
    let mut past = Past::of("https://audit.example", &store);
    past.status(day(1), 503);
    past.body(day(3), "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(6));
    // The last good copy still counts.
    past.status(day(7), 503);
    past.status(day(9), 503);
    drop(past);
    let mut log = String::new();
    for number in [2, 5, 8] {
        log += &line(day(number), "192.0.2.1", "/a", 200, "GPTBot");
    }
    let arguments = format!(
        "--store {} --site audit.example --hold 30d",
        store.display()
    );
    let said = audited(&log, &arguments);
    let counts = ["unknown", "disallowed"].map(|key| said[1][key].as_u64().unwrap());
    assert_eq!(counts, [1, 2]);
}

#[test]
fn files_come_into_force_one_after_the_other() {
    let old = file("audit-old.txt", "User-agent: *\nDisallow: /b\n");
    let new = file("audit-new.txt", "User-agent: *\nDisallow: /a\n");
    let mut log = String::new();
    for number in [1, 3, 5] {
        log += &line(day(number), "192.0.2.1", "/a", 200, "GPTBot");
    }
    let arguments = format!(
        "--robots {} --robots @{}={}",
        old.display(),
        day(3),
        new.display()
    );
    let said = audited(&log, &arguments);
    assert_eq!(
        ["allowed", "within_grace", "disallowed"].map(|key| said[1][key].as_u64().unwrap()),
        [1, 1, 1]
    );
}

#[test]
fn what_could_not_be_read_cannot_be_obeyed() {
    let robots = file("audit-refused.txt", FILE);
    let log = [
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(1), "192.0.2.1", "/robots.txt", 403, "GPTBot"),
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
        line(day(1), "192.0.2.1", "/robots.txt", 200, "GPTBot"),
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
    ];
    let said = audited(&log.concat(), &format!("--robots {}", robots.display()));
    assert_eq!([&said[1]["disallowed"], &said[1]["robots_refused"]], [2, 1]);
    assert_eq!(
        [
            &said[1]["robots_txt"]["refused"],
            &said[1]["robots_txt"]["served"]
        ],
        [1, 1]
    );
}

#[test]
fn an_impostor_is_not_counted_against_the_operator() {
    let robots = file("audit-impostor.txt", FILE);
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-ranges");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let ranges = std::fs::File::create(directory.join("gptbot.json")).unwrap();
    let prefixes = "{\"prefixes\":[{\"ipv4Prefix\":\"192.0.2.0/24\"}]}";
    std::io::Write::write_all(&mut &ranges, prefixes.as_bytes()).unwrap();
    let downloaded = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day(2));
    ranges.set_modified(downloaded).unwrap();
    let mut log = line(day(1), "192.0.2.1", "/", 200, "GPTBot");
    for _ in 0..3 {
        log += &line(day(1), "198.51.100.9", "/a", 200, "GPTBot");
    }
    let arguments = format!(
        "--robots {} --checks {}",
        robots.display(),
        directory.display()
    );
    let said = audited(&log, &format!("{arguments} --fail-on disallowed"));
    let of = |line: &Value| {
        (
            line["check"].clone(),
            line["requests"].clone(),
            line["disallowed"].clone(),
        )
    };
    assert_eq!(of(&said[1]), ("verified".into(), 1.into(), 0.into()));
    assert_eq!(of(&said[2]), ("impostor".into(), 3.into(), 3.into()));
    log += &line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let failed = verger_on(
        &log,
        &format!("audit {arguments} --fail-on disallowed --anonymize -"),
    );
    assert_eq!(failed.code, 1, "{failed:?}");
    assert!(
        failed.stdout.contains(" 192.0.2.0/24 /a"),
        "{}",
        failed.stdout
    );
    assert!(!failed.stdout.contains("198.51.100.9"), "{}", failed.stdout);
    for (name, body, expected) in [
        (
            "other.json",
            "{}",
            "other.json` is not named as a document of address ranges is",
        ),
        (
            "ccbot.json",
            "<html>",
            "ccbot.json`: the document is neither JSON with `prefixes` nor",
        ),
    ] {
        std::fs::write(directory.join(name), body).unwrap();
        let failed = verger_on(&log, &format!("audit {arguments} -"));
        assert_eq!(failed.code, 2);
        assert!(failed.stderr.contains(expected), "{}", failed.stderr);
        std::fs::remove_file(directory.join(name)).unwrap();
    }
}

#[test]
fn a_crawl_delay_is_kept_or_not() {
    let robots = file(
        "audit-delay.txt",
        "User-agent: *\nCrawl-delay: 10\nDisallow:\n",
    );
    let mut log = String::new();
    for second in [0, 10, 19, 40] {
        log += &line(day(1) + second, "192.0.2.1", "/a", 200, "bingbot");
    }
    let said = audited(&log, &format!("--robots {}", robots.display()));
    let pace = &said[1]["crawl_delay"];
    let numbers = ["judged", "early", "delay_seconds", "shortest_gap_seconds"];
    assert_eq!(
        numbers.map(|key| pace[key].as_u64().unwrap()),
        [3, 1, 10, 9]
    );
}

#[test]
fn the_format_is_named_where_it_is_unusual() {
    let robots = file("audit-format.txt", FILE);
    let log = "1790086400.5 192.0.2.1 h.example /a 200 GPTBot/1.0\n";
    let format = "$msec $remote_addr $host $request_uri $status $http_user_agent";
    let arguments = [
        "audit",
        "--format",
        "csv",
        "--robots",
        robots.to_str().unwrap(),
        "--log-format",
        format,
        "-",
    ];
    let said = crate::verger::verger(arguments, log).quietly(0);
    let row = said.lines().nth(1).unwrap();
    assert_eq!(
        row,
        "gptbot,OpenAI,yes,unverifiable,1,2026-09-22T14:13:20Z,2026-09-22T14:13:20Z,0,0,0,1,0,0,0,0,0,ai-train"
    );
    let unknown = verger_on(log, &format!("audit --robots {} -", robots.display()));
    assert_eq!(unknown.code, 2);
    assert!(
        unknown
            .stderr
            .contains("no format that is known: name it with `--log-format`"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_log_that_cannot_be_read_does_not_hide_the_others() {
    let robots = file("audit-missing.txt", FILE);
    let log = file(
        "audit-there.log",
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
    );
    let robots = robots.display();
    let said = verger_on(
        "",
        &format!(
            "audit --format csv --robots {robots} audit-not-there.log {}",
            log.display()
        ),
    );
    assert_eq!(said.code, 2);
    assert!(
        said.stderr.contains("audit-not-there.log"),
        "{}",
        said.stderr
    );
    assert!(said.stdout.contains("\r\ngptbot,"), "{}", said.stdout);
    for (arguments, expected) in [
        (
            format!("audit --robots {robots} - -"),
            "standard input can be read once",
        ),
        (
            format!("audit --robots {robots} --store x.db -"),
            "rules come from the store or from files",
        ),
        (format!("audit --robots later={robots} -"), "invalid value"),
        ("audit --store audit-no-store.db -".to_owned(), "no store"),
    ] {
        let said = verger_on("", &arguments);
        assert_eq!(said.code, 2, "{arguments}");
        assert!(
            said.stderr.contains(expected),
            "{arguments}: {}",
            said.stderr
        );
    }
}

#[test]
fn lines_of_crawlers_without_a_path_are_apart_from_requests_and_say_what_helps() {
    let robots = file("audit-no-path.txt", FILE);
    let lines =
        "{\"user_agent\":\"GPTBot/1.0\",\"ts\":1790000000,\"asked\":\"/private\",\"ip\":\"192.0.2.1\"}\n"
            .repeat(3);
    let audit = |more: &str| {
        let audit = format!(
            "audit --robots {} --site a.example {more} -",
            robots.display()
        );
        verger_on(&lines, &audit)
    };
    let said = audit("--log-format json");
    let warning = "warning: no line of a known crawler in standard input, read as the format `json`, has a URL or a \
                   path, so that none can be judged (3 lines): `--json-field target=PATH` says where it is\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, warning));
    assert_eq!(
        said.stdout,
        "3 lines, 0 requests of known crawlers\n\
         3 lines of known crawlers, not counted: no URL or path is in them; of a log of JSON, \
         `--json-field` says where it is\n\
         no request of a known crawler\n"
    );
    let said = audit("--json-field path=asked --json-field time=ts").quietly(0);
    assert!(
        said.starts_with("3 lines, 3 requests of known crawlers, "),
        "{said}"
    );
    assert!(!said.contains("not counted"), "{said}");
}

#[test]
fn a_log_without_crawlers_says_so() {
    let robots = file("audit-none.txt", FILE);
    let log = line(day(1), "192.0.2.1", "/a", 200, "Firefox");
    let said = verger_on(&log, &format!("audit --robots {} -", robots.display())).quietly(0);
    assert_eq!(
        said,
        "1 line, 0 requests of known crawlers\nno request of a known crawler\n"
    );
    let endless = format!("{log}{}\n", "x".repeat(2 << 20));
    let said = verger_on(&endless, &format!("audit --robots {} -", robots.display()));
    assert!(
        said.stdout.contains("1 line longer than 1 MiB, left out"),
        "{said:?}"
    );
    let warning = "warning: 1 of 2 lines cannot be read and is not counted\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, warning));
}

#[test]
fn two_files_are_not_in_force_from_the_same_time_on() {
    let (one, other) = (file("audit-one.txt", FILE), file("audit-other.txt", FILE));
    for time in ["", "2026-11-20="] {
        let (one, other) = (one.display(), other.display());
        let arguments = format!("audit --robots {time}{one} --robots {time}{other} -");
        let said = verger_on("", &arguments);
        let expected = format!(
            "error: {one} and {other} would be in force from the same time on: give a time, \
             `--robots TIME=FILE`\n"
        );
        assert_eq!((said.code, said.stdout.as_str()), (2, ""));
        assert_eq!(said.stderr.replace('`', ""), expected.replace('`', ""));
    }
}

#[test]
fn a_log_in_another_format_is_an_error_in_every_format() {
    let robots = file("audit-other-format.txt", FILE);
    let combined = line(day(1), "192.0.2.1", "/a", 200, "GPTBot").repeat(13);
    let robots = robots.display();
    let expected = "error: no line of standard input can be read as the format `json` (13 lines): \
                    name its own with `--log-format`\n";
    for shown in ["human", "json", "csv"] {
        let arguments = format!(
            "audit --robots {robots} --log-format json --fail-on disallowed --format {shown} -"
        );
        let said = verger_on(&combined, &arguments);
        assert_eq!((said.code, said.stderr.as_str()), (2, expected), "{shown}");
        // A single line of the format: the others are said, and the exit code is that of the requests.
        let some = "{\"user_agent\":\"GPTBot/1.0\",\"ts\":1790000000,\"uri\":\"/private\",\"ip\":\"192.0.2.1\"}\n";
        let said = verger_on(format!("{combined}\n{some}"), &arguments);
        let warning = "warning: 13 of 14 lines cannot be read and are not counted\n";
        assert_eq!((said.code, said.stderr.as_str()), (1, warning), "{shown}");
        // A log without a line has no wrong one.
        let said = verger_on("\n\n", &arguments);
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{shown}");
    }
}
