//! The tables as TOML spells them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::behaviour::{UrlScheme, Wire};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileShape {
    pub(super) behaviour: Vec<BehaviourShape>,
}

#[derive(Deserialize)]
pub(super) struct BehaviourShape {
    pub(super) name: String,
    pub(super) scheme: UrlScheme,
    pub(super) does: String,
    pub(super) clauses: Vec<String>,
    pub(super) wire: Wire,
    pub(super) outcomes: Vec<String>,
    #[serde(default)]
    pub(super) other_outcomes: BTreeMap<String, Vec<String>>,
    pub(super) lifetime: Option<String>,
    pub(super) retry_after: Option<String>,
    pub(super) tolerance: Option<String>,
    pub(super) note: Option<String>,
    pub(super) all: String,
    #[serde(flatten)]
    pub(super) own: BTreeMap<String, String>,
}
