//! Findings about how a file is served.

use std::time::Duration;

use verger_access::{Hop, Reply};
use verger_lint::{Finding, Linted, OtherFetch, Served, ServedFetch, Severity};

const FILE: &str = "User-agent: *\nDisallow: /private\n";

/// Returns a correctly served file.
fn usual() -> ServedFetch {
    ServedFetch {
        hops: hops(&[("https://h.example/robots.txt", 200)]),
        outcome: "successful http 200".parse().unwrap(),
        headers: headers(&[("content-type", "text/plain")]),
        stated_lifetime: None,
    }
}

fn hops(hops: &[(&str, u16)]) -> Vec<Hop> {
    let hop = |(url, status): &(&str, u16)| Hop::from_reply(url, Some(Reply::Http(*status)));
    hops.iter().filter_map(hop).collect()
}

fn headers(headers: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let header = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
    headers.iter().map(header).collect()
}

fn found(body: &str, served: &Served) -> Vec<Finding> {
    Linted::new(body, served).findings().to_vec()
}

fn of_fetch(body: &str, fetch: ServedFetch) -> Vec<(&'static str, Severity)> {
    let served = Served {
        fetch: Some(fetch),
        ..Served::default()
    };
    let findings = found(body, &served);
    findings.iter().map(|it| (it.code, it.severity)).collect()
}

fn answered(outcome: &str) -> Vec<(&'static str, Severity)> {
    let outcome = outcome.parse().unwrap();
    of_fetch("", ServedFetch { outcome, ..usual() })
}

#[test]
fn every_response_without_a_file_has_one_finding() {
    use Severity::{Error, Note, Warning};
    for (outcome, code, severity) in [
        ("error http 401", "forbidden", Error),
        ("error http 403", "forbidden", Error),
        ("error http 404", "not-found", Note),
        ("error http 410", "not-found", Note),
        ("error http 400", "client-error", Warning),
        ("error http 409", "client-error", Warning),
        ("error http 411", "client-error", Warning),
        ("error http 428", "client-error", Warning),
        ("error http 429", "too-many-requests", Error),
        ("error http 430", "client-error", Warning),
        ("error http 499", "client-error", Warning),
        ("error http 500", "server-error", Error),
        ("error http 599", "server-error", Error),
        ("error-saying-not-found http 500", "server-error", Error),
        ("error http 600", "unusual-status", Error),
        ("error http 0", "unusual-status", Error),
        ("error http 199", "unusual-status", Error),
        ("successful http 204", "unusual-status", Note),
        ("redirect too-many", "too-many-redirects", Error),
        ("redirect loop", "too-many-redirects", Error),
        ("redirect no-location", "broken-redirect", Error),
        ("redirect other-scheme", "broken-redirect", Error),
        ("redirect other-host", "broken-redirect", Warning),
        ("redirect downgrade", "broken-redirect", Warning),
    ] {
        // A chain that ended because of its length was long.
        let steps = if outcome == "redirect too-many" { 6 } else { 1 };
        let fetch = ServedFetch {
            hops: hops(&[("https://h.example/robots.txt", 302)].repeat(steps)),
            outcome: outcome.parse().unwrap(),
            ..usual()
        };
        assert_eq!(of_fetch("", fetch), [(code, severity)], "{outcome}");
    }
    assert_eq!(answered("successful http 200"), [("empty-file", Note)]);
    // The status of a confirmed file adds nothing.
    assert_eq!(answered("successful http 304"), []);
    assert_eq!(answered("error ftp 550"), []);
    assert_eq!(answered("failed timeout"), []);
}

#[test]
fn redirects_are_judged_by_where_they_lead() {
    let through = |urls: &[&str]| {
        let urls: Vec<(&str, u16)> = urls.iter().map(|url| (*url, 301)).collect();
        let hops = hops(&urls);
        of_fetch(FILE, ServedFetch { hops, ..usual() })
    };
    let start = "https://h.example/robots.txt";
    let other = "redirected-to-other-host";
    assert_eq!(through(&["http://h.example/robots.txt", start]), []);
    assert_eq!(
        through(&[start, "https://www.h.example/robots.txt"]),
        [(other, Severity::Note)]
    );
    assert_eq!(
        through(&[start, "https://i.example/robots.txt"]),
        [(other, Severity::Warning)]
    );
    // A detour through another host that ends on this one.
    assert_eq!(
        through(&[start, "https://i.example/", "https://h.example/x"]),
        []
    );
    let downgraded = [("redirected-to-http", Severity::Warning)];
    assert_eq!(through(&[start, "http://h.example/robots.txt"]), downgraded);
    let five = through(&[
        start,
        "https://h.example/1",
        "https://h.example/2",
        "https://h.example/3",
        "https://h.example/4",
        "https://h.example/5",
    ]);
    assert_eq!(five, []);
    let six = through(&[
        start,
        "https://h.example/1",
        "https://h.example/2",
        "https://h.example/3",
        "https://h.example/4",
        "https://h.example/5",
        "https://h.example/6",
    ]);
    assert_eq!(six, [("too-many-redirects", Severity::Error)]);
}

