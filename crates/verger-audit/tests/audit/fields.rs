//! Logs whose lines lack a field or have a field that proves nothing.

use std::path::PathBuf;

use crate::checks::ranges;
use crate::past::day;
use crate::run::{Auditing, Said, file, line, shown};

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n";

/// Audits a log. `must_be_judged` decides whether nothing to judge is an error.
fn audited(
    log: &str,
    format: Option<&str>,
    json_field: Option<&str>,
    must_be_judged: bool,
) -> Said {
    let mut auditing = Auditing::by(FILE);
    auditing.format = format.map(|format| format.parse().unwrap());
    auditing.json_fields = json_field.iter().map(|it| it.parse().unwrap()).collect();
    auditing.must_be_judged = must_be_judged;
    auditing.log(log)
}

/// Asserts that a message about a log is a warning, or an error if the log must be judged.
fn assert_said(log: &str, format: Option<&str>, json_field: Option<&str>, expected: [&str; 2]) {
    let said = audited(log, format, json_field, false);
    assert!(said.errors.is_empty(), "{said:?}");
    let warning = &said.warnings[0];
    let failed = audited(log, format, json_field, true);
    assert_eq!(&failed.errors[0], warning, "{failed:?}");
    let [start, part] = expected;
    assert!(
        warning.starts_with(start) && warning.contains(part),
        "{warning}"
    );
}

#[test]
fn an_address_that_the_client_may_have_written_proves_nothing() {
    for (addresses, check, is_impostor) in [
        ("192.0.2.1", "verified", Some(false)),
        ("192.0.2.1, 10.0.0.7", "verified", Some(false)),
        ("8.8.8.8, 10.0.0.7", "impostor", Some(true)),
        ("192.0.2.1, 8.8.8.8", "unverifiable", None),
        ("8.8.8.8, 192.0.2.1", "unverifiable", None),
    ] {
        let mut auditing = Auditing::by(FILE);
        auditing.checks = ranges(day(1));
        let said = auditing.log(line(day(1), addresses, "/a", 200, "GPTBot"));
        assert_eq!(
            said.rows(),
            [format!("gptbot {check} 1 1 0")],
            "{addresses}"
        );
        assert_eq!(said.has("impostor").ok(), is_impostor, "{addresses}");
        let (warning, undecided) = (
            "no line of log has a single readable client address: 1 request of known crawlers cannot be \
             verified",
            "1 request of known crawlers that could not be checked",
        );
        if is_impostor.is_some() {
            assert!(said.warnings.is_empty(), "{said:?}");
        } else {
            assert_eq!(said.warnings, [warning]);
            let why = said.has("impostor").unwrap_err();
            assert!(why.ends_with(undecided), "{why}");
        }
    }
    let log = file(
        ".log",
        line(day(1), "192.0.2.1, 8.8.8.8", "/a", 200, "GPTBot"),
    );
    let said = Auditing::by(FILE).logs(&[log.clone(), log]);
    assert_eq!(said.warnings.len(), 2);
}

