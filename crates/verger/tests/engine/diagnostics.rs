//! What a reading ignores, cuts or reads differently than written: each with its line, its bytes
//! and its clause.

use verger::dialect::{LenientLines, OtherRecords};
use verger::{Dialect, Reading, RobotsTxt};

/// Returns `line code bytes (clause)` of each diagnostic, without a line for the body as a whole.
fn shown(reading: impl Into<Reading>, body: &str) -> Vec<String> {
    let robots = RobotsTxt::parse(body, reading);
    let diagnostics = robots.diagnostics().map(|found| {
        let line = found.line.map_or("body".to_owned(), |it| it.to_string());
        let (code, clause) = (found.kind.as_str(), found.kind.clause().id());
        let bytes = String::from_utf8_lossy(found.span.of(body.as_bytes()));
        format!("{line} {code} `{bytes}` ({clause})")
    });
    diagnostics.collect()
}

fn shown_in_rfc9309(body: &str) -> Vec<String> {
    shown(Dialect::Rfc9309, body)
}

#[test]
fn a_file_that_is_read_as_written_has_no_diagnostic() {
    let body = "# a\nUser-agent: *\nUser-agent: FooBot # b\nDisallow: /a\nAllow: *b\n\
                Disallow:\n\nSitemap: https://h.example/s.xml\nOther: x\n";
    for dialect in [Dialect::Rfc9309, Dialect::Google, Dialect::Draft2019] {
        assert_eq!(shown(dialect, body), [""; 0], "{dialect}");
    }
}

#[test]
fn keys_and_separators_are_read_or_ignored() {
    let body = "User-agent *\nDissallow: /a\nDisallow /b\n";
    assert_eq!(
        shown(Dialect::Google, body),
        [
            "1 missing-colon-read `User-agent` (GL-key-2)",
            "2 misspelt-key-read `Dissallow` (GL-key-4)",
            "3 missing-colon-read `Disallow` (GL-key-2)",
        ]
    );
    assert_eq!(
        shown_in_rfc9309(body),
        [
            "1 no-separator `User-agent *` (R9309-2.3.1.5-1)",
            "2 misspelt-key-ignored `Dissallow` (V-16)",
            "3 no-separator `Disallow /b` (R9309-2.3.1.5-1)",
        ]
    );
    assert_eq!(
        shown_in_rfc9309(": /a\n"),
        ["1 empty-key `: /a` (R9309-2.2-5)"]
    );
}

/// D00-2.2-15.
#[test]
fn what_lenient_lines_change_is_said() {
    let body = "User-agent *\nDissallow: /a\nDisallowed: /b\nDisallow /c\nSite-map: x\n\
                Disallow: /d\nCrawl-delay 5\ntwo words\n# c\nhello\n";
    let lenient = |dialect| Reading::new(dialect).with_lenient_lines(LenientLines::Read);
    for dialect in [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Koster1996] {
        assert_eq!(
            shown(lenient(dialect), body),
            [
                "1 line-read-leniently `User-agent` (D00-2.2-15)",
                "2 line-read-leniently `Dissallow` (D00-2.2-15)",
                "3 line-read-leniently `Disallowed` (D00-2.2-15)",
                "4 line-read-leniently `Disallow` (D00-2.2-15)",
                "5 line-read-leniently `Site-map` (D00-2.2-15)",
                "7 line-read-leniently `Crawl-delay` (D00-2.2-15)",
                "8 missing-colon-read `two` (GL-key-2)",
                "10 no-separator `hello` (R9309-2.3.1.5-1)",
            ],
            "{dialect}"
        );
    }
    assert_eq!(
        shown(lenient(Dialect::Google), body),
        shown(Dialect::Google, body)
    );
    let other = lenient(Dialect::Rfc9309).with_other_records(OtherRecords::Lenient);
    assert_eq!(
        shown(other, "Site-map: https://h.example/s\n"),
        ["1 misspelt-key-read `Site-map` (V-18)"],
        "another option reads it too"
    );
    for key in [
        "Site-map",
        "SITE MAP",
        "site_map",
        "Crawldelay",
        "crawl_delay",
        "Request rate",
    ] {
        let body = format!("User-agent: *\nDisallow: /\n{key}: 1\n");
        let read = format!("3 misspelt-key-read `{key}` (V-18)");
        let shown = shown(
            Reading::new(Dialect::Rfc9309).with_other_records(OtherRecords::Lenient),
            &body,
        );
        assert!(shown.contains(&read), "{key}: {shown:?}");
    }
    assert_eq!(shown(other, "User-agent: *\n-: 1\nDisallow: /\n").len(), 0);
}

#[test]
fn rules_need_a_group_and_a_path() {
    assert_eq!(
        shown_in_rfc9309("Disallow: /a\nUser-agent: *\nDisallow: b\nAllow: *c\nDisallow:\n"),
        [
            "1 rule-outside-group `/a` (R9309-2.2.2-17)",
            "3 pattern-without-slash `b` (V-33)",
        ]
    );
    assert_eq!(
        shown(Dialect::Koster1996, "User-agent: a\n\nDisallow: /\n"),
        [
            "1 not-a-record `a` (K96-3.3-2)",
            "3 rule-outside-group `/` (R9309-2.2.2-17)",
        ]
    );
}

#[test]
fn a_user_agent_line_names_one_crawler() {
    let body =
        "User-agent: Foo/2\nUser-agent: a, b\nUser-agent: /x\nUser-agent: Foo-Bot\nAllow: /\n";
    assert_eq!(
        shown_in_rfc9309(body),
        [
            "1 agent-cut `Foo/2` (V-7)",
            "2 agent-list-not-read `a, b` (R9309-erratum-8895)",
            "3 agent-names-no-crawler `/x` (V-5)",
        ]
    );
    // The whole value is the name here.
    assert_eq!(
        shown(Dialect::Koster1996, "User-agent: Foo/2\nAllow: /\n"),
        [""; 0]
    );
}

#[test]
fn the_body_as_a_whole_comes_first() {
    assert_eq!(
        shown_in_rfc9309("\u{FEFF}<p>\n"),
        [
            "body byte-order-mark-skipped `\u{FEFF}` (V-19)",
            "body looks-like-html `\u{FEFF}<p>\n` (R9309-2.3.1.5-1)",
            "1 no-separator `<p>` (R9309-2.3.1.5-1)",
        ]
    );
}

#[test]
fn a_diagnostic_displays_as_a_sentence() {
    let body = "User-agent: Foo/2\nDissallow: /a\nDisallow: b\n# \0\n";
    let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
    let sentences: Vec<String> = robots.diagnostics().map(|it| it.kind.to_string()).collect();
    assert_eq!(
        sentences,
        [
            "the file has a NUL byte near its start, so it may be binary data, or UTF-16 without a \
             byte order mark",
            "the rest of the line after `Foo` is ignored",
            "the key is unknown, so the line is ignored. Google reads it as `disallow`",
            "the path starts with neither `/` nor `*` and matches nothing",
        ]
    );
}
