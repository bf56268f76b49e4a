//! The tables as TOML spells them.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileShape {
    #[serde(default)]
    pub(super) scenario: Vec<ScenarioShape>,
    #[serde(default)]
    pub(super) location: Vec<LocationShape>,
    #[serde(default)]
    pub(super) user_agent: Vec<UserAgentShape>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) url: Option<String>,
    pub(super) why: Option<String>,
    pub(super) moments: Vec<MomentShape>,
}

#[derive(Deserialize)]
pub(super) struct MomentShape {
    pub(super) at: String,
    #[serde(default)]
    pub(super) web: BTreeMap<String, ReplyShape>,
    pub(super) fetch: Option<String>,
    #[serde(default)]
    pub(super) jitter: i16,
    #[serde(default)]
    pub(super) rest_is_up: bool,
    pub(super) requests: Option<Vec<String>>,
    pub(super) warnings: Option<Vec<String>>,
    #[serde(default)]
    pub(super) verdicts: BTreeMap<String, String>,
    pub(super) all: Option<String>,
    /// The answers of single profiles, by their names.
    #[serde(flatten)]
    pub(super) own: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ReplyShape {
    Short(String),
    Table(ReplyTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyTable {
    pub(super) status: u16,
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) without_type: bool,
    pub(super) body: Option<String>,
    pub(super) body_hex: Option<String>,
    pub(super) body_repeat: Option<Vec<PieceShape>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceShape {
    pub(super) text: String,
    pub(super) times: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocationShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) url: String,
    pub(super) robots: Option<String>,
    pub(super) error: Option<String>,
    #[serde(default)]
    pub(super) applies_to: Vec<String>,
    #[serde(default)]
    pub(super) not_applied_to: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UserAgentShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) tokens: Vec<String>,
    pub(super) sent: String,
    pub(super) warnings: Vec<String>,
}
