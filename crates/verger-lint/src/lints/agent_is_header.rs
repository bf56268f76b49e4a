use std::cell::LazyCell;
use std::collections::BTreeSet;

use verger::Clause;
use verger_crawlers::{KnownCrawler, Purpose, Registry, UserAgentHeader};

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, read_part, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::{Subject, group_of};
use crate::text::has_any;

/// Maximum length of a value to look up as a header, in bytes.
const HEADER_BYTES_MAX: usize = 500;

pub(super) const LINT: Lint = Lint {
    code: "agent-is-header",
    severity: Severity::Warning,
    summary: "a user-agent line contains a whole User-Agent header",
    explanation: "\
A crawler finds its group by its product token, not by the header that it sends. Crawlers read only the first
word of a header, which is `Mozilla` for most of them. Write the product token. The finding is a note if that
word is the token, if another line names the crawler, or if the header belongs to no crawler in the registry.

Some headers name several crawlers, because they copy that of a search engine. The help then gives the name that
the address in the header contains, or else the last one, but never that of a search engine.",
    wrong: Example::of(b"User-agent: Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)\nDisallow: /\n"),
    right: Example::of(b"User-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("R9309-2.2.1-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let named = LazyCell::new(|| file.named());
    for diagnostic in values_of(file, AgentValue::Header) {
        let value = file.bytes(diagnostic.span);
        let header = &value[..value.len().min(HEADER_BYTES_MAX)];
        let header = String::from_utf8_lossy(header);
        let message = format!(
            "write the crawler's name here, not its whole User-Agent text: {}",
            read_part(value)
        );
        let draft = Draft::new(diagnostic.span, message);
        found.add(match Meant::of(&header) {
            Meant::Known(crawler) => {
                let token = crawler.own_token().as_str();
                let is_read = token.as_bytes().eq_ignore_ascii_case(leading_token(value));
                let changes_nothing = is_read || named.contains(crawler.name());
                let record = diagnostic.line.and_then(|it| file.robots.record_at(it));
                let group = record.as_ref().and_then(group_of);
                // Without a rule in its group, the crawler could fetch what `*` may not.
                let is_freed = group.is_some_and(|it| {
                    !file.disallowing().contains(&it) && file.is_closed_by_another_star(it)
                });
                let draft = draft.note_if(changes_nothing);
                if is_freed {
                    draft.help(format!(
                        "write `{token}`, and repeat the rules of the `*` group"
                    ))
                } else {
                    draft.write(token, diagnostic.span)
                }
            }
            Meant::Other(name) => draft
                .severity(Severity::Note)
                .help(format!("write `{name}`")),
            Meant::Unclear => draft
                .severity(Severity::Note)
                .help("write the name of the crawler"),
        });
    }
}

/// The crawler that a header is about.
enum Meant {
    Known(&'static KnownCrawler),
    /// A name that is not in the registry.
    Other(String),
    Unclear,
}

impl Meant {
    /// Reads a header. If it has several names, some are copied, mostly those of search engines.
    /// The rules of the group may close the site to the crawler, so none of these is suggested.
    fn of(header: &str) -> Self {
        let registry = Registry::bundled();
        let parsed = UserAgentHeader::new(header);
        let names = parsed.product_names();
        let names = names.map(|name| (name, registry.named_by(&UserAgentHeader::new(name))));
        let is_of_crawler = |(name, known): &(&str, Option<&KnownCrawler>)| {
            known.is_some() || has_any(name.as_bytes(), &["bot", "crawl", "spider"])
        };
        let names: Vec<_> = names.filter(is_of_crawler).collect();
        let different: BTreeSet<String> = names
            .iter()
            .map(|(name, known)| known.map_or(*name, KnownCrawler::name).to_ascii_lowercase())
            .collect();
        if different.len() < 2 {
            return registry
                .named_by(&parsed)
                .map_or(Self::Unclear, Self::Known);
        }
        let is_search = |known: &KnownCrawler| known.purposes().contains(&Purpose::Search);
        let own = names
            .iter()
            .filter(|(_, known)| !known.is_some_and(is_search));
        let contact = contact(header);
        let is_of_token = |it: u8| it.is_ascii_alphabetic() || matches!(it, b'_' | b'-');
        let of_contact = own
            .clone()
            .find(|(name, _)| contact.contains(&letters(name)));
        match of_contact.or_else(|| own.clone().next_back()) {
            Some((_, Some(known))) => Self::Known(known),
            Some((name, None)) if name.bytes().all(is_of_token) => Self::Other((*name).to_owned()),
            _ => Self::Unclear,
        }
    }
}

/// Returns the letters and digits of the address in a header.
fn contact(header: &str) -> String {
    let (_, rest) = header.split_once("://").unwrap_or_default();
    let end = rest.find([' ', ')', ';', ',']).unwrap_or(rest.len());
    letters(&rest[..end])
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|it| it.to_ascii_lowercase()).collect()
}
