//! `verger_verdict`.

use verger::{AppliedGroup, BodyVerdict, LineNumber};

use crate::status::Status;
use crate::text::Text;

/// Whether a rule or verdict allows or disallows.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The target may not be fetched.
    Disallow = 0,
    /// The target may be fetched.
    Allow = 1,
}

/// Why a verdict allows or disallows.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The call failed, so nothing was decided.
    NotAsked = 0,
    /// A rule decides.
    Rule = 1,
    /// A group applies to the crawler, and none of its rules matches: allowed.
    NoRule = 2,
    /// No group applies to the crawler: allowed.
    NoGroup = 3,
    /// The target is `/robots.txt` itself: allowed.
    RobotsTxt = 4,
}

/// How a group applies to the crawler.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// No group applies.
    Nothing = 0,
    /// A user-agent line of the group names it.
    Token = 1,
    /// No group names it, and this group is for `*`.
    Star = 2,
}

/// A verdict, and why. `pattern` lives as long as the policy or body that was queried. Nothing
/// needs to be freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// VERGER_STATUS_OK. Otherwise the call failed, `effect` is VERGER_EFFECT_DISALLOW, and the
    /// rest is empty.
    pub status: Status,
    /// Whether the target may be fetched.
    pub effect: Effect,
    /// Why.
    pub reason: Reason,
    /// The line of the deciding rule, counted from 1, or 0 if no rule decides.
    pub line: u32,
    /// The path-pattern of that rule as written, without surrounding white space.
    pub pattern: Text,
    /// The first line of the group that applies, the first if several do. 0 if none does.
    pub group_line: u32,
    /// How that group applies to the crawler.
    pub named_by: NamedBy,
}

impl Verdict {
    pub(crate) fn failed(status: Status) -> Self {
        Self {
            status,
            effect: Effect::Disallow,
            reason: Reason::NotAsked,
            line: 0,
            pattern: Text::EMPTY,
            group_line: 0,
            named_by: NamedBy::Nothing,
        }
    }

    /// Its pattern points into `policy`.
    pub(crate) fn of(verdict: &verger::Verdict, policy: &verger::Policy) -> Self {
        let rule = verdict.rule().and_then(|id| policy.rule(id));
        let rule = rule.map(|rule| (rule.line, Text::of(rule.pattern)));
        Self::answered(verdict.effect(), verdict.reason(), rule, verdict.group())
    }

    /// Its pattern points into `body`, or is empty if it lies elsewhere because the body was
    /// decoded.
    pub(crate) fn of_body(verdict: &BodyVerdict<'_>, body: &[u8]) -> Self {
        let lasts = |pattern: &&[u8]| body.as_ptr_range().contains(&pattern.as_ptr());
        let pattern = verdict
            .pattern()
            .filter(lasts)
            .map_or(Text::EMPTY, Text::of);
        let rule = verdict.line().map(|line| (line, pattern));
        Self::answered(verdict.effect(), verdict.reason(), rule, verdict.group())
    }

    fn answered(
        effect: verger::Effect,
        reason: verger::Reason,
        rule: Option<(LineNumber, Text)>,
        group: Option<AppliedGroup>,
    ) -> Self {
        Self {
            status: Status::Ok,
            effect: self::effect(effect),
            reason: match reason {
                verger::Reason::Rule => Reason::Rule,
                verger::Reason::NoRuleMatched => Reason::NoRule,
                verger::Reason::NoGroup => Reason::NoGroup,
                verger::Reason::RobotsTxtItself => Reason::RobotsTxt,
            },
            line: rule.map_or(0, |(line, _)| line.get()),
            pattern: rule.map_or(Text::EMPTY, |(_, pattern)| pattern),
            group_line: group.map_or(0, |group| group.line.get()),
            named_by: named_by(group),
        }
    }
}

pub(crate) fn effect(effect: verger::Effect) -> Effect {
    match effect {
        verger::Effect::Allow => Effect::Allow,
        verger::Effect::Disallow => Effect::Disallow,
    }
}

fn named_by(group: Option<AppliedGroup>) -> NamedBy {
    match group.map(|group| group.named_by) {
        None => NamedBy::Nothing,
        Some(verger::NamedBy::Token) => NamedBy::Token,
        Some(verger::NamedBy::Star) => NamedBy::Star,
    }
}
