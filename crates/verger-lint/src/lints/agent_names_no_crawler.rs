use verger::{Clause, DiagnosticKind, Span};

use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "agent-names-no-crawler",
    severity: Severity::Warning,
    summary: "a user-agent line names no crawler",
    explanation: "\
The value is empty, or starts with a character that no name has, such as a quotation mark or a second colon. The
line still opens a group, but the group applies to no crawler. Write the name of a crawler (its product token),
or `*`.",
    wrong: Example::of(b"User-agent: \"FooBot\"\nDisallow: /private\n"),
    right: Example::of(b"User-agent: FooBot\nDisallow: /private\n"),
    clauses: &[Clause::new("V-5"), Clause::new("R9309-2.2.1-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Other) {
        let value = file.bytes(diagnostic.span);
        let names_none = diagnostic.kind == DiagnosticKind::AgentNamesNoCrawler;
        let draft = match value {
            [b':', rest @ ..] if names_none && is_name(rest.trim_ascii_start()) => {
                one_colon_too_many(diagnostic.span, rest)
            }
            b"" => Draft::new(
                diagnostic.span,
                "the line has no name, so its group applies to no crawler",
            )
            .help("write `*` for all crawlers, or the name of one"),
            _ if names_none => {
                let message = "the line names no crawler, so its group applies to none";
                Draft::new(diagnostic.span, message).help(HELP)
            }
            _ => Draft::new(diagnostic.span, diagnostic.kind.to_string())
                .severity(Severity::Note)
                .help(HELP),
        };
        found.add(draft);
    }
    // Versions or words without a name before them name no crawler either.
    for kind in [AgentValue::Version, AgentValue::Words] {
        for diagnostic in values_of(file, kind) {
            if diagnostic.kind == DiagnosticKind::AgentNamesNoCrawler {
                let message = "the line names no crawler, so its group applies to none";
                found.add(Draft::new(diagnostic.span, message).help(HELP));
            }
        }
    }
}

const HELP: &str = "write the name alone, of letters, digits and hyphens";

fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Reports `User-agent:: Googlebot`.
fn one_colon_too_many(value: Span, rest: &[u8]) -> Draft {
    let blanks = rest.len() - rest.trim_ascii_start().len();
    let colon = part(value, 0..1 + blanks);
    let message = "one colon too many: the name after it is not read";
    Draft::new(colon, message).replace("remove the second colon", colon, &b""[..])
}
