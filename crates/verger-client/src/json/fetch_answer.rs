use core::time::Duration;
use std::net::IpAddr;
use std::path::Path;

use serde::{Serialize, Serializer};
use verger::{Crawler, RobotsTxt, legible};
use verger_access::{AccessPolicy, Attempt, Hop, Outcome, Timestamp, Warning};
use verger_answer::{AccessKeys, AuthorityState, Delay, PacingBounds};
use verger_extensions::sitemaps;

use crate::answers::client::FetchReport;
use crate::fetch::fetched::Fetched;
use crate::json::authority_state::state_of_report;

const SCHEMA: &str = "verger.fetch/1";

/// A fetch and its consequences. `Serialize` writes `verger.fetch/1` (`docs/json.md`).
#[derive(Debug)]
#[non_exhaustive]
pub struct FetchAnswer<'a> {
    /// The client's report.
    pub report: &'a FetchReport,
    /// The state now. `None` if nothing is known.
    pub state: Option<AuthorityState>,
    /// The store's file. `None` if the store is in memory.
    pub store: Option<&'a Path>,
    /// The delay between the requests of a crawler that no group names, if there is one.
    pub delay: Option<Delay>,
}

/// One request and its result.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FetchHop<'a> {
    /// The request and the reply.
    #[serde(flatten)]
    pub hop: &'a Hop,
    /// The reply, or what happened instead, as a sentence.
    pub what: String,
    /// What happened instead of a reply, for an operator.
    pub detail: Option<&'a str>,
    /// The address connected to.
    pub peer: Option<IpAddr>,
    /// The time from the request to the last byte read.
    #[serde(rename = "duration_us", serialize_with = "microseconds")]
    pub duration: Duration,
}

/// A sitemap that the file names.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FetchedSitemap {
    /// The line.
    pub line: u32,
    /// The URL as written, with `U+FFFD` instead of bytes that are not UTF-8.
    pub url: String,
    /// The URL, resolved against that of the file. `None` if it is not a URL.
    pub resolved: Option<String>,
}

#[derive(Serialize)]
struct FetchKeys<'a> {
    schema: &'static str,
    authority: String,
    url: &'a str,
    hops: Vec<FetchHop<'a>>,
    media_type: Option<String>,
    bytes: Option<usize>,
    entity_tag: Option<String>,
    last_modified: Option<String>,
    sitemaps: Vec<FetchedSitemap>,
    dialect: &'static str,
    #[serde(flatten)]
    delay: Option<Delay>,
    #[serde(flatten)]
    access: AccessKeys<'a>,
    store: Option<String>,
    warnings: Vec<WarningKeys>,
}

#[derive(Serialize)]
struct WarningKeys {
    kind: &'static str,
    message: String,
    clause: &'static str,
}

impl<'a> FetchAnswer<'a> {
    /// Creates the answer from a report whose fetch is kept in the file `store`, with the delay
    /// that applies `at` this time.
    #[must_use]
    pub fn new(
        report: &'a FetchReport,
        store: Option<&'a Path>,
        bounds: PacingBounds,
        at: Timestamp,
    ) -> Self {
        let policy = AccessPolicy::new(&report.answer, &Crawler::unnamed());
        Self {
            report,
            state: state_of_report(report.clone()),
            store,
            delay: bounds.delay(policy.pacing(), at),
        }
    }

    /// Returns the requests, in order.
    #[must_use]
    pub fn hops(&self) -> Vec<FetchHop<'a>> {
        let Some(Fetched {
            attempt, exchanges, ..
        }) = self.fetched()
        else {
            return Vec::new();
        };
        let hops = attempt.hops.iter().zip(exchanges);
        let seen = hops.map(|(hop, exchange)| FetchHop {
            hop,
            what: match (hop.reply, attempt.last.outcome) {
                (Some(reply), _) => reply.to_string(),
                (None, Outcome::Failed(failure)) => failure.to_string(),
                (None, outcome) => outcome.to_string(),
            },
            detail: exchange.detail.as_deref(),
            peer: exchange.peer,
            duration: exchange.duration,
        });
        seen.collect()
    }

    /// Returns a header of the last response, as text that is safe to display.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<String> {
        let value = self.fetched()?.headers.get(name)?;
        Some(legible(value.as_bytes()))
    }

    /// Returns the body, if the attempt was successful or an override has one.
    #[must_use]
    pub fn body(&self) -> Option<&'a [u8]> {
        if self.report.answer.is_overridden() {
            return self.report.answer.body().map(|body| &**body);
        }
        let attempted = self.attempt().and_then(|attempt| attempt.copy.as_ref());
        attempted.map(|copy| &*copy.body)
    }

    /// Returns the sitemaps of the body, in file order.
    #[must_use]
    pub fn sitemaps(&self) -> Vec<FetchedSitemap> {
        let FetchReport {
            authority, answer, ..
        } = self.report;
        let copy = self.attempt().and_then(|attempt| attempt.copy.as_ref());
        let file = copy.map_or(authority.robots_url(), |copy| &copy.url);
        let robots = RobotsTxt::parse(self.body().unwrap_or_default(), answer.reading());
        let resolved = sitemaps(&robots).map(|sitemap| {
            let url = String::from_utf8_lossy(sitemap.url()).into_owned();
            FetchedSitemap {
                line: sitemap.line().get(),
                resolved: file.join(&url).ok().map(String::from),
                url,
            }
        });
        resolved.collect()
    }

    /// Returns warnings for the operator.
    #[must_use]
    pub fn warnings(&self) -> &'a [Warning] {
        self.attempt().map_or(&[], |attempt| &attempt.warnings)
    }

    fn fetched(&self) -> Option<&'a Fetched> {
        self.report.fetched.as_deref()
    }

    fn attempt(&self) -> Option<&'a Attempt> {
        self.fetched().map(|fetched| &fetched.attempt)
    }
}

impl Serialize for FetchAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FetchReport {
            authority, answer, ..
        } = self.report;
        let warning = |warning: &Warning| WarningKeys {
            kind: warning.as_str(),
            message: warning.to_string(),
            clause: warning.clause().id(),
        };
        let keys = FetchKeys {
            schema: SCHEMA,
            authority: authority.to_string(),
            url: authority.robots_url().as_str(),
            hops: self.hops(),
            media_type: self.header("content-type"),
            bytes: self.body().map(<[u8]>::len),
            entity_tag: self.header("etag"),
            last_modified: self.header("last-modified"),
            sitemaps: self.sitemaps(),
            dialect: answer.dialect().as_str(),
            delay: self.delay,
            access: AccessKeys::new(answer.profile(), self.state.as_ref()),
            store: self.store.map(|path| path.display().to_string()),
            warnings: self.warnings().iter().map(warning).collect(),
        };
        keys.serialize(serializer)
    }
}

fn microseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    serializer.serialize_u64(microseconds)
}
