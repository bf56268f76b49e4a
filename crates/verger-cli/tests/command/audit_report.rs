//! `audit --report`: the page; and `audit --fail-on`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::audit::{audited, line};
use crate::narrow::assert_fits_narrow_screens;
use crate::past::day;
use crate::verger::{Said, file, verger_on};

#[test]
fn a_page_shows_what_was_counted_and_runs_nothing() {
    let robots = file("audit-page.txt", "User-agent: *\nDisallow: /*<script>\n");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-page.html");
    let mut log = String::new();
    for number in 0..200 {
        log += &line(
            day(number),
            "192.0.2.1",
            "/<script>alert(1)</script>?<b>&'",
            200,
            "GPTBot",
        );
        log += &line(day(number), "192.0.2.1", "/fine", 200, "bingbot");
    }
    let arguments = format!("--robots {} --report {}", robots.display(), page.display());
    let said = audited(&log, &arguments);
    assert_eq!(said[1]["disallowed"], 200);
    assert_eq!(said[1]["days"].as_array().unwrap().len(), 200);
    assert_eq!(
        said[2]["days"][0],
        serde_json::json!({"day": "2026-09-21", "requests": 1, "disallowed": 0})
    );
    let page_text = fs::read_to_string(&page).unwrap();
    assert!(page_text.starts_with("<!DOCTYPE html>"), "{page_text}");
    for expected in [
        "default-src 'none'",
        // Below the numbers of a crawler, in the whole width.
        "\">0</td></tr>\n<tr class=\"notes\"><td class=\"wide\" colspan=\"11\">it did not ask for robots.txt</td></tr>",
        "<code>/&lt;script&gt;alert(1)&lt;/script&gt;?&lt;b&gt;&amp;&#39;</code>",
        "<code>Disallow: /*&lt;script&gt;</code>",
        "gptbot: 200 disallowed",
        "bingbot: 200 allowed, or for robots.txt",
        "2027-04-08: 1 other requests; 1 disallowed",
        "80 earlier days are not shown.",
        "gptbot: 200 unverifiable",
        "400 lines, 400 requests of known crawlers",
    ] {
        assert!(page_text.contains(expected), "{expected}: {page_text}");
    }
    assert_fits_narrow_screens("audit", &page_text);
    for forbidden in [
        "<script", "<b>", "http://", "https://", "<link", "<img", "style=\"",
    ] {
        assert!(!page_text.contains(forbidden), "{forbidden}");
    }
    assert_eq!(page_text.matches("<svg").count(), 3);
    assert_eq!(
        page_text.matches("<svg").count(),
        page_text.matches("</svg>").count()
    );
    // Nothing is left of a page that cannot be written.
    let arguments = format!(
        "audit --robots {} --report not/there.html -",
        robots.display()
    );
    let failed = verger_on(&log, &arguments);
    assert_eq!(failed.code, 2);
    assert!(
        failed.stderr.contains("cannot write `not/there.html`"),
        "{}",
        failed.stderr
    );
    let none = verger_on(
        "",
        &format!(
            "audit --robots {} --report {} -",
            robots.display(),
            page.display()
        ),
    );
    assert_eq!(none.code, 0, "{}", none.stderr);
    assert!(
        fs::read_to_string(&page)
            .unwrap()
            .contains("No request of a known crawler.")
    );
}

#[test]
fn the_command_fails_on_what_it_is_told() {
    let robots = file(
        "audit-fail.txt",
        "User-agent: *\nDisallow: /a\nCrawl-delay: 10\n",
    );
    let checks = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-fail-ranges");
    fs::create_dir_all(&checks).unwrap();
    let ranges = fs::File::create(checks.join("gptbot.json")).unwrap();
    std::io::Write::write_all(&mut &ranges, b"192.0.2.0/24\n").unwrap();
    let read = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day(1));
    ranges.set_modified(read).unwrap();
    let own = |second: u64, target: &str, status| {
        line(day(1) + second, "192.0.2.1", target, status, "GPTBot")
    };
    let disallowed = own(0, "/a", 200);
    let refused = own(0, "/robots.txt", 403);
    let delay = own(0, "/b", 200) + &own(1, "/b", 200);
    let other = |target, status| line(day(1), "198.51.100.1", target, status, "GPTBot");
    let impostor = other("/a", 200) + &other("/a", 200) + &other("/robots.txt", 403);
    for (log, what) in [
        (&disallowed, "disallowed"),
        (&refused, "refused"),
        (&delay, "delay"),
        (&impostor, "impostor"),
    ] {
        for asked in ["disallowed", "refused", "delay", "impostor"] {
            let arguments = format!(
                "audit --robots {} --checks {} --fail-on {asked} -",
                robots.display(),
                checks.display()
            );
            let said = verger_on(log, &arguments);
            assert_eq!(
                said.code,
                i32::from(asked == what),
                "{what} {asked}: {said:?}"
            );
        }
        let both = format!(
            "audit --robots {} --checks {} --fail-on delay,{what} -",
            robots.display(),
            checks.display()
        );
        assert_eq!(verger_on(log, &both).code, 1, "{what}");
    }
}

