use verger::Clause;

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, read_part, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "agent-list",
    severity: Severity::Warning,
    summary: "a user-agent line lists several names, but crawlers read only the first",
    explanation: "\
A user-agent line names one crawler: a comma is not a separator, and crawlers ignore everything after it. Write
one line for each name. Consecutive user-agent lines share the rules below them.",
    wrong: Example::of(b"User-agent: GPTBot, CCBot\nDisallow: /\n"),
    right: Example::of(b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-erratum-8895"), Clause::new("V-11")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::List) {
        let value = file.bytes(diagnostic.span);
        let names: Vec<&[u8]> = value
            .split(|it| *it == b',')
            .map(<[u8]>::trim_ascii)
            .collect();
        let are_tokens = names
            .iter()
            .all(|name| !name.is_empty() && leading_token(name).len() == name.len());
        let message = format!("a comma does not separate names: {}", read_part(value));
        let draft = Draft::new(diagnostic.span, message)
            .together("a comma does not separate names: only the first of each line is read");
        let help = "write each name on its own line";
        found.add(if are_tokens {
            let separator = format!("{}User-agent: ", file.line_end(diagnostic.span.start));
            draft.replace(help, diagnostic.span, names.join(separator.as_bytes()))
        } else {
            draft.help(help)
        });
    }
}
