use serde::{Deserialize, Serialize};

use super::moment::Moment;

/// Time zero of every scenario in seconds since 1970: Fri, 15 Jan 2027 08:00:00 GMT.
pub const TIME_ZERO: i64 = 1_800_000_000;

/// Everything under `testdata/access/`.
#[derive(Clone, Debug, Default)]
pub struct ScenarioCorpus {
    /// Replies over time, and the answers.
    pub scenarios: Vec<Scenario>,
    /// The file that applies to a URL.
    pub locations: Vec<Location>,
    /// The `User-Agent` headers of crawlers.
    pub user_agents: Vec<UserAgent>,
}

impl ScenarioCorpus {
    /// Returns the id, file and cited clauses of every table.
    pub fn citations(&self) -> impl Iterator<Item = (&str, &str, &[String])> {
        let scenarios = self.scenarios.iter();
        let scenarios = scenarios.map(|it| (&*it.id, &*it.file, &*it.clauses));
        let locations = self.locations.iter();
        let locations = locations.map(|it| (&*it.id, &*it.file, &*it.clauses));
        let user_agents = self.user_agents.iter();
        let user_agents = user_agents.map(|it| (&*it.id, &*it.file, &*it.clauses));
        scenarios.chain(locations).chain(user_agents)
    }
}

/// Moments in order, each with the answers of its profiles.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL in question.
    #[serde(default = "usual_url")]
    pub url: String,
    /// The choice made and its reason, if the documents leave one open.
    #[serde(skip_serializing)]
    pub why: Option<String>,
    /// The moments, in order.
    pub moments: Vec<Moment>,
}

fn usual_url() -> String {
    "https://h.example/".to_owned()
}

/// The location of a URL's robots.txt.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL.
    pub url: String,
    /// The location of its robots.txt. If it has none, there is an `error`.
    pub robots: Option<String>,
    /// The start of the error.
    pub error: Option<String>,
    /// URLs that the same file applies to.
    #[serde(default)]
    pub applies_to: Vec<String>,
    /// URLs that it does not apply to.
    #[serde(default)]
    pub not_applied_to: Vec<String>,
}

/// The `User-Agent` of a crawler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserAgent {
    /// File name.
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    pub clauses: Vec<String>,
    /// The crawler's product tokens, in order.
    pub tokens: Vec<String>,
    /// The `User-Agent` that it sends.
    pub sent: String,
    /// The short names of the warnings.
    pub warnings: Vec<String>,
}
