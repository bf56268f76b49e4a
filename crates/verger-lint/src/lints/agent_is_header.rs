use verger::Clause;
use verger_crawlers::{Registry, UserAgentHeader};

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

/// Maximum length of a value to look up as a header, in bytes.
const HEADER_BYTES_MAX: usize = 500;

pub(super) const LINT: Lint = Lint {
    code: "agent-is-header",
    severity: Severity::Warning,
    summary: "a user-agent line contains a whole User-Agent header",
    explanation: "\
A crawler finds its group by its product token, not by the header that it sends. Crawlers read only the first
word of a header, which is `Mozilla` for most of them. Write the product token. The finding is a note if that
word is the token, or if the header belongs to no crawler in the registry.",
    wrong: Example::of(b"User-agent: Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)\nDisallow: /\n"),
    right: Example::of(b"User-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("R9309-2.2.1-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Header) {
        let value = file.bytes(diagnostic.span);
        let header = &value[..value.len().min(HEADER_BYTES_MAX)];
        let header = UserAgentHeader::new(&String::from_utf8_lossy(header));
        let named = Registry::bundled().named_by(&header);
        let message = match leading_token(value) {
            b"" => {
                "a crawler looks for its name, not for its header: the line names none".to_owned()
            }
            token => format!(
                "a crawler looks for its name, not for its header: only {} is read",
                quoted(token)
            ),
        };
        let draft = Draft::new(diagnostic.span, message);
        let is_read = named.is_some_and(|it| {
            it.own_token()
                .as_str()
                .as_bytes()
                .eq_ignore_ascii_case(leading_token(value))
        });
        let draft = if is_read {
            draft.severity(Severity::Note)
        } else {
            draft
        };
        found.add(match named {
            Some(crawler) => {
                let token = crawler.own_token().as_str();
                let title = format!("write `{token}`");
                let text = token.as_bytes().to_vec();
                let fix = Fix::new(title.clone(), Meaning::Changed, diagnostic.span, text);
                draft.help(title).fix(fix)
            }
            None => draft
                .severity(Severity::Note)
                .help("write the name of the crawler"),
        });
    }
}
