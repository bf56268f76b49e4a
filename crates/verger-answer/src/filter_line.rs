use serde::Serialize;
use verger::{Dialect, Effect, RobotsTxt, TargetPath, Verdict};

use crate::check_answer::sent_as;
use crate::result_keys::{ResultKeys, UrlKey};
use crate::verdict_keys::VerdictKeys;
use verger_crawlers::ResolvedCrawler;

const SCHEMA: &str = "verger.filter/1";

/// The verdict on one of many URLs (`verger.filter/1` in `docs/json.md`).
#[derive(Debug, Serialize)]
pub struct FilterLine<'a> {
    schema: &'static str,
    agent: &'a str,
    crawler: &'a ResolvedCrawler,
    #[serde(flatten)]
    url: UrlKey<'a>,
    sent_as: Option<String>,
    #[serde(flatten)]
    result: ResultKeys<'a>,
}

impl<'a> FilterLine<'a> {
    /// Creates the line for a URL that rules decide.
    #[must_use]
    pub fn by_rules(
        crawler: &'a ResolvedCrawler,
        url: &'a [u8],
        target: &TargetPath<'_>,
        verdict: &Verdict,
        robots: &'a RobotsTxt,
    ) -> Self {
        let keys = ResultKeys::Rules(VerdictKeys::new(verdict, robots));
        Self {
            sent_as: sent_as(url, target, *robots.reading()),
            ..Self::about(crawler, url, keys)
        }
    }

    /// Creates the line for a URL without rules, with the code of the reason.
    #[must_use]
    pub fn without_rules(
        crawler: &'a ResolvedCrawler,
        url: &'a [u8],
        effect: Option<Effect>,
        reason: &'static str,
        dialect: Dialect,
    ) -> Self {
        let keys = ResultKeys::without_rules(effect, reason, dialect);
        Self::about(crawler, url, keys)
    }

    fn about(crawler: &'a ResolvedCrawler, url: &'a [u8], result: ResultKeys<'a>) -> Self {
        Self {
            schema: SCHEMA,
            agent: crawler.name(),
            crawler,
            url: UrlKey::of(url),
            sent_as: None,
            result,
        }
    }
}
