use verger::Clause;
use verger_crawlers::{KnownCrawler, Purpose, Registry, UserAgentHeader};

use crate::agent::leading_token;
use crate::agent_value::{AgentValue, values_of};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, quoted};

/// Maximum length of a value to look up as a header, in bytes.
const HEADER_BYTES_MAX: usize = 500;

pub(super) const LINT: Lint = Lint {
    code: "agent-is-header",
    severity: Severity::Warning,
    summary: "a user-agent line contains a whole User-Agent header",
    explanation: "\
A crawler finds its group by its product token, not by the header that it sends. Crawlers read only the first
word of a header, which is `Mozilla` for most of them. Write the product token. The finding is a note if that
word is the token, or if the header belongs to no crawler in the registry.

Some headers name several crawlers, because they copy that of a search engine. The help then gives the name that
the address in the header contains, or else the last one, but never that of a search engine.",
    wrong: Example::of(b"User-agent: Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)\nDisallow: /\n"),
    right: Example::of(b"User-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-2"), Clause::new("R9309-2.2.1-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in values_of(file, AgentValue::Header) {
        let value = file.bytes(diagnostic.span);
        let header = &value[..value.len().min(HEADER_BYTES_MAX)];
        let header = String::from_utf8_lossy(header);
        let message = match leading_token(value) {
            b"" => "write the crawler's name here, not its whole User-Agent text: the line names no crawler".to_owned(),
            token => format!(
                "write the crawler's name here, not its whole User-Agent text: only {} is read",
                quoted(token)
            ),
        };
        let draft = Draft::new(diagnostic.span, message);
        found.add(match Meant::of(&header) {
            Meant::Known(crawler) => {
                let token = crawler.own_token().as_str();
                let is_read = token.as_bytes().eq_ignore_ascii_case(leading_token(value));
                draft.write(token, diagnostic.span).note_if(is_read)
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
        let parsed = UserAgentHeader::new(header);
        let names: Vec<Name> = parsed.product_names().filter_map(Name::of).collect();
        let is_first = |name: &Name| names.first().is_some_and(|first| first.is_same(name));
        if names.iter().all(is_first) {
            let known = Registry::bundled().named_by(&parsed);
            return known.map_or(Self::Unclear, Self::Known);
        }
        let own = names.iter().filter(|it| !it.is_of_search_engine());
        let contact = contact(header);
        let of_contact = |name: &&Name| {
            let name = letters(&name.text);
            contact.windows(name.len()).any(|it| it == name)
        };
        match own
            .clone()
            .find(of_contact)
            .or_else(|| own.clone().next_back())
        {
            Some(Name {
                known: Some(it), ..
            }) => Self::Known(it),
            Some(name) if name.is_token() => Self::Other(name.text.clone()),
            _ => Self::Unclear,
        }
    }
}

/// A name in a header that looks like that of a crawler.
struct Name {
    text: String,
    known: Option<&'static KnownCrawler>,
}

impl Name {
    fn of(text: &str) -> Option<Self> {
        let known = Registry::bundled().named_by(&UserAgentHeader::new(text));
        let words = ["bot", "crawl", "spider"];
        let mut words = words.iter().map(|it| it.as_bytes());
        let looks_like_one = words.any(|it| find_ignoring_case(text.as_bytes(), it).is_some());
        (known.is_some() || looks_like_one).then(|| Self {
            text: text.to_owned(),
            known,
        })
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self.known, other.known) {
            (Some(one), Some(other)) => one.name() == other.name(),
            _ => self.text.eq_ignore_ascii_case(&other.text),
        }
    }

    fn is_of_search_engine(&self) -> bool {
        self.known
            .is_some_and(|it| it.purposes().contains(&Purpose::Search))
    }

    fn is_token(&self) -> bool {
        let belongs = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
        self.text.bytes().all(belongs)
    }
}

/// Returns the letters and digits of the address in a header.
fn contact(header: &str) -> Vec<u8> {
    let start = header.find("://").map_or(header.len(), |at| at + 3);
    let rest = &header[start..];
    let end = rest.find([' ', ')', ';', ',']).unwrap_or(rest.len());
    letters(&rest[..end])
}

fn letters(text: &str) -> Vec<u8> {
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    letters.map(|it| it.to_ascii_lowercase()).collect()
}
