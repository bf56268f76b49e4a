//! `audit --report`: the page; and `audit --fail-on`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::audit::{audited, line};
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
        // Below the ten numbers of a crawler, in the whole width.
        "</td><td>0</td></tr>\n<tr class=\"notes\"><td colspan=\"10\">it did not ask for robots.txt</td></tr>",
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
