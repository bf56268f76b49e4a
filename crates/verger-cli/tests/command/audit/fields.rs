//! `audit`: messages about logs and about lines that lack a field.

use std::fs;
use std::path::Path;

use crate::audit::requests::line;
use crate::past::day;
use crate::verger::{file, verger_on};

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n";

#[test]
fn the_table_says_how_many_lines_have_no_address() {
    let robots = file("audit-hosts-of-clients.txt", FILE);
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot")
        + &line(day(1), "crawler.example", "/a", 200, "GPTBot");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-hosts-of-clients.html");
    let (robots, report) = (robots.display(), page.display());
    let audit = format!("audit --robots {robots} --report {report} -");
    let said = verger_on(log, &audit).quietly(0);
    let expected = "1 line of known crawlers without a single readable address: unverifiable\n";
    assert!(said.contains(expected), "{said}");
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains(&format!("▲</span> {}.</p>", expected.trim_end())),
        "{page}"
    );
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
                    2 lines of known crawlers, not counted: they have no URL or path\n";
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
        let expected = format!(
            "error: {named} is given as input more than once\nhelp: give each input once\n"
        );
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
    let expected = "error: no rules to check the requests against: there is no `--robots`, and there is no store `";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn compression_that_is_not_read_is_named() {
    let robots = file("audit-xz.txt", FILE);
    let log = file("audit.log.xz", b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4\x46");
    let (robots, path) = (robots.display(), log.display());
    let said = verger_on("", &format!("audit --format csv --robots {robots} {path}"));
    let expected = format!(
        "error: cannot read `{path}`: it is compressed with xz, which is not supported\nhelp: use `xz -dc LOG | \
         verger audit -`\n"
    );
    assert_eq!((said.stderr.as_str(), said.code), (expected.as_str(), 2));
}
