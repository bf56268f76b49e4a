//! A URL and its verdict as a line of JSON, schema `verger.filter/1`.

use serde::Serialize;
use verger::{Dialect, Effect, RobotsTxt, TargetPath, Verdict};
use verger_answer::{ResolvedCrawler, VerdictKeys, sent_as};

use crate::octet_text::base64;

const SCHEMA: &str = "verger.filter/1";

/// A line; `docs/json.md` says what the keys mean.
#[derive(Serialize)]
pub(super) struct JsonLine<'l> {
    schema: &'static str,
    agent: &'l str,
    crawler: &'l ResolvedCrawler,
    #[serde(flatten)]
    url: UrlKey<'l>,
    sent_as: Option<String>,
    #[serde(flatten)]
    result: ResultKeys<'l>,
}

/// The URL as it came, in base64 where it is not UTF-8.
#[derive(Serialize)]
enum UrlKey<'l> {
    #[serde(rename = "url")]
    Text(&'l str),
    #[serde(rename = "url_base64")]
    Base64(String),
}

/// What decides, under the same keys whatever it is.
#[derive(Serialize)]
#[serde(untagged)]
enum ResultKeys<'l> {
    Rules(VerdictKeys<'l>),
    WithoutRules {
        allowed: Option<bool>,
        reason: &'static str,
        line: (),
        rule: (),
        group: (),
        dialect: &'static str,
    },
}

impl<'l> JsonLine<'l> {
    /// The line about a URL about which rules decide.
    pub(super) fn of(
        crawler: &'l ResolvedCrawler,
        url: &'l [u8],
        target: &TargetPath<'_>,
        verdict: &Verdict,
        robots: &'l RobotsTxt,
    ) -> Self {
        let keys = ResultKeys::Rules(VerdictKeys::of(verdict, robots));
        Self {
            sent_as: sent_as(url, target, *robots.reading()),
            ..Self::about(crawler, url, keys)
        }
    }

    /// The line about a URL for which there are no rules, and why there are none.
    pub(super) fn without_rules(
        crawler: &'l ResolvedCrawler,
        url: &'l [u8],
        effect: Option<Effect>,
        reason: &'static str,
        dialect: Dialect,
    ) -> Self {
        let keys = ResultKeys::WithoutRules {
            allowed: effect.map(|effect| effect == Effect::Allow),
            reason,
            line: (),
            rule: (),
            group: (),
            dialect: dialect.as_str(),
        };
        Self::about(crawler, url, keys)
    }

    /// Writes it out.
    pub(super) fn print(&self, output: &mut Vec<u8>) {
        // Writing to a vector cannot fail, and every key is a string.
        let _ = serde_json::to_writer(&mut *output, self);
        output.push(b'\n');
    }

    fn about(crawler: &'l ResolvedCrawler, url: &'l [u8], result: ResultKeys<'l>) -> Self {
        let url = match std::str::from_utf8(url) {
            Ok(text) => UrlKey::Text(text),
            Err(_) => UrlKey::Base64(base64(url)),
        };
        Self {
            schema: SCHEMA,
            agent: crawler.name(),
            crawler,
            url,
            sent_as: None,
            result,
        }
    }
}