#[test]
fn a_log_without_the_header_is_a_warning_and_an_error_where_it_must_be_judged() {
    let w3c = "#Fields: date time c-ip cs-uri-stem sc-status\n\
               2026-11-20 10:00:00 192.0.2.1 /a 200\n";
    let common = "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n";
    let combined =
        "192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"-\"\n";
    let json = "{\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"GPTBot/1.3\"}\n";
    let by_combined = "use the format `combined` on the server";
    for (log, format, json_field, expected) in [
        (common, Some("common"), None, by_combined),
        (common, None, None, by_combined),
        (
            combined,
            None,
            None,
            "the field is empty or `-` in all of them",
        ),
        (
            w3c,
            None,
            None,
            "add the field cs(User-Agent) to the server's log",
        ),
        (
            json,
            None,
            Some("user_agent=wrong.path"),
            "name its field with `--json-field user_agent=PATH`",
        ),
    ] {
        assert_said(log, format, json_field, ["no line of log ", expected]);
    }
    // One line with the field is enough, and other logs are counted.
    let whole = file(".log", line(day(1), "192.0.2.1", "/a", 200, "GPTBot"));
    let audited = |logs: &[_]| {
        let mut auditing = Auditing::by(FILE);
        auditing.must_be_judged = true;
        auditing.logs(logs)
    };
    let said = audited(std::slice::from_ref(&whole));
    assert_eq!((said.has("disallowed"), said.errors.len()), (Ok(true), 0));
    let later = |agent| line(day(1), "192.0.2.1", "/a", 200, agent).replace("+0000", "later");
    let pathless = line(day(1), "192.0.2.1", "*", 200, "GPTBot");
    let common = file(".log", common.to_owned() + "damaged\n");
    let both = file(".log", later("Firefox") + &later("GPTBot") + &pathless);
    let said = audited(&[&common, &both, &whole, &common, &both].map(PathBuf::clone));
    assert_eq!((said.rows().len(), said.errors.len()), (1, 4), "{said:?}");
    assert!(said.errors[3].contains("(2 lines)"), "{said:?}");
    assert_eq!(
        said.warnings,
        ["4 of 11 lines cannot be read and are not counted"]
    );
}

/// Lines of a browser and of `GPTBot`, with another field instead of the time or the path.
const WITHOUT_TIME: &str = "192.0.2.9 [later] \"GET /a HTTP/1.1\" \"Firefox\"\n192.0.2.1 [later] \"GET /a HTTP/1.1\" \"GPTBot/1.3\"\n";
const WITHOUT_PATH: &str = "192.0.2.9 [1791665736] \"0.003\" \"Firefox\"\n192.0.2.1 [1791665736] \"0.003\" \"GPTBot/1.3\"\n";

/// Asserts that the message names the missing fields, the number of lines, and the remedy.
fn assert_unjudged(log: &str, format: Option<&str>, json_field: Option<&str>, said: [&str; 3]) {
    let [missing, lines, remedy] = said;
    let start = "no line of a known crawler in log, in the format ";
    let rest = format!("{missing}, so none can be judged ({lines}): {remedy}");
    assert_said(log, format, json_field, [start, &rest]);
}

#[test]
fn a_log_in_which_no_request_of_a_crawler_can_be_read_is_an_error_where_it_must_be_judged() {
    // The date is only in a directive.
    let w3c = "#Date: 2026-11-20 10:00:00\n\
               #Fields: time c-ip cs-uri-stem cs(User-Agent) sc-status\n\
               10:00:00 192.0.2.9 /a Firefox 200\n\
               10:00:01 192.0.2.1 /a GPTBot/1.3 200\n";
    let json = "{\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"Firefox\"}\n\
                {\"ts\":1791665736,\"uri\":\"/a\",\"user_agent\":\"GPTBot/1.3\"}\n";
    let pathless = json.replace("uri", "unknown");
    let json_both = json.replace("ts", "unknown") + &pathless;
    let pathless_w3c = w3c
        .replace("time", "date time")
        .replace("10:00:0", "2026-11-20 10:00:0")
        .replace("cs-uri-stem", "cs-method");
    let by_fields = "add the fields date and time to the server's log";
    for (log, format, json_field, missing, lines, remedy) in [
        (
            w3c,
            None,
            None,
            "`w3c`, has a readable time",
            "1 line",
            by_fields,
        ),
        (
            json,
            None,
            Some("time=uri"),
            "`json`, has a readable time",
            "1 line",
            "name its field with `--json-field time=PATH`",
        ),
        (
            &pathless_w3c,
            None,
            None,
            "`w3c`, has a URL or a path",
            "1 line",
            "add the fields date, time and cs-uri-stem to the server's log",
        ),
        (
            &json_both,
            Some("json"),
            None,
            "`json`, has a readable time and path",
            "2 lines",
            "name their fields with `--json-field`",
        ),
        (
            &pathless,
            Some("json"),
            None,
            "`json`, has a URL or a path",
            "1 line",
            "name its field with `--json-field target=PATH`",
        ),
    ] {
        assert_unjudged(log, format, json_field, [missing, lines, remedy]);
    }
    // If all lines are of crawlers, none can be read, which is always an error with the same text.
    let of_crawlers = w3c.replace("Firefox", "CCBot");
    let said = audited(&of_crawlers, None, None, false);
    let error = &said.errors[0];
    let expected = format!("can be judged (2 lines): {by_fields}");
    assert!(error.ends_with(&expected), "{error}");
}

