use verger::Clause;
use verger_crawlers::Obeys;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "crawler-ignores-rules",
    severity: Severity::Note,
    summary: "a named crawler does not obey robots.txt, according to its operator",
    explanation: "\
The operator says that the crawler does not fetch robots.txt or does not obey it, often because it fetches
single pages at a person's request. The group has no effect on it. To block it, refuse its requests in the
server or CDN.",
    wrong: Example::of(b"User-agent: Google-Safety\nDisallow: /private\n"),
    right: Example::of(b"User-agent: Googlebot\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-1-2"), Clause::new("G-1-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let crawlers = file.named_crawlers();
    for (agent, known) in crawlers.filter(|(_, it)| it.obeys() == Obeys::No) {
        let message = format!(
            "{} does not obey robots.txt, {} says",
            quoted(agent.token.as_bytes()),
            known.operator()
        );
        found.add(Draft::new(agent.span(), message));
    }
}
