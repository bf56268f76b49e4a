//! What happened on real sites is found, with the line.

use verger_lint::{Linted, Served, Severity};
use verger_testkit::case::{load_all, testdata_dir};

/// Each file of `testdata/incidents.toml` with what is found there: code and line.
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
    (
        "one-page-opened-below-a-closed-folder",
        &[("dialects-disagree", 3)],
    ),
    (
        "editor-that-saved-a-byte-order-mark",
        &[("byte-order-mark", 1)],
    ),
    (
        "rule-that-looks-like-a-regular-expression",
        &[
            ("regular-expression", 2),
            ("regular-expression", 3),
            ("regular-expression", 4),
        ],
    ),
    ("rule-that-ends-in-a-bare-question-mark", &[]),
    ("folder-name-that-occurs-twice", &[]),
    (
        "star-alone-against-a-slash-alone",
        &[("dialects-disagree", 2)],
    ),
    ("filter-in-the-middle-of-a-path", &[]),
    (
        "license-line-inside-a-list-of-names",
        &[("group-swallows-group", 3)],
    ),
];

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