#[test]
fn content_types_are_read_with_their_parameters() {
    use Severity::{Note, Warning};
    let of = |body: &str, value: &str| {
        let headers = headers(&[("content-type", value)]);
        of_fetch(body, ServedFetch { headers, ..usual() })
    };
    for value in [
        "text/plain",
        "Text/Plain;charset=UTF-8",
        "text/plain; x=1; CHARSET = \"utf8\"",
        "text/plain; charset=us-ascii",
        "text/plain;",
    ] {
        assert_eq!(of(FILE, value), [], "{value}");
    }
    let type_found = |severity| [("not-plain-text", severity)];
    assert_eq!(of(FILE, "text/html"), type_found(Warning));
    assert_eq!(of(FILE, "text/plainer"), type_found(Warning));
    assert_eq!(of(FILE, ""), type_found(Note));
    let headers = Vec::new();
    assert_eq!(
        of_fetch(FILE, ServedFetch { headers, ..usual() }),
        type_found(Note)
    );
    let charset = "text/plain; charset=windows-1252";
    assert_eq!(of(FILE, charset), [("charset-not-utf8", Note)]);
    let beyond_ascii = "User-agent: *\nDisallow: /caf\u{e9}\n";
    assert_eq!(of(beyond_ascii, charset), [("charset-not-utf8", Warning)]);
    // A page has one finding.
    assert_eq!(of("<!doctype html>\n<p>", "text/html; charset=x").len(), 1);
}

#[test]
fn a_lifetime_is_too_long_from_one_second_over_a_day() {
    let of = |seconds: u64| {
        let stated_lifetime = Some(Duration::from_secs(seconds));
        let fetch = ServedFetch {
            stated_lifetime,
            ..usual()
        };
        of_fetch(FILE, fetch).len()
    };
    assert_eq!([of(0), of(86_400), of(86_401), of(u64::MAX)], [0, 0, 1, 1]);
}

#[test]
fn a_header_is_compared_with_what_the_file_says_to_each_crawler() {
    let body = "User-agent: *\nContent-Signal: ai-train=no, search=yes\nAllow: /\n\n\
                User-agent: FooBot\nContent-Usage: train-ai=y\nContent-Usage: /a search=n\nAllow: /\n";
    let with = |lines: &[(&str, &str)]| {
        let served = Served {
            fetch: Some(ServedFetch {
                headers: headers(&[&[("content-type", "text/plain")], lines].concat()),
                ..usual()
            }),
            ..Served::default()
        };
        let file = Linted::new(body, &served);
        let of_lint = file
            .findings()
            .iter()
            .filter(|it| it.code == "header-contradicts-file");
        let line = |it: &Finding| file.position(it.span().start).line.get();
        of_lint.map(line).collect::<Vec<_>>()
    };
    assert_eq!(with(&[("content-signal", "ai-train=yes")]), [2]);
    assert_eq!(with(&[("content-usage", "train-ai=n, search=n")]), [2, 6]);
    assert_eq!(with(&[("content-signal", "search=yes")]), [0; 0]);
    assert_eq!(with(&[("content-usage", "train-ai=?1")]), [0; 0]);
}

#[test]
fn a_licence_in_a_header_is_one_of_the_file() {
    let body = "License: https://h.example/l.xml\nLicense: https://h.example/m.xml\nUser-agent: *\nAllow: /\n";
    let with = |link: &str| {
        let headers = headers(&[("content-type", "text/plain"), ("link", link)]);
        of_fetch(body, ServedFetch { headers, ..usual() })
    };
    assert_eq!(with("<https://h.example/m.xml>; rel=\"license\""), []);
    assert_eq!(with("<https://h.example/n.xml>; rel=\"next\""), []);
    let other = with("<https://h.example/n.xml>; rel=\"license\"");
    assert_eq!(other, [("header-contradicts-file", Severity::Note)]);
}

