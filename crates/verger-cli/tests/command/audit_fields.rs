//! `audit`: logs whose lines lack a field, or have one that proves nothing.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::audit::line;
use crate::past::{Past, day};
use crate::server::new_store;
use crate::verger::{Said, file, verger, verger_on};

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n";

/// The rows of an audit as CSV: crawler, check, requests, disallowed and unknown.
fn rows(said: &Said) -> Vec<[String; 5]> {
    let rows = said.stdout.lines().skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split(',').collect();
        [0, 3, 4, 10, 11].map(|place| cells[place].to_owned())
    })
    .collect()
}

/// A directory with the address ranges of `GPTBot`: 192.0.2.0/24.
fn ranges(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    let path = directory.join("gptbot.json");
    fs::write(&path, "{\"prefixes\":[{\"ipv4Prefix\":\"192.0.2.0/24\"}]}").unwrap();
    let read_at = UNIX_EPOCH + Duration::from_secs(day(1));
    let document = fs::File::options().write(true).open(path).unwrap();
    document.set_modified(read_at).unwrap();
    directory
}

#[test]
fn an_address_that_the_client_may_have_written_proves_nothing() {
    let robots = file("audit-forged.txt", FILE);
    let ranges = ranges("audit-forged-ranges");
    let audit = |addresses: &str| {
        let log = line(day(1), addresses, "/a", 200, "GPTBot");
        let (robots, ranges) = (robots.display(), ranges.display());
        let audit =
            format!("audit --format csv --fail-on impostor --robots {robots} --checks {ranges} -");
        verger_on(log, &audit)
    };
    for (addresses, check, code) in [
        ("192.0.2.1", "verified", 0),
        ("192.0.2.1, 10.0.0.7", "verified", 0),
        ("8.8.8.8, 10.0.0.7", "impostor", 1),
        ("192.0.2.1, 8.8.8.8", "unverifiable", 2),
        ("8.8.8.8, 192.0.2.1", "unverifiable", 2),
    ] {
        let said = audit(addresses);
        let expected = ["gptbot", check, "1", "1", "0"].map(String::from);
        assert_eq!(
            (rows(&said), said.code),
            (vec![expected], code),
            "{addresses}"
        );
        let warning = "warning: no line of standard input has one address of its client that can be read: \
                       1 request of known crawlers cannot be verified\n";
        let undecided = "error: `--fail-on impostor` is not decided, since not everything could be judged: \
                         1 request of known crawlers that could not be checked\n";
        let is_read = check != "unverifiable";
        let expected = if is_read {
            String::new()
        } else {
            [warning, undecided].concat()
        };
        assert_eq!(said.stderr, expected, "{addresses}");
    }
}

#[test]
fn the_table_says_how_many_lines_have_no_address() {
    let robots = file("audit-hosts-of-clients.txt", FILE);
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot")
        + &line(day(1), "crawler.example", "/a", 200, "GPTBot");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-hosts-of-clients.html");
    let (robots, report) = (robots.display(), page.display());
    let audit = format!("audit --robots {robots} --report {report} -");
    let said = verger_on(log, &audit).quietly(0);
    let expected = "1 line of known crawlers without one address that can be read: unverifiable\n";
    assert!(said.contains(expected), "{said}");
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(&format!(">{}.</p>", expected.trim_end())),
        "{page}"
    );
}

