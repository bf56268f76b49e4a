use serde::{Deserialize, Serialize};

use super::bytes::{as_base64, bytes};
use crate::subject::DialectName;

/// The preferences of a body about the uses of a URL's content: the key `preferences` of
/// `verger.check/1`, which is absent if `values` is empty.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PreferenceCase {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    #[serde(skip_serializing)]
    pub clauses: Vec<String>,
    /// The bytes of the file.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// Product tokens in order.
    pub agents: Vec<String>,
    /// The request target.
    pub url: String,
    /// The dialects it applies to.
    #[serde(default = "all_dialects")]
    pub dialects: Vec<DialectName>,
    /// `yes`, `no` or `unstated`.
    #[serde(default = "unstated")]
    pub search: String,
    /// `yes`, `no` or `unstated`.
    #[serde(default = "unstated")]
    pub ai_input: String,
    /// `yes`, `no` or `unstated`.
    #[serde(default = "unstated")]
    pub ai_train: String,
    /// The values that apply, in file order: `2 content-signal search=yes`.
    pub values: Vec<String>,
}

impl PreferenceCase {
    /// Returns the words for `search`, `ai-input` and `ai-train`.
    #[must_use]
    pub fn words(&self) -> [&str; 3] {
        [&self.search, &self.ai_input, &self.ai_train]
    }
}

fn all_dialects() -> Vec<DialectName> {
    DialectName::ALL.to_vec()
}

fn unstated() -> String {
    "unstated".to_owned()
}
