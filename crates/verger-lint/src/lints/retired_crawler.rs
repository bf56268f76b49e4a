use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "retired-crawler",
    severity: Severity::Note,
    summary: "a named crawler is out of use or was replaced",
    explanation: "\
According to the registry, the crawler is out of use, was replaced, or disappeared from its operator's page. Its
group is harmless. If the crawler was replaced, add a line for the new name.",
    wrong: Example::of(b"User-agent: anthropic-ai\nDisallow: /\n"),
    right: Example::of(b"User-agent: ClaudeBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for (agent, known) in file.named_crawlers().filter(|(_, it)| it.is_retired()) {
        let note = known
            .note()
            .map(|note| format!(": “{}”", note.trim_end_matches('.')));
        let message = format!(
            "{} of {} is out of use or was replaced{}",
            quoted(agent.token.as_bytes()),
            known.operator(),
            note.unwrap_or_default()
        );
        let draft = Draft::new(agent.span(), message);
        found.add(draft.together("these crawlers are out of use or were replaced"));
    }
}