#[test]
fn a_log_without_the_header_is_a_warning_and_fails_what_is_to_fail() {
    let robots = file("audit-headless.txt", FILE);
    let robots = robots.to_str().unwrap();
    let w3c = "#Fields: date time c-ip cs-uri-stem sc-status\n\
               2026-11-20 10:00:00 192.0.2.1 /a 200\n";
    let common = "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n";
    let combined =
        "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"-\"\n";
    let json = "{\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"GPTBot/1.3\"}\n";
    for (log, more, expected) in [
        (
            common,
            &["--log-format", "common"][..],
            "let the server log it, as the format `combined` does",
        ),
        (
            common,
            &[],
            "let the server log it, as the format `combined` does",
        ),
        (combined, &[], "each has nothing, or `-`, in its place"),
        (w3c, &[], "let the server log the field cs(User-Agent)"),
        (
            json,
            &["--json-field", "user_agent=wrong.path"],
            "`--json-field user_agent=PATH` says where it is",
        ),
    ] {
        for format in ["csv", "json", "human"] {
            let audit = |fail_on: &[&str]| {
                let arguments = [
                    &["audit", "--format", format, "--robots", robots],
                    more,
                    fail_on,
                    &["-"],
                ];
                verger(arguments.concat(), log)
            };
            let said = audit(&[]);
            assert_eq!(said.code, 0, "{said:?}");
            assert!(
                said.stderr
                    .starts_with("warning: no line of standard input, "),
                "{said:?}"
            );
            assert!(said.stderr.contains(expected), "{said:?}");
            let said = audit(&["--fail-on", "disallowed"]);
            assert_eq!(said.code, 2, "{said:?}");
            assert!(
                said.stderr
                    .starts_with("error: no line of standard input, "),
                "{said:?}"
            );
            assert!(said.stderr.contains(expected), "{said:?}");
        }
    }
    // One line with it is enough, and other logs are counted.
    let whole = file(
        "audit-whole.log",
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
    );
    let arguments = format!("audit --format csv --robots {robots} --fail-on disallowed");
    let said = verger_on("", &format!("{arguments} {}", whole.display()));
    assert_eq!((said.code, said.stderr.as_str()), (1, ""));
    let said = verger_on(common, &format!("{arguments} {} -", whole.display()));
    assert_eq!((said.code, rows(&said).len()), (2, 1), "{said:?}");
}

/// Lines of a browser and of `GPTBot`, written with another field in place of the time or of the path.
const WITHOUT_TIME: &str = "192.0.2.9 [later] \"GET /a HTTP/1.1\" \"Firefox\"\n192.0.2.1 [later] \"GET /a HTTP/1.1\" \"GPTBot/1.3\"\n";
const WITHOUT_PATH: &str = "192.0.2.9 [1791665736] \"0.003\" \"Firefox\"\n192.0.2.1 [1791665736] \"0.003\" \"GPTBot/1.3\"\n";

#[test]
fn a_log_in_which_no_request_of_a_crawler_can_be_read_fails_what_is_to_fail() {
    let robots = file("audit-unread.txt", FILE);
    let robots = robots.to_str().unwrap();
    let nginx = "$remote_addr [$msec] \"$request\" \"$http_user_agent\"";
    // The date is in a directive alone.
    let w3c = "#Date: 2026-11-20 10:00:00\n\
               #Fields: time c-ip cs-uri-stem cs(User-Agent) sc-status\n\
               10:00:00 192.0.2.9 /a Firefox 200\n\
               10:00:01 192.0.2.1 /a GPTBot/1.3 200\n";
    let json = "{\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"Firefox\"}\n\
                {\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"GPTBot/1.3\"}\n";
    let pathless = json.replace("uri", "unknown");
    let both = [WITHOUT_TIME, WITHOUT_PATH].concat();
    for (log, more, lines, expected) in [
        (
            w3c,
            &[][..],
            "`w3c`, has a time that can be read",
            "(1 line): let the server log the fields date and time",
        ),
        (
            json,
            &["--json-field", "time=uri"],
            "`json`, has a time that can be read",
            "(1 line): `--json-field time=PATH` says where it is",
        ),
        (
            &pathless,
            &["--log-format", "json"],
            "`json`, has a URL or a path",
            "(1 line): `--json-field target=PATH` says where it is",
        ),
        (
            WITHOUT_TIME,
            &["--log-format", nginx],
            "has a time that can be read",
            "(1 line): name the fields with `--log-format` as the server's configuration does",
        ),
        (
            WITHOUT_PATH,
            &["--log-format", nginx],
            "has a URL or a path",
            "(1 line): name the fields with `--log-format` as the server's configuration does",
        ),
        (
            &both,
            &["--log-format", nginx],
            "has a time and a path",
            "(2 lines): name the fields with `--log-format` as the server's configuration does",
        ),
    ] {
        for format in ["csv", "json", "human"] {
            for (fail_on, code, kind) in [
                (&[][..], 0, "warning"),
                (&["--fail-on", "disallowed"], 2, "error"),
            ] {
                let arguments = [
                    &["audit", "--format", format, "--robots", robots],
                    more,
                    fail_on,
                    &["-"],
                ];
                let said = verger(arguments.concat(), log);
                assert_eq!(said.code, code, "{said:?}");
                let kind = format!("{kind}: no line of a known crawler in standard input, read as");
                assert!(said.stderr.contains(&kind), "{said:?}");
                for part in [lines, expected, "so that none can be judged "] {
                    assert!(said.stderr.contains(part), "{part}: {said:?}");
                }
            }
        }
    }
}

