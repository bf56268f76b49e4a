use verger::Clause;

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, read_part, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "agent-with-wildcard",
    severity: Severity::Warning,
    summary: "a user-agent line has a `*` together with other text",
    explanation: "\
Names are compared as a whole and have no wildcards: `Googlebot*` names only Googlebot, not Googlebot-News, and
`*bot` names no crawler. Only a `*` by itself is special: it applies to every crawler that no group names. Write
each name on its own line. If there is a name before the `*`, the finding is a note, because that crawler is
probably the intended one.",
    wrong: Example::of(b"User-agent: *bot\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-6"), Clause::new("V-7"), Clause::new("GL-agent-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Wildcard) {
        let value = file.bytes(diagnostic.span);
        let message = format!("names have no wildcards: {}", read_part(value));
        let draft = Draft::new(diagnostic.span, message).together("names have no wildcards");
        let draft = if is_star_with_junk(value) {
            let message = match value {
                [b'*', b' ' | b'\t', ..] => {
                    "only Google reads a `*` with more text as `*`, and other crawlers ignore the group"
                }
                _ => "a `*` with other text names no crawler, so its group applies to none",
            };
            let draft = Draft::new(diagnostic.span, message);
            draft.replace("write `*` alone", diagnostic.span, &b"*"[..])
        } else {
            draft.help("write each name on its own line, without `*`")
        };
        found.add(draft.note_if(!leading_token(value).is_empty()));
    }
}

/// Returns whether only text without a name follows a `*`, such as a no-break space or a tag.
fn is_star_with_junk(value: &[u8]) -> bool {
    let rest = value.strip_prefix(b"*");
    rest.is_some_and(|rest| {
        let is_tag = [&b"<br"[..], b"</", b"<p>"].iter().any(|tag| {
            let written = rest.trim_ascii_start().get(..tag.len());
            written.is_some_and(|it| it.eq_ignore_ascii_case(tag))
        });
        let is_of_name = |it: &u8| it.is_ascii_alphanumeric() || *it == b'*';
        is_tag || !rest.iter().any(is_of_name)
    })
}
