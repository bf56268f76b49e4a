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
    // Versions or words without a name before them name no crawler either.
    for kind in [AgentValue::Other, AgentValue::Version, AgentValue::Words] {
        for diagnostic in values_of(file, kind) {
            let names_none = diagnostic.kind == DiagnosticKind::AgentNamesNoCrawler;
            let draft = |message: &str| Draft::new(diagnostic.span, message).help(HELP);
            found.add(match file.bytes(diagnostic.span) {
                [b':', rest @ ..] if names_none && is_name(rest.trim_ascii_start()) => {
                    one_colon_too_many(diagnostic.span, rest)
                }
                b"" => draft("the line has no name, so its group applies to no crawler")
                    .help("write `*` for all crawlers, or the name of one"),
                _ if names_none => draft("the line names no crawler, so its group applies to none"),
                _ if kind == AgentValue::Other => {
                    draft(&diagnostic.kind.to_string()).severity(Severity::Note)
                }
                _ => continue,
            });
        }
    }
}

const HELP: &str = "write the name alone, of letters, hyphens and underscores";

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