#[test]
fn a_log_with_some_damaged_lines_is_judged() {
    let robots = file("audit-some-damaged.txt", FILE);
    let robots = robots.display();
    let browser = line(day(1), "192.0.2.9", "/a", 200, "Firefox");
    let without_path = line(day(1), "192.0.2.1", "*", 200, "GPTBot");
    let without_time = line(day(1), "192.0.2.1", "/a", 200, "GPTBot").replace("+0000", "later");
    let whole = line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let endless = "x".repeat(2 << 20) + "\n";
    for (log, code, expected) in [
        // No line of a crawler.
        (browser.clone() + "damaged\n", 0, ""),
        // Others show that the fields are there; what has no path is not judged.
        (
            "damaged\n".to_owned() + &without_path + &browser,
            2,
            "1 line of known crawlers without a path",
        ),
        // What may be a request of a crawler cannot be judged.
        (
            browser.clone() + &without_time,
            2,
            "1 line that cannot be read and may be",
        ),
        (
            browser.clone() + "damaged GPTBot\n",
            2,
            "1 line that cannot be read and may be",
        ),
        (
            browser.clone() + &endless,
            2,
            "1 line that cannot be read and may be",
        ),
        // A request that is judged.
        (without_path.clone() + &without_time + &whole, 1, ""),
        (
            without_path.clone() + &without_time,
            2,
            "no line of a known crawler",
        ),
    ] {
        let audit = format!("audit --format csv --fail-on disallowed --robots {robots} -");
        let said = verger_on(&log, &audit);
        assert_eq!(said.code, code, "{said:?}");
        let is_error = said.stderr.contains("error: ");
        assert_eq!(
            (is_error, said.stderr.contains(expected)),
            (code == 2, true),
            "{said:?}"
        );
    }
    let log = whole + &without_path + &without_time + "damaged\n";
    let said = verger_on(log, &format!("audit --format json --robots {robots} -"));
    let expected = "\"of_crawlers\":1,\"other_clients\":0,\"without_header\":0,\"without_host\":0,\
                    \"of_further_hosts\":0,\"of_unknown_hosts\":0,\"without_address\":0,\"without_target\":1,\
                    \"without_request\":0,\"too_long\":0,\"not_read\":2,\"without_time\":1,\
                    \"unread_of_crawlers\":1,";
    assert!(said.stdout.contains(expected), "{}", said.stdout);
}

/// Lines of `GPTBot` to many hosts that no one has, then three to one that there is.
fn log_of_many_hosts() -> String {
    let mut log = String::new();
    for nth in 0..11_000 {
        let _ = writeln!(log, "{} h{nth}.example /a GPTBot/1.3", day(2));
    }
    log + &format!("{} one.example /a GPTBot/1.3\n", day(2)).repeat(3)
}

fn audit_of_many_hosts(format: &str, rules: &[&str]) -> Said {
    let log_format = "$msec $host $request_uri $http_user_agent";
    let arguments = [
        &["audit", "--format", format, "--log-format", log_format],
        rules,
        &["-"],
    ];
    verger(arguments.concat(), log_of_many_hosts())
}

