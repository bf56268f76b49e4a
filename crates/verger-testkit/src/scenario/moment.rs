use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::expected::ExpectedAnswer;
use super::profiles::by_profile;
use super::reply::ServerReply;
use super::seconds::read_seconds;

/// When a moment fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FetchWhen {
    /// If the answer is due.
    #[default]
    Due,
    /// In any case.
    Always,
    /// Not at all.
    Never,
}

/// The replies of servers from a time on, and the answer of each profile.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "MomentShape")]
pub struct Moment {
    /// In seconds after time zero.
    pub at: i64,
    /// The replies of servers from now on, by URL. Earlier ones stay. The host of a URL without a
    /// reply does not resolve.
    pub web: BTreeMap<String, ServerReply>,
    /// Whether to fetch.
    pub fetch: FetchWhen,
    /// Jitter in thousandths.
    pub jitter: i16,
    /// Whether the caller reports that the rest of the site is up.
    pub rest_is_up: bool,
    /// The URLs requested at this moment, in order, if the scenario lists them. Requests for files
    /// that hops are checked against are left out.
    pub requests: Option<Vec<String>>,
    /// The warnings of the fetch, if the scenario lists them.
    pub warnings: Option<Vec<String>>,
    /// `allow` or `disallow` by `crawler url`.
    pub verdicts: BTreeMap<String, String>,
    /// The answer by profile.
    pub answers: BTreeMap<&'static str, ExpectedAnswer>,
}

#[derive(Deserialize)]
struct MomentShape {
    at: String,
    #[serde(default)]
    web: BTreeMap<String, ServerReply>,
    #[serde(default)]
    fetch: FetchWhen,
    #[serde(default)]
    jitter: i16,
    #[serde(default)]
    rest_is_up: bool,
    requests: Option<Vec<String>>,
    warnings: Option<Vec<String>>,
    #[serde(default)]
    verdicts: BTreeMap<String, String>,
    all: Option<String>,
    #[serde(flatten)]
    own: BTreeMap<String, String>,
}

impl TryFrom<MomentShape> for Moment {
    type Error = String;

    fn try_from(shape: MomentShape) -> Result<Self, String> {
        let mut answers = BTreeMap::new();
        for (profile, text) in by_profile(shape.all.as_ref(), &shape.own)? {
            answers.insert(profile, ExpectedAnswer::parse(&text)?);
        }
        for verdict in shape.verdicts.values() {
            if !["allow", "disallow"].contains(&verdict.as_str()) {
                return Err(format!("`{verdict}` is no verdict"));
            }
        }
        let web = shape
            .web
            .into_iter()
            .map(|(url, reply)| match url.strip_prefix('/') {
                Some(path) => (format!("https://h.example/{path}"), reply),
                None => (url, reply),
            });
        Ok(Self {
            at: read_seconds(&shape.at)?,
            web: web.collect(),
            fetch: shape.fetch,
            jitter: shape.jitter,
            rest_is_up: shape.rest_is_up,
            requests: shape.requests,
            warnings: shape.warnings,
            verdicts: shape.verdicts,
            answers,
        })
    }
}
