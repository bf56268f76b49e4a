use verger::Clause;
use verger_extensions::content_usage_splits;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "content-usage-splits-group",
    severity: Severity::Warning,
    summary: "a Content-Usage line ends a run of user-agent lines in the AIPREF draft, but not in RFC 9309",
    explanation: "\
In the AIPREF draft a Content-Usage line is a rule, which ends a run of user-agent lines. In RFC 9309 it is an
unknown record, which does not. So between two user-agent lines it makes two groups by the draft and one by RFC
9309. Put the Content-Usage line below all user-agent lines of its group.",
    wrong: Example::of(b"User-agent: FooBot\nContent-Usage: train-ai=n\nUser-agent: BarBot\nDisallow: /a\n"),
    right: Example::of(b"User-agent: FooBot\nUser-agent: BarBot\nContent-Usage: train-ai=n\nDisallow: /a\n"),
    clauses: &[Clause::new("AA-1"), Clause::new("V-81")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in content_usage_splits(file.robots) {
        let message = "a group begins here by the AIPREF draft, but not by RFC 9309";
        found.add(
            Draft::new(record.span(), message)
                .help("put Content-Usage lines below all user-agent lines of their group"),
        );
    }
}
