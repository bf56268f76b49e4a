//! `WhoLine`: how much of a site a crawler may fetch, as a line of `verger.who/1` in `docs/json.md`.

use serde::Serialize;
use verger::{LineNumber, ProductToken};
use verger_compare::{ExtentClass, Found};
use verger_crawlers::KnownCrawler;

use crate::who::who_row::WhoRow;

const SCHEMA: &str = "verger.who/1";

/// How much of a site a crawler may fetch: a line of `verger.who/1`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WhoLine<'r> {
    /// `verger.who/1`.
    pub schema: &'static str,
    /// The name of the crawler.
    pub crawler: &'r str,
    /// Its product tokens, the first one first.
    pub tokens: Vec<&'r str>,
    /// The operator; `None` for a crawler that the registry does not know.
    pub operator: Option<&'r str>,
    /// The purposes of the crawler.
    pub purposes: Vec<&'static str>,
    /// `everything`, `some` or `nothing`; `None` where that is not decided.
    pub disallowed: Option<&'static str>,
    /// The group that applies.
    pub group: Option<WhoGroup<'r>>,
    /// The line of the rule that disallows the shortest disallowed URL.
    pub rule_line: Option<u32>,
    /// The shortest allowed URL.
    pub allowed_url: Option<String>,
    /// The shortest disallowed URL.
    pub disallowed_url: Option<String>,
    /// The states of the budget, where it was used up.
    pub states: Option<u64>,
}

/// The group that applies to a crawler, as JSON.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct WhoGroup<'r> {
    /// The user-agent line by which it applies.
    pub line: u32,
    /// The token on that line; `None` for `*`.
    pub token: Option<&'r str>,
    /// Whether the token is the crawler's own.
    pub own: bool,
}

impl<'r> WhoLine<'r> {
    /// The line of a row about the file of `site`, which is given as its URLs begin.
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
