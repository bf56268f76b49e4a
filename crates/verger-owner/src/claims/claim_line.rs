//! `ClaimLine`: how a claim ended, as a line of `verger.test/1` in `docs/json.md`.

use serde::Serialize;

use crate::claims::claim_report::{ClaimAnswer, ClaimEnd};

const SCHEMA: &str = "verger.test/1";

/// How a claim ended, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimLine<'t> {
    schema: &'static str,
    robots: &'t str,
    claim: String,
    why: Option<String>,
    line: Option<usize>,
    /// `None` where it is not decided.
    holds: Option<bool>,
    message: Option<String>,
    /// Only where the claim is about a sitemap.
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disallowed: Option<u64>,
}

impl<'t> ClaimLine<'t> {
    /// The line of a claim about `robots`, a path or a URL for people.
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
        }
    }
}
