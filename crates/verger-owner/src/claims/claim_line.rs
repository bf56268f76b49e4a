use serde::Serialize;

use crate::claims::claim_report::{ClaimAnswer, ClaimEnd};

const SCHEMA: &str = "verger.test/1";

/// The result of a claim, as a line of `verger.test/1` in `docs/json.md`.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimLine<'t> {
    schema: &'static str,
    robots: &'t str,
    claim: String,
    why: Option<String>,
    line: Option<usize>,
    /// `None` if undecided.
    holds: Option<bool>,
    message: Option<String>,
    /// Present only for sitemap claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disallowed: Option<u64>,
    /// Present only for claims about pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contrary: Option<u64>,
}

impl<'t> ClaimLine<'t> {
    /// Creates the line of a claim about `robots`, a path or a URL.
    #[must_use]
    pub fn new(answer: ClaimAnswer, robots: &'t str) -> Self {
        let claim = answer.claim();
        let (holds, message) = match answer.result {
            ClaimEnd::Holds => (Some(true), None),
            ClaimEnd::Fails(message) => (Some(false), Some(message)),
            ClaimEnd::NotDecided(message) => (None, Some(message)),
        };
        Self {
            schema: SCHEMA,
            robots,
            claim,
            why: answer.why,
            line: answer.line,
            holds,
            message,
            urls: answer.urls.map(|[urls, _]| urls),
            disallowed: answer.urls.map(|[_, disallowed]| disallowed),
            pages: answer.pages.map(|[pages, _]| pages),
            contrary: answer.pages.map(|[_, contrary]| contrary),
        }
    }
}
