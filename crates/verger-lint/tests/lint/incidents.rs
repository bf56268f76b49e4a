//! Lints find incidents on real sites, at the right line.

use verger_lint::{Finding, Linted, Served, Severity};
use verger_testkit::case::{load_all, testdata_dir};

/// Each file of `testdata/incidents.toml` with its findings: code and line.
const EXPECTED: [(&str, &[(&str, u32)]); 16] = [
    (
        "crawl-delay-makes-one-group-of-two",
        &[("group-swallows-group", 4)],
    ),
    (
        "late-empty-rule-for-all-does-not-repair-the-group",
        &[
            ("group-swallows-group", 4),
            ("repeated-group", 7),
            ("empty-disallow-beside-rules", 8),
        ],
    ),
    (
        "sitemap-makes-one-group-of-a-default-and-a-list",
        &[("group-swallows-group", 5)],
    ),
    ("default-group-and-a-list-well-separated", &[]),
    (
        "block-put-before-the-file-at-the-edge",
        &[("repeated-group", 8)],
    ),
    (
        "template-that-lost-a-line-end",
        &[("two-records-on-one-line", 2)],
    ),
    (
        "own-group-opens-what-the-default-closed",
        &[("star-rules-not-inherited", 5)],
    ),
    (
        "name-with-a-space-in-a-list-of-names",
        &[("agent-with-words", 1)],
    ),
    ("one-page-opened-below-a-closed-folder", &[]),
    (
        "editor-that-saved-a-byte-order-mark",
        &[("byte-order-mark", 1)],
    ),
    (
        "rule-that-looks-like-a-regular-expression",
        &[("regular-expression", 2)],
    ),
    ("rule-that-ends-in-a-bare-question-mark", &[]),
    ("folder-name-that-occurs-twice", &[]),
    ("star-alone-against-a-slash-alone", &[]),
    ("filter-in-the-middle-of-a-path", &[]),
    (
        "license-line-inside-a-list-of-names",
        &[("group-swallows-group", 3)],
    ),
];

/// More mistakes that site owners and crawler authors report: the findings with their lines, and
/// the file. Nothing else is a warning or an error.
const FIELD: [(&str, &str); 54] = [
    (
        "group-swallows-group 4 everything-disallowed-for-search 5",
        "User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nDisallow: /\n",
    ),
    (
        "group-swallows-group 3 everything-disallowed-for-search 4",
        "User-agent: *\n\nUser-agent: GPTBot\nDisallow: /\n",
    ),
    (
        "group-swallows-group 4",
        "User-agent: bingbot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /a\n",
    ),
    (
        "group-without-rules 4",
        "User-agent: *\nDisallow: /a\n\nUser-agent: bingbot\nCrawl-delay: 5\n",
    ),
    (
        "repeated-group 4",
        "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n",
    ),
    (
        "repeated-agent 2",
        "User-agent: GPTBot\nUser-agent: gptbot\nDisallow: /\n",
    ),
    (
        "rule-before-group 1",
        "Disallow: /a\nUser-agent: *\nDisallow: /b\n",
    ),
    (
        "value-outside-group 1",
        "Crawl-delay: 5\nUser-agent: *\nDisallow: /b\n",
    ),
    (
        "agent-with-version 1",
        "User-agent: FooBot/2.0\nDisallow: /a\n",
    ),
    (
        "agent-with-words 1",
        "User-agent: ChatGPT User\nDisallow: /\n",
    ),
    ("agent-with-wildcard 1", "User-agent: *bot\nDisallow: /a\n"),
    ("agent-list 1", "User-agent: GPTBot, CCBot\nDisallow: /\n"),
    (
        "agent-is-header 1",
        "User-agent: Mozilla/5.0 (compatible; GPTBot/1.3)\nDisallow: /\n",
    ),
    (
        "agent-names-no-crawler 1",
        "User-agent: \"GPTBot\"\nDisallow: /\n",
    ),
    (
        "misspelt-crawler 1",
        "User-agent: Gogglebot\nDisallow: /a\n",
    ),
    (
        "misspelt-crawler 1",
        "User-agent: Google-Extend\nDisallow: /\n",
    ),
    ("misspelt-key 2", "User-agent: *\nDissallow: /a\n"),
    ("misspelt-key 2", "User-agent: *\nAlow: /a\nDisallow: /b\n"),
    (
        "misspelt-key 2",
        "User-agent: *\nAlllow: /a\nDisallow: /b\n",
    ),
    ("misspelt-key 2", "User-agent: *\nDeny: /a\nDisallow: /b\n"),
    ("misspelt-key 1", "ser-agent: *\nDisallow: /b\n"),
    ("missing-colon 2", "User-agent: *\nDisallow /a\n"),
    (
        "invisible-character 2",
        "User-agent: *\nDisallow\u{ff1a} /a\n",
    ),
    (
        "invisible-character 2",
        "User-agent: *\n\u{200b}Disallow: /a\n",
    ),
    (
        "invisible-character 2",
        "User-agent: *\nDisallow: \u{a0}/a\n",
    ),
    (
        "invisible-character 1",
        "User-agent: GPTBot\u{200b}\nDisallow: /a\n",
    ),
    (
        "unreadable-line 4",
        "User-agent: *\nDisallow: /a\nUser-agent: b\nthese are /private\n",
    ),
    ("control-character 2", "User-agent: *\nDisallow: /a\0\n"),
    ("two-records-on-one-line 1", "User-agent: * Disallow: /a\n"),
    ("missing-leading-slash 2", "User-agent: *\nDisallow: a/\n"),
    (
        "missing-leading-slash 2",
        "User-agent: *\nDisallow: ?utm=\n",
    ),
    (
        "url-as-path 2",
        "User-agent: *\nDisallow: https://h.example/a\n",
    ),
    ("inner-dollar 2", "User-agent: *\nDisallow: /*.php$*\n"),
    ("space-in-path 2", "User-agent: *\nDisallow: /my files/\n"),
    (
        "number-sign-in-path 2",
        "User-agent: *\nDisallow: /page#top\n",
    ),
    ("bad-escape 2", "User-agent: *\nDisallow: /100%-off\n"),
    (
        "empty-disallow-beside-rules 3",
        "User-agent: *\nDisallow: /a\nDisallow:\n",
    ),
    (
        "duplicate-rule 3",
        "User-agent: *\nDisallow: /a\nDisallow: /a\n",
    ),
    (
        "contradictory-rules 2",
        "User-agent: *\nDisallow: /a\nAllow: /a\n",
    ),
    (
        "rule-never-decides 2",
        "User-agent: *\nDisallow: /a/\nAllow: /a/*\n",
    ),
    (
        "everything-disallowed-for-search 2",
        "User-agent: *\nDisallow: /\n",
    ),
    (
        "home-page-disallowed 2",
        "User-agent: *\nDisallow: /\nAllow: /a\n",
    ),
    (
        "page-resources-disallowed 2",
        "User-agent: *\nDisallow: /*.js$\n",
    ),
    (
        "page-resources-disallowed 2",
        "User-agent: *\nDisallow: /*?\n",
    ),
    (
        "page-resources-disallowed 2",
        "User-agent: *\nDisallow: /*ver=\n",
    ),
    ("invalid-sitemap 1", "Sitemap: /s.xml\n"),
    (
        "invalid-sitemap 1",
        "Sitemap: https://h.example/a.xml https://h.example/b.xml\n",
    ),
    (
        "sitemap-disallowed 3",
        "User-agent: *\nDisallow: /*.xml$\nSitemap: https://h.example/s.xml\n",
    ),
    (
        "noindex-in-robots-txt 3",
        "User-agent: *\nDisallow: /a\nNoindex: /b\n",
    ),
    (
        "carriage-return-line-ends 1",
        "User-agent: *\rDisallow: /a\r",
    ),
    (
        "html-page 1",
        "<!doctype html><title>Just a moment...</title>",
    ),
    ("json-document 1", "{\"error\": \"not found\"}"),
    ("empty-file 1", ""),
    // A block from the CDN, licences and signals are not mistakes.
    (
        "",
        "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\nLicense: https://h.example/l.xml\nAgentmap: /a.json\n",
    ),
];