#[test]
fn one_file_for_all_hosts_is_so_for_further_ones() {
    let robots = file("audit-many-hosts.txt", FILE);
    let said = audit_of_many_hosts("csv", &["--robots", robots.to_str().unwrap()]);
    let expected = ["gptbot", "unverifiable", "11003", "11003", "0"].map(String::from);
    assert_eq!((rows(&said), said.code), (vec![expected], 0));
    assert!(!said.stderr.contains("hosts"), "{}", said.stderr);
    // Of further hosts it is not known what came before.
    let slow = file(
        "audit-many-hosts-slow.txt",
        "User-agent: *\nCrawl-delay: 5\n",
    );
    let said = audit_of_many_hosts(
        "csv",
        &["--fail-on", "delay", "--robots", slow.to_str().unwrap()],
    );
    assert_eq!(said.code, 2, "{said:?}");
    assert!(
        said.stderr
            .contains("1,003 requests of known crawlers to hosts after so many")
    );
    // Rules of one site are of no other: no request was to be held to them but those to it.
    let rules = [
        "--robots",
        robots.to_str().unwrap(),
        "--site",
        "one.example",
    ];
    let said = audit_of_many_hosts("csv", &rules);
    let expected = ["gptbot", "unverifiable", "11003", "3", "11000"].map(String::from);
    assert_eq!((rows(&said), said.code), (vec![expected], 0));
    assert!(!said.stderr.contains("hosts"), "{}", said.stderr);
}

#[test]
fn hosts_that_the_store_does_not_know_hide_no_request() {
    let store = new_store("audit-many-hosts");
    let mut past = Past::of("https://one.example", &store);
    past.body(day(1), FILE);
    past.not_modified(day(3));
    drop(past);
    let rules = [
        "--hold",
        "30d",
        "--store",
        store.to_str().unwrap(),
        "--fail-on",
        "disallowed",
    ];
    for format in ["csv", "json", "human"] {
        let said = audit_of_many_hosts(format, &rules);
        assert_eq!((said.code, said.stderr.lines().count()), (1, 1), "{said:?}");
        match format {
            "csv" => {
                let expected = ["gptbot", "unverifiable", "11003", "3", "11000"].map(String::from);
                assert_eq!(rows(&said), [expected]);
            }
            "json" => assert!(
                said.stdout.contains("\"of_unknown_hosts\":11000,"),
                "{}",
                said.stdout
            ),
            _ => assert!(
                said.stdout.contains(
                    "\n11,000 lines of known crawlers to hosts of which there are no rules"
                ),
                "{}",
                said.stdout
            ),
        }
    }
}

#[test]
fn what_could_not_be_judged_is_neither_found_nor_absent() {
    let store = new_store("audit-unjudged");
    let mut past = Past::of("https://one.example", &store);
    past.body(day(1), "User-agent: *\nDisallow: /a\n");
    past.not_modified(day(3));
    drop(past);
    let to = |day: u64, host: &str, target: &str| format!("{day} {host} {target} GPTBot/1.3\n");
    let allowed = to(day(2), "one.example", "/");
    let disallowed = to(day(2), "one.example", "/a");
    let invented = to(day(2), "invented.example", "/a");
    let before = to(day(0), "one.example", "/a");
    let dotted = allowed.clone() + &to(day(2), "one.example.", "/a");
    let absolute = allowed.clone() + &to(day(2), "-", "http://one.example/a");
    let hostless = to(day(2), "-", "/a");
    let no_path = to(day(2), "one.example", "a");
    let no_rules = "1 request of known crawlers about which no rules are known";
    let checks = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-unjudged-checks");
    std::fs::create_dir_all(&checks).unwrap();
    let store = store.display();
    for (log, what, code, expected) in [
        (allowed.clone(), "disallowed", 0, ""),
        (allowed.clone() + &invented, "disallowed", 0, ""),
        (allowed.clone() + &before, "disallowed", 2, no_rules),
        (allowed.clone() + &before, "delay", 2, no_rules),
        (allowed.clone() + &before, "refused", 0, ""),
        (allowed.clone() + &hostless, "disallowed", 2, no_rules),
        (disallowed + &before, "disallowed", 1, ""),
        (
            allowed.clone() + &no_path,
            "disallowed",
            2,
            "1 line of known crawlers without a path",
        ),
        (dotted, "disallowed", 1, ""),
        (absolute, "disallowed", 1, ""),
        (
            invented,
            "disallowed",
            2,
            "no request was to a site whose robots.txt is known",
        ),
        (
            allowed,
            "impostor",
            2,
            "there are no address ranges and no names",
        ),
    ] {
        let arguments = [
            "audit",
            "--format",
            "csv",
            "--log-format",
            "$msec $host $request_uri $http_user_agent",
            "--checks",
            checks.to_str().unwrap(),
            "--fail-on",
            what,
            "--hold",
            "30d",
            "--store",
        ];
        let said = verger([&arguments[..], &[&store.to_string(), "-"]].concat(), &log);
        assert_eq!(said.code, code, "{log}{said:?}");
        assert!(said.stderr.contains(expected), "{log}{said:?}");
        assert_eq!(
            said.stderr.contains("is not decided"),
            code == 2,
            "{log}{said:?}"
        );
    }
}

