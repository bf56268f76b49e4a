use verger::Clause;
use verger_crawlers::Registry;

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
    summary: "a user-agent line has several words, but crawlers read only the first",
    explanation: "\
A product token has only letters, hyphens and underscores. Crawlers cut the line at the space: `Clever Spider`
names `Clever`, and a crawler that calls itself `Clever Spider` may not find its group. Look up the product
token in the crawler's documentation, and write one name on each line.

The finding is a note unless the words together are the product token of a crawler in the registry. Most such
names are of programs that are long out of use, or the first word is the name, as in `HTTrack 3.0`.",
    wrong: Example::of(b"User-agent: ChatGPT User\nDisallow: /private\n"),
    right: Example::of(b"User-agent: ChatGPT-User\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("V-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Words) {
        let value = file.bytes(diagnostic.span);
        let message = format!(
            "a product token has no space: only {} is read",
            quoted(leading_token(value))
        );
        let help = "write the product token of the crawler, one on each line";
        let severity = if names_another(value) {
            LINT.severity
        } else {
            Severity::Note
        };
        let draft = Draft::new(diagnostic.span, message).help(help);
        found.add(draft.severity(severity));
    }
}

/// Returns whether all words together name a different crawler from the first word, and its
/// operator does not itself write the name with spaces.
fn names_another(value: &[u8]) -> bool {
    // Names are much shorter.
    let start = String::from_utf8_lossy(&value[..value.len().min(100)]);
    let words: Vec<&str> = start.split_ascii_whitespace().collect();
    let name = |between: &&str| Registry::bundled().by_name(&words.join(between));
    let together = ["", "-", "_"].iter().find_map(name);
    together.is_some_and(|it| !it.header_name().eq_ignore_ascii_case(&words.join(" ")))
}
