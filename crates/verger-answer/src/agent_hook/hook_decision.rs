//! `HookDecision`: the answer to a tool call.

use core::fmt::Display;

use serde::Serialize;
use verger::{Effect, legible};

use super::hook_call::AgentHost;
use crate::check_answer::CheckAnswer;
use crate::check_result::CheckResult;
use crate::json;

/// Maximum number of bytes of a text of a site that a model reads, after escaping.
pub const TEXT_BYTES_MAX: usize = 256;

/// The answer of a hook to a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookDecision {
    /// Nothing. The host asks its user as always.
    Pass,
    /// Ask the user, for this reason.
    Ask(String),
    /// Refuse, for this reason, which the model reads.
    Deny(String),
}

impl HookDecision {
    /// Decides about one URL. It is refused if robots.txt disallows it, and the user is asked if that is not known or
    /// only for now. The reason contains the deciding line and no other text of the site.
    #[must_use]
    pub fn new(answer: &CheckAnswer<'_>) -> Self {
        let agent = legible(answer.crawler.resolved().label().as_bytes());
        let robots = answer.lookup.map(|lookup| lookup.authority.robots_url());
        let robots = robots.map_or_else(|| "robots.txt".to_owned(), ToString::to_string);
        match (answer.result.effect(), &answer.result) {
            (Some(Effect::Allow), _) => Self::Pass,
            (Some(Effect::Disallow), CheckResult::Rules(_)) => {
                let line = deciding_line(answer).unwrap_or_default();
                Self::Deny(format!(
                    "{robots} disallows this URL for {agent}: {line}. Do not fetch it with another tool. Tell the user, who may know \
                     another source."
                ))
            }
            (Some(Effect::Disallow), _) if !answer.is_for_now() => Self::Deny(format!(
                "{robots} disallows the whole site for {agent}: {}. Do not fetch this URL with another tool.",
                fact(answer)
            )),
            (Some(Effect::Disallow), _) => Self::Ask(format!(
                "{robots} cannot be read now, so {agent} should wait: {}",
                fact(answer)
            )),
            (None, _) => Self::Ask(format!("nothing is known about {robots} yet")),
        }
    }

    /// Asks the user, because this machine cannot answer.
    #[must_use]
    pub fn unknown(why: &(impl Display + ?Sized)) -> Self {
        Self::Ask(format!("robots.txt cannot be checked: {why}"))
    }

    /// Returns the stricter of two decisions, about the URLs of one call.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (&self, &other) {
            (Self::Deny(_), _) | (_, Self::Pass) | (Self::Ask(_), Self::Ask(_)) => self,
            _ => other,
        }
    }

    /// Turns a question for the user into a refusal, for machines without a user.
    #[must_use]
    pub fn without_user(self) -> Self {
        match self {
            Self::Ask(reason) => Self::Deny(reason),
            other => other,
        }
    }

    /// Returns the answer in the host's format, without a line end. It is empty for [`HookDecision::Pass`].
    ///
    /// Codex runs a tool whose hook asks, so it gets a refusal instead.
    #[must_use]
    pub fn for_host(&self, host: AgentHost) -> String {
        let (decision, reason) = match (self, host) {
            (Self::Pass, _) => return String::new(),
            (Self::Ask(reason), AgentHost::ClaudeCode | AgentHost::Gemini) => ("ask", reason),
            (Self::Ask(reason) | Self::Deny(reason), _) => ("deny", reason),
        };
        let answer = match host {
            AgentHost::ClaudeCode | AgentHost::Codex => json::to_string(&OfPreToolUse {
                hook_specific_output: PreToolUse {
                    hook_event_name: "PreToolUse",
                    permission_decision: decision,
                    permission_decision_reason: reason,
                },
            }),
            AgentHost::Gemini => json::to_string(&OfBeforeTool {
                decision,
                reason,
                system_message: reason,
            }),
        };
        answer.unwrap_or_default()
    }
}

/// Returns text of a site as a model may read it: escaped, and cut after [`TEXT_BYTES_MAX`] bytes.
#[must_use]
pub fn text_for_model(text: &[u8]) -> String {
    let mut text = legible(text);
    if text.len() > TEXT_BYTES_MAX {
        let mut end = TEXT_BYTES_MAX - '…'.len_utf8();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns the number and the text of the deciding line and the line of its group, if a rule decides.
fn deciding_line(answer: &CheckAnswer<'_>) -> Option<String> {
    let CheckResult::Rules(verdict) = &answer.result else {
        return None;
    };
    let record = answer.file.robots().record_at(verdict.line()?)?;
    let text = text_for_model(record.text());
    let group = verdict.group();
    let group = group.map(|group| format!(" in the group at line {}", group.line));
    let group = group.unwrap_or_default();
    Some(format!("line {} `{text}`{group}", record.line()))
}

/// Describes a result without any text of the site.
fn fact(answer: &CheckAnswer<'_>) -> String {
    let state = answer.lookup.and_then(|lookup| lookup.state.as_ref());
    let result = state.and_then(|state| state.answer.access_result());
    let is_overridden = state.is_some_and(|state| state.answer.is_overridden());
    let fact = match result {
        _ if is_overridden => "an override applies".to_owned(),
        Some(result) => result.outcome().to_string(),
        None => "never fetched".to_owned(),
    };
    let clause = state.map(|state| format!(" ({})", state.answer.clause()));
    fact + &clause.unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfPreToolUse<'a> {
    hook_specific_output: PreToolUse<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreToolUse<'a> {
    hook_event_name: &'a str,
    permission_decision: &'a str,
    permission_decision_reason: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OfBeforeTool<'a> {
    decision: &'a str,
    /// For the model.
    reason: &'a str,
    /// For the user.
    system_message: &'a str,
}
