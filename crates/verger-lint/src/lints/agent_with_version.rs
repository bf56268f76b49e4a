use verger::{Clause, Crawler, Effect};

use crate::agent_value::{AgentValue, after_token, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "agent-with-version",
    severity: Severity::Note,
    summary: "a user-agent line has a version after the product token",
    explanation: "\
A product token has no version. Most crawlers cut the line at the slash and find their name. Crawlers that
compare the whole value, as the draft of 1996 does, find no match. Write only the name.",
    wrong: Example::of(b"User-agent: FooBot/2.1\nDisallow: /private\n"),
    right: Example::of(b"User-agent: FooBot\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("V-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let others = file.robots.policy(&Crawler::unnamed());
    // By the text of 1996, the rules for `*` apply to these crawlers until the version is removed.
    let meaning = if others.rules().any(|it| it.effect == Effect::Disallow) {
        Meaning::Changed
    } else {
        file.meaning_kept()
    };
    for diagnostic in values_of(file, AgentValue::Version) {
        let version = after_token(file, diagnostic.span);
        // Without a token before it, the line names no crawler.
        if version.start > diagnostic.span.start {
            let message = "crawlers ignore the version after the name";
            let edits = vec![Edit::new(version, &b""[..])];
            let fix = Fix::new("remove the version", meaning, edits);
            let draft = Draft::new(version, message).fix(fix);
            found.add(draft.help("write only the name"));
        }
    }
}
