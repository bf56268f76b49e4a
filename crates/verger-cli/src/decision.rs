//! A verdict as JSON tells it: the keys that batches and `check --json` share.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use verger::{AppliedGroup, NamedBy, Reason, RobotsTxt, Verdict};

use crate::octet_text::json_text;

/// A verdict, and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Decision<'r> {
    /// Whether the URL may be fetched.
    pub(crate) allowed: bool,
    /// Why.
    #[serde(serialize_with = "reason_code")]
    pub(crate) reason: Reason,
    /// The line of the rule that decided, counted from 1.
    pub(crate) line: Option<u32>,
    /// That line as written, without a comment and without white space around it.
    pub(crate) rule: Option<Cow<'r, str>>,
    /// Its octets, where they are not UTF-8; never in a batch, whose keys are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule_base64: Option<String>,
    /// The group that speaks to the crawler.
    pub(crate) group: Option<GroupName>,
    /// The dialect in which the body was read.
    pub(crate) dialect: &'static str,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn reason_code<S: Serializer>(reason: &Reason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reason.as_str())
}

/// The first group that speaks to the crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GroupName {
    /// Its first user-agent line.
    pub(crate) line: u32,
    /// Whether it names the crawler; false where the crawler fell to `*`.
    pub(crate) named: bool,
}

impl From<AppliedGroup> for GroupName {
    fn from(group: AppliedGroup) -> Self {
        Self {
            line: group.line.get(),
            named: group.named_by == NamedBy::Token,
        }
    }
}

impl<'r> Decision<'r> {
    /// The decision about `verdict`, which `robots` gave.
    pub(crate) fn of(verdict: &Verdict, robots: &'r RobotsTxt) -> Self {
        let line = verdict.line();
        let record = line.and_then(|line| robots.record_at(line));
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason(),
            line: line.map(verger::LineNumber::get),
            rule: record.map(|record| String::from_utf8_lossy(record.text())),
            rule_base64: None,
            group: verdict.group().map(GroupName::from),
            dialect: robots.dialect().as_str(),
        }
    }

    /// The same, with the octets of the rule where its text lost some.
    pub(crate) fn with_octets(verdict: &Verdict, robots: &'r RobotsTxt) -> Self {
        let record = verdict.line().and_then(|line| robots.record_at(line));
        Self {
            rule_base64: record.and_then(|record| json_text(record.text()).1),
            ..Self::of(verdict, robots)
        }
    }
}