#[test]
fn every_mistake_of_the_field_is_named_at_its_line_and_once() {
    let mut wrong = Vec::new();
    for (expected, body) in FIELD {
        let file = Linted::new(body, &Served::default());
        let place = |it: &Finding| format!("{} {}", it.code, file.position(it.span().start).line);
        let found: Vec<_> = file.findings().iter().map(place).collect();
        let alarms = file
            .findings()
            .iter()
            .filter(|it| it.severity > Severity::Note);
        let mut words = expected.split(' ');
        let mut named = std::iter::from_fn(|| Some(format!("{} {}", words.next()?, words.next()?)));
        if !named.all(|it| found.contains(&it))
            || !alarms.map(place).all(|it| expected.contains(&it))
        {
            wrong.push(format!("{body:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_sitemap_of_another_site_is_named_where_the_site_is_known() {
    for (url, expected) in [
        ("https://h.example/s.xml", None),
        ("http://h.example/s.xml", Some(Severity::Warning)),
        ("https://www.h.example/s.xml", Some(Severity::Warning)),
        (
            "https://staging.other.example/s.xml",
            Some(Severity::Warning),
        ),
        ("https://elsewhere.test/s.xml", Some(Severity::Warning)),
        ("https://static.h.example/s.xml", Some(Severity::Note)),
    ] {
        let served = Served {
            origin: Some("https://h.example".to_owned()),
            ..Served::default()
        };
        let file = Linted::new(
            format!("User-agent: *\nDisallow: /a\nSitemap: {url}\n"),
            &served,
        );
        let found = file
            .findings()
            .iter()
            .find(|it| it.code == "sitemap-elsewhere");
        assert_eq!(found.map(|it| it.severity), expected, "{url}");
    }
}

#[test]
fn every_incident_is_found_with_its_line() {
    let corpus = load_all(&testdata_dir()).unwrap();
    let incidents = corpus
        .cases
        .iter()
        .filter(|case| case.file.ends_with("incidents.toml"));
    let mut wrong = Vec::new();
    for case in incidents {
        let Some((_, expected)) = EXPECTED.iter().find(|(id, _)| *id == case.id) else {
            wrong.push(format!("{}: the table says nothing about it", case.id));
            continue;
        };
        let file = Linted::new(&*case.robots, &Served::default());
        let found: Vec<(&str, u32)> = file
            .findings()
            .iter()
            .map(|it| (it.code, file.position(it.span().start).line.get()))
            .collect();
        for one in *expected {
            if !found.contains(one) {
                wrong.push(format!("{}: {one:?} is not among {found:?}", case.id));
            }
        }
        let alarms = file
            .findings()
            .iter()
            .filter(|it| it.severity >= Severity::Error);
        if expected.is_empty() && alarms.count() > 0 {
            wrong.push(format!("{}: {found:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
