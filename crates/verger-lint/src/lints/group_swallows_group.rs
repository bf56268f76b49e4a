//! `group-swallows-group`: a user-agent line that is meant to open a group and joins the one above.

use verger::{Clause, Group, Record, RecordKind, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "group-swallows-group",
    severity: Severity::Error,
    summary: "a user-agent line joins the group above it, though other lines stand between them",
    explanation: "\
Only Allow and Disallow lines end a run of user-agent lines. A Crawl-delay, Sitemap, License or unknown
line between two user-agent lines does not, and neither does a blank line or a comment: both lines open
one group, and the rules below apply to the crawlers of both. So a `*` group that has only a Crawl-delay
gets the rules of the group that follows it, and a `Disallow: /` for one crawler blocks every search
engine.

A finding is made where such a line is between two user-agent lines, and where a blank line or a comment
parts `*` from names. Put a rule into the upper group: `Disallow:` without a path allows everything and
ends the run. Where all the names are meant to share the rules, move the line that is between them below
the rules.",
    wrong: Example::of(b"User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nCrawl-delay: 10\nDisallow:\n\nUser-agent: GPTBot\nDisallow: /\n"),
    clauses: &[
        Clause::new("R9309-2.2.4-3"),
        Clause::new("R9309-2.1-3"),
        Clause::new("V-17"),
    ],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for group in file.robots.groups() {
        check_group(file, &group, found);
    }
}

fn check_group(file: &Subject<'_>, group: &Group<'_>, found: &mut Findings) {
    let records = group.records();
    let mut above: Option<Record<'_>> = None;
    let mut between: Option<Record<'_>> = None;
    for record in records.take_while(|record| !record.kind().is_rule()) {
        if record.kind() != RecordKind::UserAgent {
            between = between.or(Some(record));
            continue;
        }
        if let Some(above) = above {
            if let Some(between) = between {
                found.add(
                    joined(file, &above, &record)
                        .also(between.span(), "this line does not end the group above"),
                );
            } else if parts_star_from_names(&above, &record) {
                found.add(joined(file, &above, &record));
            }
        }
        (above, between) = (Some(record), None);
    }
}

/// Whether lines without a record are between two user-agent lines of which one is for `*`.
fn parts_star_from_names(above: &Record<'_>, below: &Record<'_>) -> bool {
    let is_next = below.line().get() == above.line().get() + 1;
    !is_next && (above.value() == b"*") != (below.value() == b"*")
}

fn joined(file: &Subject<'_>, above: &Record<'_>, below: &Record<'_>) -> Draft {
    let end = file.places.line(above.span().start).end;
    let fix = Fix::new(
        "end the group above with a rule that allows everything",
        Meaning::Changed,
        Span { start: end, end },
        format!("{}Disallow:", file.line_end(end)).into_bytes(),
    );
    Draft::new(
        below.span(),
        format!(
            "this line joins the group of {}, so the rules below apply to both",
            quoted(above.value())
        ),
    )
    .label("joins the group above")
    .also(above.span(), "the group above has no rule yet")
    .help("end the group above with a rule: `Disallow:` allows everything")
    .fix(fix)
}
