use verger::{Clause, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-sitemap",
    severity: Severity::Warning,
    summary: "a Sitemap line has no absolute URL, or several",
    explanation: "\
A Sitemap line has a full URL, with scheme and host. Some crawlers resolve a relative one, others ignore it.
Each URL needs its own line: if one line has several, crawlers find none of them. The line may appear anywhere
in the file and does not belong to a group.",
    wrong: Example::of(b"Sitemap: /sitemap.xml\nUser-agent: *\nDisallow: /private\n"),
    right: Example::of(b"Sitemap: https://h.example/sitemap.xml\nUser-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("SM-1"), Clause::new("G-map-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write the full URL: `https://host/sitemap.xml`";
    add_problems(file, RecordKind::Sitemap, help, found);
    for record in file.robots.records_of(RecordKind::Sitemap) {
        found.extend(several_urls(file, &record));
    }
}

/// Finds lines with several URLs, separated by white space or commas.
fn several_urls(file: &Subject<'_>, record: &Record<'_>) -> Option<Draft> {
    let parts = |it: &u8| matches!(it, b' ' | b'\t' | b',' | b';');
    let urls = record.value().split(parts).filter(|part| !part.is_empty());
    let urls: Vec<&[u8]> = urls.collect();
    let is_url = |part: &&[u8]| part.starts_with(b"http://") || part.starts_with(b"https://");
    if urls.len() < 2 || !urls.iter().all(is_url) {
        return None;
    }
    let help = "write a Sitemap line for each URL";
    let line = format!("{}Sitemap: ", file.line_end(record.span().start));
    let lines = urls.join(line.as_bytes());
    let message =
        "a line lists one sitemap: crawlers read several URLs as one, which does not exist";
    let place = record.value_span();
    Some(Draft::new(place, message).replace(help, place, lines))
}
