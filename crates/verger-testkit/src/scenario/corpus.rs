//! The scenario files, typed.

use serde::{Deserialize, Serialize};

use super::moment::Moment;

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
        let scenarios = scenarios.map(|it| (&*it.id, &*it.file, &*it.clauses));
        let locations = self.locations.iter();
        let locations = locations.map(|it| (&*it.id, &*it.file, &*it.clauses));
        let user_agents = self.user_agents.iter();
        let user_agents = user_agents.map(|it| (&*it.id, &*it.file, &*it.clauses));
        scenarios.chain(locations).chain(user_agents)
    }
}

/// Moments in order, each answered by every profile that it names.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL that is asked about.
    #[serde(default = "usual_url")]
    pub url: String,
    /// Where the documents leave a choice: what was chosen and why.
    #[serde(skip_serializing)]
    pub why: Option<String>,
    /// What happens, in order.
    pub moments: Vec<Moment>,
}

fn usual_url() -> String {
    "https://h.example/".to_owned()
}

/// Where the robots.txt of a URL is.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The file that contains it, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// What it rests on.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The URL asked about.
    pub url: String,
    /// Where its robots.txt is; where it has none, there is an `error`.
    pub robots: Option<String>,
    /// How the error begins.
    pub error: Option<String>,
    /// URLs to which the same file applies.
    #[serde(default)]
    pub applies_to: Vec<String>,
    /// URLs to which it does not apply.
    #[serde(default)]
    pub not_applied_to: Vec<String>,
}

/// What a crawler sends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
