//! `audit`: requests in access logs, checked against the rules in force.

use serde_json::Value;

use crate::past::{Past, day};
use crate::server::new_store;
use crate::verger::{file, json_lines, verger_on};

const FILE: &str =
    "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\nAllow: /$\n";

/// Returns a line of a log: a request of a crawler for a target at a time, in seconds since 1970.
pub(crate) fn line(time: u64, address: &str, target: &str, status: u16, agent: &str) -> String {
    let time = jiff::Timestamp::from_second(i64::try_from(time).unwrap()).unwrap();
    let time = time.strftime("%d/%b/%Y:%H:%M:%S +0000");
    format!(
        "{address} - - [{time}] \"GET {target} HTTP/1.1\" {status} 0 \"-\" \"Mozilla/5.0 (compatible; {agent}/1.0)\"\n"
    )
}

/// Returns the JSON lines of an audit: one about the logs, then one for each crawler.
pub(crate) fn audited(log: &str, arguments: &str) -> Vec<Value> {
    json_lines(&verger_on(log, &format!("audit --format json {arguments} -")).quietly(0))
}

#[test]
fn evidence_names_the_robots_txt_and_addresses_may_be_shortened() {
    let store = new_store("audit-evidence");
    let robots = "User-agent: *\nDisallow: /a\n";
    Past::of("https://audit.example", &store).body(day(1), robots);
    let log = [
        line(day(1) + 60, "192.0.2.1", "/robots.txt", 200, "GPTBot"),
        line(day(15), "192.0.2.1", "/a", 200, "GPTBot"),
    ];
    let store = store.display();
    let rules = format!("--store {store} --site audit.example --hold 30d --grace 0s");
    let audit = format!("audit {rules} --anonymize --fail-on disallowed -");
    let said = verger_on(log.concat(), &audit).quietly(1);
    let hash = verger_store::BodyHash::new(robots.as_bytes()).to_string();
    for expected in [
        "yes    ai-train\n",
        &format!("robots.txt {}, in force since ", &hash[..12]),
        " 192.0.2.0/24 /a (robots.txt served at ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_file_may_have_a_time_and_what_cannot_be_checked_is_an_error() {
    let old = file("audit-old.txt", "User-agent: *\nDisallow: /b\n");
    let new = file("audit-new.txt", "User-agent: *\nDisallow: /a\n");
    let log: String = [1, 3, 5]
        .map(|number| line(day(number), "192.0.2.1", "/a", 200, "GPTBot"))
        .concat();
    let (old, new) = (old.display(), new.display());
    let rules = format!("--robots {old} --robots @{}={new}", day(3));
    let said = audited(&log, &rules);
    let keys = ["allowed", "within_grace", "disallowed"];
    assert_eq!(keys.map(|key| said[1][key].as_u64().unwrap()), [1, 1, 1]);
    let undecided = verger_on(&log, &format!("audit {rules} --fail-on impostor -"));
    let expected =
        "error: `--fail-on impostor` is undecided because not everything could be judged: ";
    assert!(undecided.stderr.contains(expected), "{undecided:?}");
    assert_eq!(undecided.code, 2);
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
        unknown.stderr.contains(
            "cannot detect the format of standard input\nhelp: name it with `--log-format`"
        ),
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
            "standard input can be read only once",
        ),
        (
            format!("audit --robots {robots} --store x.db -"),
            "`--store` and `--robots` both give the rules",
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
    let warning = "warning: no line of a known crawler in standard input, in the format `json`, has a URL or a path, \
                   so none can be judged (3 lines)\nhelp: name its field with `--json-field target=PATH`\n";
    assert_eq!((said.code, said.stderr.as_str()), (0, warning));
    assert_eq!(
        said.stdout,
        "3 lines, 0 requests of known crawlers\n\
         3 lines of known crawlers, not counted: they have no URL or path (in a JSON log, \
         `--json-field target=PATH` names the field)\n\
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
        said.stdout.contains("1 line longer than 1 MiB, skipped"),
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
            "error: {one} and {other} would be in force from the same time on\nhelp: give each a time: --robots \
             2026-11-20=robots.txt\n"
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
    let expected = "error: no line of standard input matches the format `json` (13 lines)\nhelp: name another one \
                    with `--log-format`\n";
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
