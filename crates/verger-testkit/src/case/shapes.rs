//! The tables as the case files spell them.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepeatShape {
    pub(super) text: Option<String>,
    pub(super) hex: Option<String>,
    pub(super) times: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskShape {
    pub(super) agent: Option<String>,
    pub(super) agents: Option<Vec<String>>,
    pub(super) url: Option<String>,
    pub(super) url_hex: Option<String>,
    pub(super) all: Option<String>,
    pub(super) rfc9309: Option<String>,
    pub(super) google: Option<String>,
    pub(super) draft2019: Option<String>,
    pub(super) koster1996: Option<String>,
    pub(super) group: Option<String>,
    pub(super) group_rfc9309: Option<String>,
    pub(super) group_google: Option<String>,
    pub(super) group_draft2019: Option<String>,
    pub(super) group_koster1996: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) robots: Option<String>,
    pub(super) robots_hex: Option<String>,
    pub(super) robots_repeat: Option<Vec<RepeatShape>>,
    pub(super) option: Option<String>,
    pub(super) why: Option<String>,
    pub(super) google_page: Option<String>,
    pub(super) ask: Vec<AskShape>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PatternShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) rule: Option<String>,
    pub(super) rule_hex: Option<String>,
    pub(super) target: Option<String>,
    pub(super) target_hex: Option<String>,
    pub(super) rfc9309: bool,
    pub(super) google: bool,
    pub(super) koster1996: bool,
    pub(super) canonical: Option<String>,
    pub(super) octets: Option<u32>,
    pub(super) google_octets: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) url: Option<String>,
    pub(super) url_hex: Option<String>,
    pub(super) google: String,
    pub(super) other: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) text: String,
    pub(super) identifier: bool,
    pub(super) accepted: bool,
    pub(super) likely: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupShape {
    pub(super) agents: Vec<String>,
    pub(super) rules: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListingShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) robots: Option<String>,
    pub(super) robots_hex: Option<String>,
    pub(super) robots_repeat: Option<Vec<RepeatShape>>,
    pub(super) dialects: Option<Vec<String>>,
    pub(super) groups: Option<Vec<GroupShape>>,
    pub(super) sitemaps: Option<Vec<String>>,
    pub(super) lines: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValueShape {
    pub(super) id: String,
    pub(super) clauses: Vec<String>,
    pub(super) robots: Option<String>,
    pub(super) robots_hex: Option<String>,
    pub(super) robots_repeat: Option<Vec<RepeatShape>>,
    pub(super) agent: Option<String>,
    pub(super) field: String,
    pub(super) target: Option<String>,
    pub(super) expect: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClauseShape {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) level: Option<String>,
    pub(super) sentence: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceShape {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) sentence: String,
    pub(super) reason: String,
    pub(super) topic: Option<String>,
}
