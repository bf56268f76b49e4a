use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "noindex-in-robots-txt",
    severity: Severity::Warning,
    summary: "a Noindex line has no effect, because no search engine reads it",
    explanation: "\
Google stopped reading Noindex lines in September 2019, and never documented them. To keep a page out of an
index, use an `X-Robots-Tag: noindex` header or a robots meta element, and let the crawler fetch the page, or it
cannot see them. If Disallow lines keep crawlers away from the page, remove the Noindex line. The
finding is then a note. At most 1,000 lines are compared
with the rules.",
    wrong: Example::of(b"User-agent: *\nNoindex: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-80")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let lines = file.robots.records_of(RecordKind::Noindex);
    for record in lines.filter(|it| !it.value().is_empty()) {
        let message = "Google stopped reading Noindex in 2019, and no other search engine reads it";
        let is_covered = file.group_allows(&record, record.value()) == Some(false);
        let help = if is_covered {
            "remove it: other lines already keep crawlers away from these pages"
        } else {
            "use an `X-Robots-Tag: noindex` header or a robots meta element, and let crawlers fetch the page"
        };
        let draft = Draft::new(record.span(), message).help(help);
        found.add(draft.note_if(is_covered));
    }
}
