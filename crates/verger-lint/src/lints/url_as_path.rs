use std::collections::BTreeSet;

use verger::{Clause, RecordKind};
use verger_access::Authority;
use verger_extensions::sitemaps;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::served::without_www;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "url-as-path",
    severity: Severity::Error,
    summary: "a rule has a full URL as its path and matches nothing",
    explanation: "\
Rules are compared with the path and query of a URL, and apply to the host that serves the file. A rule with
scheme and host matches nothing. Write only the path. Rules for another host belong in its own robots.txt. The
lint offers a fix if the URL is on this site, that is, on the host of `--site` or of a sitemap in the file.",
    wrong: Example::of(b"User-agent: *\nDisallow: https://h.example/private/\nSitemap: https://h.example/sitemap.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("V-33"), Clause::new("G-syn-5"), Clause::new("G-loc-5")],
    check,
};

/// Maximum number of sitemaps to check.
const SITEMAPS_MAX: usize = 100;

/// Returns where the path of a full URL begins, or its end if it has none.
pub(super) fn path_of_url(pattern: &[u8]) -> Option<usize> {
    let starts = [&b"http://"[..], b"https://", b"//www.", b"www."];
    let start = starts.iter().find_map(|start| {
        let written = pattern.get(..start.len())?;
        written.eq_ignore_ascii_case(start).then_some(start.len())
    })?;
    let host = &pattern[start..];
    let end = host.iter().position(|byte| matches!(byte, b'/' | b'?'));
    Some(start + end.unwrap_or(host.len()))
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    let own = own_hosts(file);
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
        let message = "a rule is compared with the path: a full URL matches nothing";
        let fix = (path != b"/" && is_own(&own, pattern)).then(|| {
            let title = "write only the path";
            Fix::new(title, Meaning::Changed, record.value_span(), path)
        });
        found.add(
            Draft::new(record.value_span(), message)
                .help("write only the path")
                .fix(fix),
        );
    }
}

/// Returns the site's host if known, or the hosts of its sitemaps, without `www.`.
fn own_hosts(file: &Subject<'_>) -> BTreeSet<String> {
    let host = |url: &str| Some(without_www(Authority::from_url(url).ok()?.host()).to_owned());
    if let Some(origin) = &file.served.origin {
        return host(origin).into_iter().collect();
    }
    let sitemaps = sitemaps(file.robots).take(SITEMAPS_MAX);
    let hosts = sitemaps.filter_map(|it| host(&String::from_utf8_lossy(it.url())));
    hosts.collect()
}

/// Returns whether a URL is on one of these hosts.
fn is_own(hosts: &BTreeSet<String>, url: &[u8]) -> bool {
    let url = String::from_utf8_lossy(url);
    let (_, after) = url.split_once("//").unwrap_or(("", &url));
    let host = after
        .split(['/', '?', ':', '#'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    hosts.contains(without_www(&host))
}
