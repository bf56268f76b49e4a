use std::borrow::Cow;

use serde::Serialize;
use verger::{AppliedGroup, LineNumber, NamedBy, RobotsTxt, Verdict};

use crate::text::json_text;

/// A verdict and its reasons: the keys `allowed` to `dialect` of `docs/json.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VerdictKeys<'r> {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// `rule`, `no-rule`, `no-group` or `robots-txt`.
    pub reason: &'static str,
    /// The line of the deciding rule, counted from 1.
    pub line: Option<u32>,
    /// The line as written, without comment and surrounding white space.
    pub rule: Option<Cow<'r, str>>,
    /// Its bytes in base64 if they are not UTF-8. Never set in a batch, whose keys are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_base64: Option<String>,
    /// The first group that applies to the crawler.
    pub group: Option<GroupKeys>,
    /// The dialect of the reading.
    pub dialect: &'static str,
}

/// The first group that applies to the crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GroupKeys {
    /// Its first user-agent line, counted from 1.
    pub line: u32,
    /// Whether it names the crawler. False if it applies by `*`.
    pub named: bool,
}

impl From<AppliedGroup> for GroupKeys {
    fn from(group: AppliedGroup) -> Self {
        Self {
            line: group.line.get(),
            named: group.named_by == NamedBy::Token,
        }
    }
}

impl<'r> VerdictKeys<'r> {
    /// Creates the keys of a verdict on `robots` for a batch.
    #[must_use]
    pub fn in_batch(verdict: &Verdict, robots: &'r RobotsTxt) -> Self {
        let line = verdict.line();
        let record = line.and_then(|line| robots.record_at(line));
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason().as_str(),
            line: line.map(LineNumber::get),
            rule: record.map(|record| String::from_utf8_lossy(record.text())),
            rule_base64: None,
            group: verdict.group().map(GroupKeys::from),
            dialect: robots.dialect().as_str(),
        }
    }

    /// Creates the keys of a verdict on `robots`, with `rule_base64` if the text of the rule lost
    /// bytes.
    #[must_use]
    pub fn new(verdict: &Verdict, robots: &'r RobotsTxt) -> Self {
        let line = verdict.line();
        let record = line.and_then(|line| robots.record_at(line));
        Self {
            rule_base64: record.and_then(|record| json_text(record.text()).1),
            ..Self::in_batch(verdict, robots)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Crawler, Dialect, TargetPath};

    fn json(body: &[u8], agent: &str, url: &str) -> String {
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let policy = robots.policy(&Crawler::named(agent, Dialect::Rfc9309).unwrap());
        let verdict = policy.decide(&TargetPath::new(url, Dialect::Rfc9309).unwrap());
        serde_json::to_string(&VerdictKeys::new(&verdict, &robots)).unwrap()
    }

    #[test]
    fn every_reason_has_its_name_and_its_keys() {
        let body = b"User-agent: a\nDisallow: /x # why\nDisallow: /\xe9\n";
        for (agent, url, expected) in [
            (
                "a",
                "/x",
                r#"{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /x","group":{"line":1,"named":true},"dialect":"rfc9309"}"#,
            ),
            (
                "a",
                "/%E9",
                "{\"allowed\":false,\"reason\":\"rule\",\"line\":3,\"rule\":\"Disallow: /\u{fffd}\",\"rule_base64\":\"RGlzYWxsb3c6IC/p\",\"group\":{\"line\":1,\"named\":true},\"dialect\":\"rfc9309\"}",
            ),
            (
                "a",
                "/y",
                r#"{"allowed":true,"reason":"no-rule","line":null,"rule":null,"group":{"line":1,"named":true},"dialect":"rfc9309"}"#,
            ),
            (
                "b",
                "/x",
                r#"{"allowed":true,"reason":"no-group","line":null,"rule":null,"group":null,"dialect":"rfc9309"}"#,
            ),
            (
                "b",
                "/robots.txt",
                r#"{"allowed":true,"reason":"robots-txt","line":null,"rule":null,"group":null,"dialect":"rfc9309"}"#,
            ),
        ] {
            assert_eq!(json(body, agent, url), expected, "{agent} {url}");
        }
    }
}