/// An audit of lines of `GPTBot`, whose addresses are 192.0.2.0/24.
fn audit_checked(name: &str, log: &str, more: &str) -> Said {
    let robots = file(
        &format!("audit-{name}.txt"),
        "User-agent: *\nDisallow: /a\n",
    );
    let checks = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("audit-{name}-ranges"));
    fs::create_dir_all(&checks).unwrap();
    let ranges = fs::File::create(checks.join("gptbot.json")).unwrap();
    std::io::Write::write_all(&mut &ranges, b"192.0.2.0/24\n").unwrap();
    let read = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day(1));
    ranges.set_modified(read).unwrap();
    let (robots, checks) = (robots.display(), checks.display());
    verger_on(
        log,
        &format!("audit --robots {robots} --checks {checks} {more} -"),
    )
}

const VERIFIED: &str = "192.0.2.1";
const UNVERIFIABLE: &str = "10.0.0.1";
const IMPOSTOR: &str = "198.51.100.1";

#[test]
fn a_crawler_that_asked_for_robots_txt_under_another_check_is_not_said_not_to_have_asked() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-asked.html");
    for (asks, disallowed, is_said) in [
        (VERIFIED, UNVERIFIABLE, false),
        (UNVERIFIABLE, VERIFIED, false),
        (IMPOSTOR, VERIFIED, true),
        (IMPOSTOR, UNVERIFIABLE, true),
        (VERIFIED, VERIFIED, false),
        // Nothing is said of impostors but that they are.
        (VERIFIED, IMPOSTOR, false),
    ] {
        let log = line(day(1), asks, "/robots.txt", 200, "GPTBot")
            + &line(day(1), asks, "/robots.txt", 200, "GPTBot")
            + &line(day(1) + 1, disallowed, "/a", 200, "GPTBot");
        let said = audit_checked("asked", &log, &format!("--report {}", page.display()));
        let said = said.quietly(0);
        assert!(said.contains("1 request by line 2: Disallow: /a"), "{said}");
        let page = fs::read_to_string(&page).unwrap();
        for text in [said, page] {
            let is_there = text.contains("it did not ask for robots.txt");
            assert_eq!(is_there, is_said, "{asks} {disallowed}: {text}");
        }
    }
    // Another crawler's request is none of its own.
    let log = line(day(1), VERIFIED, "/robots.txt", 200, "CCBot")
        + &line(day(1), VERIFIED, "/a", 200, "GPTBot");
    let said = audit_checked("asked", &log, "").quietly(0);
    assert!(said.contains("it did not ask for robots.txt"), "{said}");
}

#[test]
fn a_refused_robots_txt_holds_for_the_crawler_whatever_the_check() {
    let asks = |address, status| line(day(1), address, "/robots.txt", status, "GPTBot");
    let served = |address| asks(address, 200);
    let refused = |address| asks(address, 403);
    for (before, disallowed, code) in [
        (refused(VERIFIED), UNVERIFIABLE, 0),
        (refused(UNVERIFIABLE), VERIFIED, 0),
        (refused(VERIFIED) + &served(VERIFIED), UNVERIFIABLE, 1),
        (refused(VERIFIED) + &served(UNVERIFIABLE), UNVERIFIABLE, 1),
        (served(UNVERIFIABLE) + &refused(VERIFIED), UNVERIFIABLE, 0),
        // What proves nothing is of no weight against a verified request.
        (served(VERIFIED) + &refused(UNVERIFIABLE), VERIFIED, 1),
        (refused(VERIFIED) + &served(UNVERIFIABLE), VERIFIED, 0),
        // What impostors were answered is nothing that the crawler knows.
        (refused(IMPOSTOR), VERIFIED, 1),
        (refused(IMPOSTOR), UNVERIFIABLE, 1),
        (refused(VERIFIED) + &served(IMPOSTOR), VERIFIED, 0),
        (refused(UNVERIFIABLE) + &served(IMPOSTOR), UNVERIFIABLE, 0),
    ] {
        let log = before + &line(day(1) + 1, disallowed, "/a", 200, "GPTBot");
        let said = audit_checked("refused-to", &log, "--fail-on disallowed");
        assert_eq!(said.code, code, "{log}{}", said.stdout);
    }
}

#[test]
fn what_is_declared_is_said() {
    let robots = file(
        "audit-declared.txt",
        "User-agent: Perplexity-User\nDisallow: /a\n",
    );
    let log = line(day(1), "192.0.2.1", "/a", 200, "Perplexity-User");
    let arguments = format!("--robots {}", robots.display());
    let said: Vec<Value> = audited(&log, &arguments);
    assert_eq!(
        (&said[1]["obeys"], &said[1]["disallowed"]),
        (&"no".into(), &1.into())
    );
    let said = verger_on(&log, &format!("audit {arguments} -")).quietly(0);
    assert!(
        said.contains("\n  its operator says that it does not obey robots.txt\n"),
        "{said}"
    );
}