#[test]
fn a_named_format_with_other_fields_is_an_error_where_the_log_must_be_judged() {
    let nginx = Some("$remote_addr [$msec] \"$request\" \"$http_user_agent\"");
    let both = [WITHOUT_TIME, WITHOUT_PATH].concat();
    let by_log_format = "name the fields with `--log-format`, as in the server's configuration";
    for (log, missing, lines) in [
        (WITHOUT_TIME, "has a readable time", "1 line"),
        (WITHOUT_PATH, "has a URL or a path", "1 line"),
        (&both, "has a readable time and path", "2 lines"),
    ] {
        assert_unjudged(log, nginx, None, [missing, lines, by_log_format]);
    }
}

#[test]
fn a_log_with_some_damaged_lines_is_judged() {
    let browser: &str = &line(day(1), "192.0.2.9", "/a", 200, "Firefox");
    let without_path: &str = &line(day(1), "192.0.2.1", "*", 200, "GPTBot");
    let options: &str = &without_path.replace("GET", "OPTIONS");
    let connect: &str =
        &line(day(1), "192.0.2.1", "h:443", 200, "GPTBot").replace("GET", "CONNECT");
    let without_time: &str =
        &line(day(1), "192.0.2.1", "/a", 200, "GPTBot").replace("+0000", "later");
    let whole: &str = &line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    let endless: &str = &("x".repeat(2 << 20) + "\n");
    let unread = "1 line that cannot be read and may be";
    for (lines, expected) in [
        // No line of a crawler.
        ([browser, "damaged\n", ""], Ok(false)),
        // Other lines show that the fields exist. A request without a path is not judged.
        (
            ["damaged\n", without_path, browser],
            Err("1 line of known crawlers without a path"),
        ),
        // These requests have no path, so no robots.txt covers them.
        ([options, connect, browser], Ok(false)),
        // A line that may be a crawler's request cannot be judged.
        ([browser, without_time, ""], Err(unread)),
        ([browser, "damaged GPTBot\n", ""], Err(unread)),
        ([browser, endless, ""], Err(unread)),
        // A request that is judged.
        ([without_path, without_time, whole], Ok(true)),
    ] {
        let said = audited(&lines.concat(), None, None, true);
        assert!(said.errors.is_empty(), "{said:?}");
        match (said.has("disallowed"), expected) {
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (found, expected) => assert_eq!(found, expected, "{said:?}"),
        }
    }
    let said = audited(browser, None, None, true);
    assert_eq!((said.has("impostor"), said.warnings.len()), (Ok(false), 0));
    let said = audited(&[without_path, without_time].concat(), None, None, true);
    assert!(
        said.errors[0].starts_with("no line of a known crawler"),
        "{said:?}"
    );
    let damaged: &str = &"damaged\n".repeat(5);
    let log = [whole, without_path, connect, without_time, damaged].concat();
    let said = audited(&log, None, None, false);
    let counted =
        "of_crawlers without_target without_path not_read without_time unread_of_crawlers";
    assert_eq!(shown(&said.lines[0], counted), "1 1 1 6 1 1");
    let named = said.lines[0]["first_not_read"].as_array();
    assert_eq!(named.unwrap().len(), 5);
    let others = "other_clients without_header without_host of_further_hosts of_unknown_hosts without_address \
                  without_request too_long";
    assert_eq!(shown(&said.lines[0], others), "0 0 0 0 0 0 0 0");
}
