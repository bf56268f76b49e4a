use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "agent-with-digits",
    severity: Severity::Note,
    summary: "a name has digits or dots, where some crawlers cut it",
    explanation: "\
In RFC 9309 a product token has only letters, hyphens and underscores, but some crawlers have digits or dots in
their names. Google's library cuts the line there, so `Foo2Bot` becomes `Foo`. Other parsers use the whole name.
The line is correct for a crawler that documents this name, and names in the registry, such as `MJ12bot`, are
not reported. In Google's library the line also applies to a crawler with the shortened name.",
    wrong: Example::of(b"User-agent: Foo2Bot\nDisallow: /private\n"),
    right: Example::of(b"User-agent: FooBot\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("V-2"), Clause::new("GL-agent-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for agent in file.agents.iter().filter(|it| it.known.is_none()) {
        let is_odd = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let Some(cut) = agent.token.bytes().position(is_odd) else {
            continue;
        };
        let read = match &agent.token.as_bytes()[..cut] {
            b"" => "no name at all".to_owned(),
            start => quoted(start),
        };
        let message = format!(
            "{} has digits or dots, so Google's library reads {read}",
            quoted(agent.token.as_bytes())
        );
        let draft = Draft::new(agent.span(), message);
        found.add(draft.together("names with digits or dots, which Google's library cuts"));
    }
}