#[test]
fn samples_of_lines_stand_below_their_heading() {
    let robots = file("audit-headings.txt", FILE);
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot")
        + "no line of this format\n"
        + &line(day(1), "192.0.2.1", "*", 200, "GPTBot").repeat(2);
    let said = verger_on(log, &format!("audit --robots {} -", robots.display()));
    let expected = "\n1 line cannot be read\n  \
                    -:2: it does not match the log format\n\
                    2 lines of known crawlers, not counted: no URL or path is in them\n";
    assert!(said.stdout.contains(expected), "{}", said.stdout);
}

#[test]
fn numbers_of_a_line_are_written_in_one_way() {
    let robots = file("audit-numbers.txt", FILE);
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot").repeat(1_200) + &"odd\n".repeat(1_100);
    let said = verger_on(log, &format!("audit --robots {} -", robots.display()));
    for expected in [
        "2,300 lines, 1,200 requests of known crawlers",
        "\n1,100 lines cannot be read\n",
        "\n  1,200 requests by line 5: Disallow: /\n",
    ] {
        assert!(said.stdout.contains(expected), "{}", said.stdout);
    }
    let warning = "warning: 1,100 of 2,300 lines cannot be read and are not counted\n";
    assert_eq!(said.stderr, warning);
}

#[test]
fn a_log_is_counted_once() {
    let robots = file("audit-twice.txt", FILE);
    let robots = robots.display();
    let log = file(
        "audit-twice.log",
        line(day(1), "192.0.2.1", "/a", 200, "GPTBot"),
    );
    let path = log.display();
    let other = log.with_file_name("./audit-twice.log");
    for (logs, named) in [
        (format!("{path} {path}"), format!("`{path}`")),
        (
            format!("{path} {}", other.display()),
            format!("`{}`", other.display()),
        ),
    ] {
        let said = verger_on("", &format!("audit --robots {robots} {logs}")).refused();
        let expected = format!("error: {named} is an input already: give each input once\n");
        assert_eq!(said, expected);
    }
}

#[test]
fn where_there_are_no_rules_the_file_is_named_first() {
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let mut audit = crate::verger::command();
    let state = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-no-state");
    let audit = audit.args(["audit", "-"]).env("XDG_STATE_HOME", &state);
    let said = crate::verger::run(audit, log).refused();
    let expected = "error: no rules to hold the requests to: give the robots.txt with `--robots FILE`, or \
                    what `verger fetch` keeps with `--store FILE` or VERGER_STORE; there is no store `";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn compression_that_is_not_read_is_named() {
    let robots = file("audit-xz.txt", FILE);
    let log = file("audit.log.xz", b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4\x46");
    let (robots, path) = (robots.display(), log.display());
    let said = verger_on("", &format!("audit --format csv --robots {robots} {path}"));
    let expected = format!(
        "error: cannot read `{path}`: it is compressed with xz, which is not read: decompress it first, as in \
         `xz -dc LOG | verger audit -`\n"
    );
    assert_eq!((said.stderr.as_str(), said.code), (expected.as_str(), 2));
}
