//! `url-as-path`: a full URL in the place of a path.

use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "url-as-path",
    severity: Severity::Error,
    summary: "a rule has a full URL, which matches nothing",
    explanation: "\
Rules are compared with the path and query of a URL, and apply to the host from which the file is served. A
rule with scheme and host matches nothing. Write the path alone; rules for another host belong into the
robots.txt of that host.",
    wrong: Example::of(b"User-agent: *\nDisallow: https://h.example/private/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("V-33"), Clause::new("G-syn-5"), Clause::new("G-loc-5")],
    check,
};

/// Where the path of a full URL begins; at its end where it has none.
pub(super) fn path_of_url(pattern: &[u8]) -> Option<usize> {
    let starts = [&b"http://"[..], b"https://", b"//www.", b"www."];
    let start = starts.iter().find_map(|start| {
        let written = pattern.get(..start.len())?;
        written.eq_ignore_ascii_case(start).then_some(start.len())
    })?;
    let host = &pattern[start..];
    let end = host.iter().position(|octet| matches!(octet, b'/' | b'?'));
    Some(start + end.unwrap_or(host.len()))
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records() {
        if !matches!(record.kind(), RecordKind::Allow | RecordKind::Disallow) {
            continue;
        }
        let pattern = record.value();
        let Some(start) = path_of_url(pattern) else {
            continue;
        };
        let path = match &pattern[start..] {
            [] => b"/".to_vec(),
            [b'/', ..] => pattern[start..].to_vec(),
            query => [b"/", query].concat(),
        };
        let message = "rules are compared with paths: a full URL matches nothing";
        let fix = Fix::new(
            "write the path alone",
            Meaning::Changed,
            record.value_span(),
            path,
        );
        found.add(
            Draft::new(record.value_span(), message)
                .help("write the path alone")
                .fix(fix),
        );
    }
}
