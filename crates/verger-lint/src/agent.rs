//! User-agent lines and the crawlers that they name.

use verger::{Crawler, Dialect, Record, RecordKind, RobotsTxt, Span};
use verger_crawlers::{KnownCrawler, Obeys, Registry};

use crate::part::part;

/// A user-agent line with a name or `*`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent<'f> {
    pub(crate) record: Record<'f>,
    /// The index of its group.
    pub(crate) group: usize,
    /// The part that product tokens are compared with: the leading letters, digits, `_`, `-` and
    /// `.`, or `*`.
    pub(crate) token: &'f str,
    /// The crawler with that token in the registry.
    pub(crate) known: Option<&'static KnownCrawler>,
}

impl<'f> Agent<'f> {
    /// Returns the user-agent lines with a name or `*`, in file order.
    pub(crate) fn all(robots: &'f RobotsTxt) -> Vec<Self> {
        let of_record = |record: Record<'f>| {
            let value = record.value();
            let token = if value == b"*" {
                value
            } else {
                leading_token(value)
            };
            let token = std::str::from_utf8(token)
                .ok()
                .filter(|it| !it.is_empty())?;
            // No crawler is called `*`, so a file with only `*` needs no names.
            let known = (token != "*").then(|| Registry::bundled().by_name(token));
            Some(Self {
                record,
                group: record.group()?.index(),
                token,
                known: known.flatten(),
            })
        };
        let records = robots.records_of(RecordKind::UserAgent);
        records.filter_map(of_record).collect()
    }

    /// Returns a crawler of that name, or for `*` a crawler that no group names.
    pub(crate) fn crawler(&self, dialect: Dialect) -> Option<Crawler> {
        if self.is_star() {
            return Some(Crawler::unnamed());
        }
        Crawler::named(self.token, dialect).ok()
    }

    /// Returns whether the line is for every crawler that no group names.
    pub(crate) fn is_star(&self) -> bool {
        self.token == "*"
    }

    /// Returns the token in lower case, as it is compared.
    pub(crate) fn key(&self) -> String {
        self.token.to_ascii_lowercase()
    }

    /// Returns the place of the token.
    pub(crate) fn span(&self) -> Span {
        part(self.record.value_span(), 0..self.token.len())
    }
}

/// Returns the leading run of bytes that product tokens may contain.
pub(crate) fn leading_token(value: &[u8]) -> &[u8] {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let end = value.iter().position(|byte| !belongs(byte));
    &value[..end.unwrap_or(value.len())]
}

/// Returns whether a crawler is in use and obeys robots.txt.
pub(crate) fn obeys(known: &KnownCrawler) -> bool {
    !known.is_retired() && known.obeys() != Obeys::No
}

/// Names of services, and of one company that is not among the first of the registry, with their
/// crawlers.
const SERVICES: [(&str, &str); 6] = [
    ("bing", "bingbot"),
    ("chatgpt", "chatgpt-user"),
    ("claude", "claudebot"),
    ("facebook", "facebookexternalhit"),
    ("twitter", "twitterbot"),
    ("yahoo", "slurp"),
];

/// Returns the crawler that is meant by the name of a company or a service.
pub(crate) fn of_company(value: &[u8]) -> Option<&'static KnownCrawler> {
    /// Number of crawlers that site owners look for. They are the first of the registry.
    const WELL_KNOWN: usize = 37;
    let value = value.strip_suffix(b"!").unwrap_or(value);
    let name = str::from_utf8(value).ok().filter(|it| it.len() > 2)?;
    let is_name = |it: &&(&str, &str)| it.0.eq_ignore_ascii_case(name);
    let registry = Registry::bundled();
    if let Some((_, crawler)) = SERVICES.iter().find(is_name) {
        return registry.by_name(crawler);
    }
    let first = registry.by_operator(name).next();
    first.filter(|it| it.place() < WELL_KNOWN)
}
