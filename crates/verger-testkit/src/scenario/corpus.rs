//! The scenario files, typed.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::expected::ExpectedAnswer;
use super::reply::ServerReply;

/// Time zero of every scenario in seconds since 1970: Fri, 15 Jan 2027 08:00:00 GMT.
pub const TIME_ZERO: i64 = 1_800_000_000;

/// Everything under `testdata/access/`.
#[derive(Clone, Debug, Default)]
pub struct ScenarioCorpus {
    /// What servers say and what follows.
    pub scenarios: Vec<Scenario>,
    /// Which file applies to a URL.
    pub locations: Vec<Location>,
    /// What a crawler sends.
    pub user_agents: Vec<UserAgent>,
}

impl ScenarioCorpus {
    /// Every table's id, file and cited clauses.
    pub fn citations(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        let scenarios = self.scenarios.iter();
        let scenarios = scenarios.map(|it| (&it.id, &it.file, &it.clauses));
        let locations = self.locations.iter();
        let locations = locations.map(|it| (&it.id, &it.file, &it.clauses));
        let user_agents = self.user_agents.iter();
        let user_agents = user_agents.map(|it| (&it.id, &it.file, &it.clauses));
        scenarios
            .chain(locations)
            .chain(user_agents)
            .map(|(id, file, clauses)| (id.as_str(), file.as_str(), clauses.as_slice()))
    }
}

/// Moments in order, each answered by every profile that it names.
#[derive(Clone, Debug, Serialize)]
pub struct Scenario {
    /// The file that contains it, without its directory.
    #[serde(skip)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip)]
    pub clauses: Vec<String>,
    /// The URL that is asked about.
    pub url: String,
    /// Where the documents leave a choice: what was chosen and why.
    #[serde(skip)]
    pub why: Option<String>,
    /// What happens, in order.
    pub moments: Vec<Moment>,
}

/// When a moment fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FetchWhen {
    /// If the answer says so.
    #[default]
    Due,
    /// In any case.
    Always,
    /// Not at all.
    Never,
}

/// One moment.
#[derive(Clone, Debug, Serialize)]
pub struct Moment {
    /// In seconds after time zero.
    pub at: i64,
    /// The replies of servers from now on, by URL; earlier ones stay. The host of a URL without a
    /// reply does not resolve.
    pub web: BTreeMap<String, ServerReply>,
    /// Whether it fetches.
    pub fetch: FetchWhen,
    /// Jitter in thousandths.
    pub jitter: i16,
    /// Whether the caller says that the rest of the site is up.
    pub rest_is_up: bool,
    /// The URLs that are requested at this moment, in order, where the scenario says so; without
    /// those of files that are asked about a hop.
    pub requests: Option<Vec<String>>,
    /// The warnings of the fetch, where the scenario says so.
    pub warnings: Option<Vec<String>>,
    /// `allow` or `disallow` by `crawler url`.
    pub verdicts: BTreeMap<String, String>,
    /// The answer by profile.
    pub answers: BTreeMap<&'static str, ExpectedAnswer>,
}

/// Where the robots.txt of a URL is.
#[derive(Clone, Debug, Serialize)]
pub struct Location {
    /// The file that contains it, without its directory.
    #[serde(skip)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip)]
    pub clauses: Vec<String>,
    /// The URL asked about.
    pub url: String,
    /// Where its robots.txt is, or how the error begins.
    #[serde(flatten, serialize_with = "either")]
    pub robots: Result<String, String>,
    /// URLs to which the same file applies.
    pub applies_to: Vec<String>,
    /// URLs to which it does not apply.
    pub not_applied_to: Vec<String>,
}

/// Writes the one as `robots` and the other as `error`, of which one is null.
fn either<S: Serializer>(
    robots: &Result<String, String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (robots, error) = (robots.as_ref().ok(), robots.as_ref().err());
    serializer.collect_map([("robots", robots), ("error", error)])
}

/// What a crawler sends.
#[derive(Clone, Debug)]
pub struct UserAgent {
    /// The file that contains it, without its directory.
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    pub clauses: Vec<String>,
    /// The crawler's product tokens in order.
    pub tokens: Vec<String>,
    /// The `User-Agent` that is sent.
    pub sent: String,
    /// The short names of the warnings.
    pub warnings: Vec<String>,
}
