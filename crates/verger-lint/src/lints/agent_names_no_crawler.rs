use verger::{Clause, DiagnosticKind};

use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "agent-names-no-crawler",
    severity: Severity::Warning,
    summary: "a user-agent line names no crawler",
    explanation: "\
The value is empty, or starts with a character that no product token has, such as a quotation mark. The line
still opens a group, but the group applies to no crawler. Write a product token, or `*`.",
    wrong: Example::of(b"User-agent: \"FooBot\"\nDisallow: /private\n"),
    right: Example::of(b"User-agent: FooBot\nDisallow: /private\n"),
    clauses: &[Clause::new("V-5"), Clause::new("R9309-2.2.1-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Other) {
        let draft = match diagnostic.kind {
            DiagnosticKind::AgentNamesNoCrawler => {
                Draft::new(diagnostic.span, diagnostic.kind.to_string())
            }
            _ => Draft::new(diagnostic.span, diagnostic.kind.to_string()).severity(Severity::Note),
        };
        found
            .add(draft.help("write a product token, or `*` for every crawler that no group names"));
    }
    // Versions or words without a name before them name no crawler either.
    for kind in [AgentValue::Version, AgentValue::Words] {
        for diagnostic in values_of(file, kind) {
            if diagnostic.kind == DiagnosticKind::AgentNamesNoCrawler {
                let draft = Draft::new(diagnostic.span, diagnostic.kind.to_string());
                found.add(draft.help("write a product token"));
            }
        }
    }
}
