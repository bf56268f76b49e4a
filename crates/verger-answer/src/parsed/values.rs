//! Values of other records, for the whole file or for one crawler.

use serde::Serialize;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};
use verger_extensions::{
    ContentUsage, UsageRule, clean_params, content_signal, content_usage, crawl_delay, host,
    licenses, noindex, request_rates, sitemaps, visit_times,
};

/// Records that apply to the whole file, no matter which group contains them.
pub(super) const KINDS_OF_FILE: [RecordKind; 4] = [
    RecordKind::Sitemap,
    RecordKind::Host,
    RecordKind::CleanParam,
    RecordKind::License,
];

/// The normalized value of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Value {
    /// The line, or `None` if several are combined.
    pub line: Option<u32>,
    /// The key in its documented spelling, in lower case.
    pub kind: &'static str,
    /// The normalized value.
    #[serde(rename = "value")]
    pub text: String,
}

impl Value {
    fn at(line: LineNumber, kind: &'static str, value: &impl ToString) -> Self {
        Self {
            line: Some(line.get()),
            kind,
            text: value.to_string(),
        }
    }
}

/// Returns the values of [`KINDS_OF_FILE`].
pub(super) fn values_of_file(robots: &RobotsTxt) -> impl Iterator<Item = Value> {
    let sitemaps = sitemaps(robots);
    let sitemaps = sitemaps.map(|sitemap| Value::at(sitemap.line(), "sitemap", &sitemap));
    let host = host(robots);
    let host = host.map(|host| Value::at(host.line(), "host", &host));
    let clean_params = clean_params(robots);
    let clean_params = clean_params.map(|param| Value::at(param.line(), "clean-param", &param));
    let licenses = licenses(robots);
    let licenses = licenses.map(|license| Value::at(license.line(), "license", &license));
    sitemaps.chain(host).chain(clean_params).chain(licenses)
}

/// Returns the values of the groups that apply to a crawler.
pub(super) fn values_for(robots: &RobotsTxt, crawler: &Crawler) -> Vec<Value> {
    let delay = crawl_delay(robots, crawler);
    let delay = delay.map(|delay| Value::at(delay.line(), "crawl-delay", &delay));
    let rates = request_rates(robots, crawler).into_iter();
    let rates = rates.map(|rate| Value::at(rate.line(), "request-rate", &rate));
    let times = visit_times(robots, crawler).into_iter();
    let times = times.map(|time| Value::at(time.line(), "visit-time", &time));
    let noindex = noindex(robots, crawler).into_iter();
    let noindex = noindex.map(|noindex| Value::at(noindex.line(), "noindex", &noindex));
    let signal = content_signal(robots, crawler);
    let signal = (!signal.pairs().is_empty()).then(|| Value {
        line: None,
        kind: "content-signal",
        text: signal.to_string(),
    });
    delay
        .into_iter()
        .chain(rates)
        .chain(times)
        .chain(noindex)
        .chain(signal)
        .chain(usage_values(&content_usage(robots, crawler)))
        .collect()
}

fn usage_values(usage: &ContentUsage) -> Vec<Value> {
    let value = |rule: &UsageRule| {
        let path = rule.path().map(String::from_utf8_lossy);
        let path = path.map_or_else(String::new, |path| format!("{path} "));
        let preferences = rule.preferences();
        let text = format!("{path}{preferences}");
        Value::at(rule.line(), "content-usage", &text)
    };
    usage.rules().iter().map(value).collect()
}
