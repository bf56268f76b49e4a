//! The findings that can fail a run, and the notes about a crawler.

use crate::checks::ranges;
use crate::past::day;
use crate::run::{Auditing, Said, line};

const VERIFIED: &str = "192.0.2.1";
const UNVERIFIABLE: &str = "10.0.0.1";
const IMPOSTOR: &str = "198.51.100.1";

/// Audits lines. The addresses of `GPTBot` are 192.0.2.0/24.
fn audited(log: &str) -> Said {
    let mut auditing = Auditing::by("User-agent: *\nDisallow: /a\nCrawl-delay: 10\n");
    auditing.checks = ranges(day(1));
    auditing.log(log)
}

/// Returns a request of `GPTBot`, some seconds after the first one.
fn request(after: u64, address: &str, target: &str, status: u16) -> String {
    line(day(1) + after, address, target, status, "GPTBot")
}

#[test]
fn each_finding_is_found_alone() {
    let impostor = ["/a", "/a", "/robots.txt"].map(|target| request(0, IMPOSTOR, target, 403));
    for (log, what) in [
        (request(0, VERIFIED, "/a", 200), "disallowed"),
        (request(0, VERIFIED, "/robots.txt", 403), "refused"),
        (
            request(0, VERIFIED, "/b", 200) + &request(1, VERIFIED, "/b", 200),
            "delay",
        ),
        (impostor.concat(), "impostor"),
    ] {
        let said = audited(&log);
        for asked in ["disallowed", "refused", "delay", "impostor"] {
            assert_eq!(said.has(asked), Ok(asked == what), "{what} {asked}");
        }
    }
    // The address of a proxy is in no range.
    let said = audited(&request(0, UNVERIFIABLE, "/b", 200));
    assert_eq!(said.has("impostor"), Ok(false));
}

#[test]
fn a_crawler_that_asked_for_robots_txt_under_another_check_is_not_said_not_to_have_asked() {
    let is_said = |log: &str| {
        let said = audited(log);
        said.notes
            .contains(&"it did not request robots.txt".to_owned())
    };
    for (asks, disallowed, expected) in [
        (VERIFIED, UNVERIFIABLE, false),
        (UNVERIFIABLE, VERIFIED, false),
        (IMPOSTOR, VERIFIED, true),
        (IMPOSTOR, UNVERIFIABLE, true),
        (VERIFIED, VERIFIED, false),
        // The only note about impostors is that they are impostors.
        (VERIFIED, IMPOSTOR, false),
    ] {
        let log = request(0, asks, "/robots.txt", 200) + &request(1, disallowed, "/a", 200);
        assert_eq!(is_said(&log), expected, "{asks} {disallowed}");
    }
    for (status, answer) in [
        (101, "other"),
        (200, "served"),
        (301, "redirected"),
        (403, "refused"),
        (404, "absent"),
        (500, "failed"),
    ] {
        let log = request(0, VERIFIED, "/robots.txt", status) + &request(1, VERIFIED, "/a", 200);
        assert!(!is_said(&log), "{status}");
        assert_eq!(audited(&log).lines[1]["robots_txt"][answer], 1, "{status}");
    }
    let both = [403, 200].map(|status| request(0, VERIFIED, "/robots.txt", status));
    assert!(!is_said(
        &(both.concat() + &request(1, VERIFIED, "/a", 200))
    ));
    // A request of another crawler does not count.
    let other = line(day(1), VERIFIED, "/robots.txt", 200, "CCBot");
    assert!(is_said(&(other + &request(0, VERIFIED, "/a", 200))));
}

#[test]
fn a_refused_robots_txt_holds_for_the_crawler_whatever_the_check() {
    let served = |address| request(0, address, "/robots.txt", 200);
    let refused = |address| request(0, address, "/robots.txt", 403);
    for (before, disallowed, expected) in [
        (refused(VERIFIED), UNVERIFIABLE, false),
        (refused(UNVERIFIABLE), VERIFIED, false),
        (refused(VERIFIED) + &served(VERIFIED), UNVERIFIABLE, true),
        (
            refused(VERIFIED) + &served(UNVERIFIABLE),
            UNVERIFIABLE,
            true,
        ),
        (
            served(UNVERIFIABLE) + &refused(VERIFIED),
            UNVERIFIABLE,
            false,
        ),
        // An unverifiable request does not override a verified one.
        (served(VERIFIED) + &refused(UNVERIFIABLE), VERIFIED, true),
        (refused(VERIFIED) + &served(UNVERIFIABLE), VERIFIED, false),
        // Responses to impostors do not reach the crawler.
        (refused(IMPOSTOR), VERIFIED, true),
        (refused(IMPOSTOR), UNVERIFIABLE, true),
        (refused(VERIFIED) + &served(IMPOSTOR), VERIFIED, false),
        (
            refused(UNVERIFIABLE) + &served(IMPOSTOR),
            UNVERIFIABLE,
            false,
        ),
    ] {
        let log = before + &request(1, disallowed, "/a", 200);
        assert_eq!(audited(&log).has("disallowed"), Ok(expected), "{log}");
    }
}

#[test]
fn what_is_declared_is_said() {
    let notes = [
        "its operator says that it does not obey robots.txt",
        "it did not request robots.txt",
    ];
    for (target, disallowed, notes) in [("/a", 1, &notes[..]), ("/b", 0, &notes[..1])] {
        let auditing = Auditing::by("User-agent: Perplexity-User\nDisallow: /a\n");
        let said = auditing.log(line(day(1), VERIFIED, target, 200, "Perplexity-User"));
        let row = format!("perplexity-user unverifiable 1 {disallowed} 0");
        assert_eq!(
            (&said.lines[1]["obeys"], said.rows()),
            (&"no".into(), vec![row])
        );
        assert_eq!(said.notes, notes);
    }
}

#[test]
fn notes_say_what_is_odd_about_a_crawler() {
    let ignores = "its operator says that it ignores Crawl-delay";
    let early = "1 of 1 request sooner than the Crawl-delay of 10 s allows (shortest gap: 1 s)";
    let refused = [
        "1 request for robots.txt refused by the server",
        "1 request disallowed, although its request for robots.txt got a status that allows everything",
    ];
    let twice = [0, 1]
        .map(|after| request(after, VERIFIED, "/b", 200))
        .concat();
    let of_refused = request(0, VERIFIED, "/robots.txt", 403) + &request(30, VERIFIED, "/a", 200);
    for (log, notes) in [
        (twice.replace("GPTBot", "Amazonbot"), &[ignores, early][..]),
        (twice, &[early]),
        (line(day(1), VERIFIED, "/b", 200, "Amazonbot"), &[]),
        (of_refused, &refused),
    ] {
        assert_eq!(audited(&log).notes, notes, "{log}");
    }
}
