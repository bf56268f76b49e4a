//! `agent-with-words`: several words on a user-agent line.

use verger::Clause;

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "agent-with-words",
    severity: Severity::Warning,
    summary: "a user-agent line has several words, of which only the first is read",
    explanation: "\
A product token has letters, hyphens and underscores only. Crawlers cut the line at the space, so that
`Clever Spider` names `Clever`, and a crawler that calls itself `Clever Spider` may not find itself. Look up
the product token in the documentation of the crawler, and write one name on each line.",
    wrong: Example::of(b"User-agent: Clever Spider\nDisallow: /private\n"),
    right: Example::of(b"User-agent: CleverSpider\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("V-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Words) {
        let value = file.octets(diagnostic.span);
        let message = format!(
            "a product token has no space: only {} is read",
            quoted(leading_token(value))
        );
        let help = "write the product token of the crawler, one on each line";
        found.add(Draft::new(diagnostic.span, message).help(help));
    }
}
