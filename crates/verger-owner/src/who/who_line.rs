use serde::Serialize;
use verger::{LineNumber, ProductToken};
use verger_compare::{ExtentClass, Found};
use verger_crawlers::KnownCrawler;

use crate::who::who_row::WhoRow;

const SCHEMA: &str = "verger.who/1";

/// How much of a site a crawler may fetch (`verger.who/1` in `docs/json.md`).
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WhoLine<'r> {
    /// `verger.who/1`.
    pub schema: &'static str,
    /// The name of the crawler.
    pub crawler: &'r str,
    /// Its product tokens, the first one first.
    pub tokens: Vec<&'r str>,
    /// The operator, or `None` if the registry does not know the crawler.
    pub operator: Option<&'r str>,
    /// The dialect in which it is judged.
    pub dialect: &'static str,
    /// Its purposes.
    pub purposes: Vec<&'static str>,
    /// `everything`, `some` or `nothing`, or `None` if undecided.
    pub disallowed: Option<&'static str>,
    /// The group that applies.
    pub group: Option<WhoGroup<'r>>,
    /// The line of the rule that disallows the shortest disallowed URL.
    pub rule_line: Option<u32>,
    /// The shortest allowed URL.
    pub allowed_url: Option<String>,
    /// The shortest disallowed URL.
    pub disallowed_url: Option<String>,
    /// The budget in states, if it ran out.
    pub states: Option<u64>,
}

/// The group that applies to a crawler.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WhoGroup<'r> {
    /// Line of the user-agent line that matches.
    pub line: u32,
    /// The token on that line, or `None` for `*`.
    pub token: Option<&'r str>,
    /// Whether the token is the crawler's own.
    pub own: bool,
}

impl<'r> WhoLine<'r> {
    /// Creates the line of a row. `site` is the origin of the URLs.
    #[must_use]
    pub fn new(row: &'r WhoRow<'_>, site: &str) -> Self {
        let known = row.crawler.known();
        let tokens = row.crawler.crawler().tokens().iter();
        let url = |found: &Found| found.witness().map(|it| it.url(site));
        let states = |found: &Found| match found {
            Found::NotDecided { states } => Some(*states),
            Found::Witness(_) | Found::NoTarget => None,
        };
        let (allowed, disallowed) = (row.extent.allowed(), row.extent.disallowed());
        Self {
            schema: SCHEMA,
            crawler: row.crawler.name(),
            tokens: tokens.map(ProductToken::as_str).collect(),
            operator: known.map(KnownCrawler::operator),
            dialect: row.dialect.as_str(),
            purposes: known.map_or_else(Vec::new, |known| {
                known.purposes().iter().map(|it| it.as_str()).collect()
            }),
            disallowed: row.extent.class().map(ExtentClass::as_str),
            group: row.group.as_ref().map(|group| WhoGroup {
                line: group.line.get(),
                token: group.token.as_deref(),
                own: group.is_own,
            }),
            rule_line: row.disallowed_by.map(LineNumber::get),
            allowed_url: url(allowed),
            disallowed_url: url(disallowed),
            states: states(allowed).or_else(|| states(disallowed)),
        }
    }
}
