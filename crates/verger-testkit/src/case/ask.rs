use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bytes::{as_base64, bytes};
use super::expected::{ExpectedGroup, ExpectedVerdict};
use crate::subject::DialectName;

/// A question and the answer of each dialect.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "AskShape")]
pub struct Ask {
    /// Product tokens, in order.
    pub agents: Vec<String>,
    /// The URL or request target.
    #[serde(rename = "url_base64", serialize_with = "as_base64")]
    pub url: Vec<u8>,
    /// The verdict of each dialect in which the question is valid.
    pub verdicts: BTreeMap<DialectName, ExpectedVerdict>,
    /// The group that applies, if the case names one.
    pub groups: BTreeMap<DialectName, ExpectedGroup>,
}

#[derive(Deserialize)]
struct AskShape {
    agent: Option<String>,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(deserialize_with = "bytes")]
    url: Vec<u8>,
    /// Verdicts under the names of dialects and `all`, groups under `group_google` and `group`.
    #[serde(flatten)]
    answers: BTreeMap<String, String>,
}

impl TryFrom<AskShape> for Ask {
    type Error = String;

    fn try_from(shape: AskShape) -> Result<Self, String> {
        if shape.agent.is_some() != shape.agents.is_empty() {
            return Err("an ask needs exactly one of `agent` and `agents`".to_owned());
        }
        let mut answers = shape.answers;
        let (all, group_of_all) = (answers.remove("all"), answers.remove("group"));
        let mut ask = Self {
            agents: shape.agent.into_iter().chain(shape.agents).collect(),
            url: shape.url,
            verdicts: BTreeMap::new(),
            groups: BTreeMap::new(),
        };
        for dialect in DialectName::ALL {
            let own = answers.remove(dialect.as_str());
            let own_group = answers.remove(&format!("group_{}", dialect.as_str()));
            let Some(text) = own.as_ref().or(all.as_ref()) else {
                continue;
            };
            let verdict = ExpectedVerdict::parse(text)?;
            ask.verdicts.insert(dialect, verdict);
            let has_group = matches!(
                verdict,
                ExpectedVerdict::Rule { .. } | ExpectedVerdict::NoRule
            );
            let common = group_of_all.as_ref().filter(|_| has_group);
            let Some(text) = own_group.as_ref().or(common) else {
                continue;
            };
            if !has_group {
                return Err(format!("group `{text}` is given together with `{verdict}`"));
            }
            ask.groups.insert(dialect, ExpectedGroup::parse(text)?);
        }
        match answers.keys().next() {
            Some(key) => Err(format!("unknown field `{key}`")),
            None if ask.verdicts.is_empty() => Err("an ask states no verdict".to_owned()),
            None => Ok(ask),
        }
    }
}