fn other(name: &str, outcome: &str, body: Option<&str>) -> OtherFetch {
    OtherFetch {
        name: name.to_owned(),
        outcome: outcome.parse().unwrap(),
        body: body.map(|body| body.as_bytes().to_vec()),
    }
}

#[test]
fn variants_are_compared_with_the_file() {
    let url = "http://www.h.example/robots.txt";
    let of = |base: &str, body: &str, variant: (&str, Option<&str>)| {
        let served = Served {
            fetch: Some(ServedFetch {
                outcome: base.parse().unwrap(),
                ..usual()
            }),
            variants: vec![other(url, variant.0, variant.1)],
            ..Served::default()
        };
        let of_lint = found(body, &served).into_iter();
        let of_lint = of_lint.filter(|it| it.code == "variants-differ");
        of_lint.map(|it| it.message).next().unwrap_or_default()
    };
    let (ok, missing) = ("successful http 200", "error http 404");
    assert_eq!(of(ok, FILE, (ok, Some(FILE))), "");
    assert_eq!(of(ok, FILE, ("failed dns", None)), "");
    assert_eq!(of(ok, FILE, ("failed connect", None)), "");
    assert_eq!(of(missing, "", (missing, None)), "");
    assert_eq!(
        of(ok, FILE, (ok, Some(""))),
        format!("`{url}` serves another file")
    );
    let same = format!("`{url}` serves a different file whose rules mean the same");
    let base = "User-agent: *\nDisallow: /a\n\nUser-agent: b\nDisallow: /\n";
    for (written, expected) in [
        (
            "# b\r\nuser-agent: B\r\nDisallow: *\r\n\r\nuser-agent: *\r\nDisallow: /a*\r\nDisallow: /ab",
            &same,
        ),
        // The crawler that only one of them names has other rules.
        (
            "User-agent: *\nDisallow: /a\n\nUser-agent: b\nUser-agent: c\nDisallow: /\n",
            &format!("`{url}` serves another file"),
        ),
    ] {
        assert_eq!(&of(ok, base, (ok, Some(written))), expected);
    }
    assert_eq!(
        of(missing, "", (ok, Some(FILE))),
        format!("`{url}` serves a file, and this URL does not")
    );
    assert_eq!(
        of(ok, FILE, (missing, None)),
        format!("`{url}` has no robots.txt: crawlers may fetch everything there")
    );
    assert!(of(ok, FILE, ("error http 503", None)).contains("status 503"));
    assert!(of(ok, FILE, ("failed tls", None)).contains("TLS failed"));
}

#[test]
fn crawlers_with_equal_responses_are_not_reported() {
    let of = |crawler: (&str, Option<&str>)| {
        let served = Served {
            fetch: Some(usual()),
            as_crawlers: vec![other("GPTBot", crawler.0, crawler.1)],
            ..Served::default()
        };
        let findings = found(FILE, &served);
        findings
            .into_iter()
            .map(|it| it.message)
            .next()
            .unwrap_or_default()
    };
    assert_eq!(of(("successful http 200", Some(FILE))), "");
    assert_eq!(
        of(("successful http 200", Some("User-agent: *\nDisallow: /\n"))),
        "a request with the User-Agent of `GPTBot` gets a different file"
    );
    assert_eq!(
        of(("error http 403", None)),
        "a request with the User-Agent of `GPTBot` gets status 403, other requests get status 200"
    );
    assert_eq!(
        of(("failed reset", None)),
        "a request with the User-Agent of `GPTBot` gets no answer (the connection was lost), other requests get status 200"
    );
}

#[test]
fn findings_about_serving_have_no_place_and_come_first() {
    let served = Served {
        fetch: Some(ServedFetch {
            headers: headers(&[("content-type", "text/html")]),
            ..usual()
        }),
        ..Served::default()
    };
    let findings = found("Disallow: /a\nUser-agent: *\nDisallow: /b\n", &served);
    assert!(findings.len() >= 2);
    assert_eq!(findings[0].code, "not-plain-text");
    assert!(findings[0].spans.is_empty() && findings[0].fix.is_none());
    assert!(findings[1..].iter().all(|it| !it.spans.is_empty()));
}
