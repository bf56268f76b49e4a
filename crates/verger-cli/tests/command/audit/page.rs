//! `audit --report` and `audit --fail-on`.

use std::fs;
use std::path::Path;

use verger_crawlers::Registry;

use crate::audit::requests::{audited, line};
use crate::narrow::assert_fits_narrow_screens;
use crate::past::day;
use crate::verger::{file, verger_on};

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
        "<span class=\"soft\">it did not request robots.txt</span></th>",
        "<code>/&lt;script&gt;alert(1)&lt;/script&gt;?&lt;b&gt;&amp;&#39;</code>",
        "<code>Disallow: /*&lt;script&gt;</code>",
        "<p class=\"answer\">1 crawler made 200 requests for disallowed URLs.</p>",
        "<p>No crawler could be verified: <code>--update-checks</code> reads address ranges, and \
         <code>--resolve</code> asks DNS.</p>",
        "<rect class=\"error\" x=\"0\" width=\"960\" height=\"10\"/></svg></td>\
         <td data-label=\"disallowed\" class=\"number error\">200</td>",
        "<td data-label=\"allowed\" class=\"number\">200</td>",
        "<tr><th scope=\"row\">2027-04-08</th>",
        "<details><summary>179 earlier days</summary>",
        "400 lines, 400 requests by known crawlers, from 2026-09-21 14:13:20 UTC to 2027-04-08 14:13:20 UTC.",
        "<footer><p>Made by Verger ",
        " with <code>verger audit ",
    ] {
        assert!(page_text.contains(expected), "{expected}: {page_text}");
    }
    assert_fits_narrow_screens("audit", &page_text);
    for forbidden in [
        "<script", "?<b>", "http://", "https://", "<link", "<img", "style=\"",
    ] {
        let (content, _) = page_text.split_once("<footer>").unwrap();
        assert!(!content.contains(forbidden), "{forbidden}");
    }
    // The crawlers and the days, each with a number beside it.
    assert_eq!(page_text.matches("<svg class=\"bar\"").count(), 2 + 200);
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
            .contains("No requests by known crawlers.")
    );
}

#[test]
fn the_command_fails_on_what_it_is_told() {
    let robots = file("audit-fail.txt", "User-agent: *\nDisallow: /a\n");
    let log = line(day(1), "192.0.2.1", "/a", 200, "GPTBot");
    for (fail_on, code) in [("disallowed", 1), ("refused,disallowed", 1), ("refused", 0)] {
        let arguments = format!("audit --robots {} --fail-on {fail_on} -", robots.display());
        assert_eq!(verger_on(&log, &arguments).code, code, "{fail_on}");
    }
    // What the profile has of the status of robots.txt holds for the crawler.
    for (profile, status, code) in [
        ("rfc9309", 410, 0),
        ("rfc9309", 429, 1),
        ("draft2019", 429, 0),
    ] {
        let asked = line(day(1), "192.0.2.1", "/robots.txt", status, "GPTBot");
        let arguments = format!(
            "audit --robots {} --profile {profile} --fail-on disallowed -",
            robots.display()
        );
        let said = verger_on(asked + &log, &arguments);
        assert_eq!(said.code, code, "{profile} {status}: {said:?}");
    }
}

#[test]
fn notes_about_a_crawler_are_below_its_numbers() {
    let robots = file(
        "audit-declared.txt",
        "User-agent: Perplexity-User\nDisallow: /a\n",
    );
    let log = line(day(1), "192.0.2.1", "/a", 200, "Perplexity-User");
    let said = verger_on(&log, &format!("audit --robots {} -", robots.display())).quietly(0);
    let notes =
        "\n  its operator says that it does not obey robots.txt\n  it did not request robots.txt\n";
    assert!(said.contains(notes), "{said}");
}

#[test]
fn a_page_says_what_it_leaves_out() {
    let rules: Vec<String> = (0..210).map(|n| format!("Disallow: /d{n}$\n")).collect();
    let robots = file(
        "audit-left-out.txt",
        format!("User-agent: *\n{}", rules.concat()),
    );
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-left-out.html");
    let mut log = "\u{feff}".to_owned();
    for number in 0..410 {
        let target = format!("/d{number}");
        log += &line(day(number), "192.0.2.1", &target, 200, "GPTBot");
    }
    let known = Registry::bundled()
        .iter()
        .filter(|it| !it.is_control_only());
    for crawler in known.take(60) {
        log += &line(day(409), "192.0.2.1", "/", 200, crawler.header_name());
    }
    let no_path = line(day(409), "192.0.2.1", "*", 200, "GPTBot");
    log += &no_path;
    log += &no_path.replace("GET", "OPTIONS").repeat(2);
    let arguments = format!("--robots {} --report {}", robots.display(), page.display());
    let said = audited(&log, &arguments);
    let gptbot = said.iter().find(|it| it["crawler"] == "gptbot").unwrap();
    let days = gptbot["days"].as_array().unwrap();
    assert_eq!(
        (days.len(), &gptbot["requests_on_earlier_days"]),
        (400, &10.into())
    );
    assert_eq!(days[399]["requests"], 2);
    let crawlers = said.len() - 1;
    assert!(crawlers > 26, "{said:?}");
    let page = fs::read_to_string(&page).unwrap();
    let more = format!("<summary>{} more crawlers</summary>", crawlers - 25);
    assert!(page.contains(&more), "{page}");
    for expected in [
        "10 requests are from days before the last 400 and not counted by day.",
        "10 requests were disallowed by other lines, which are not counted separately.",
        "1 line of known crawlers, not counted: they have no URL or path.",
        "2 lines of known crawlers, not counted: ",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}
