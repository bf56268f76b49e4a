//! `Verdict`: the answer to a question, with its reason.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::span::LineNumber;

/// The effect of a rule or a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The target may be accessed.
    Allow,
    /// The target may not be accessed.
    Disallow,
}

impl Effect {
    /// Returns `allow` or `disallow`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Disallow => "disallow",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a group was selected for a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A user-agent line of the group names the crawler.
    Token,
    /// No group names the crawler, and the group is for `*`. R9309-2.2.1-9.
    Star,
}

/// The group that applies to a crawler. If several were merged, the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AppliedGroup {
    /// The line of its first user-agent line.
    pub line: LineNumber,
    /// Whether the group names the crawler or is for `*`.
    pub named_by: NamedBy,
}

/// The id of a rule in a [`crate::Policy`]. Look the rule up with [`crate::Policy::rule`].
///
/// It is valid only for the policy that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(u32);

impl RuleId {
    pub(crate) fn of_row(row: u32) -> Self {
        Self(row)
    }

    pub(crate) fn row(self) -> u32 {
        self.0
    }

    /// Returns the number of the rule within its policy: counted from 0 in file order, and less
    /// than [`crate::Policy::rule_count`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyRule<'p> {
    /// Whether the rule allows or disallows.
    pub effect: Effect,
    /// The line of the rule. If rules with one effect are equally specific, the first one decides.
    pub line: LineNumber,
    /// The path-pattern as written, without surrounding white space.
    pub pattern: &'p [u8],
}

impl fmt::Display for PolicyRule<'_> {
    /// Writes the rule as a line, as in `Disallow: /private`. Invalid UTF-8 is replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match self.effect {
            Effect::Allow => "Allow",
            Effect::Disallow => "Disallow",
        };
        write!(f, "{key}: {}", String::from_utf8_lossy(self.pattern))
    }
}

/// The reason for a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A rule matches and takes precedence over all others. R9309-2.2.2-4.
    Rule,
    /// A group applies to the crawler, but none of its rules matches, so access is allowed.
    /// R9309-2.2.2-7.
    NoRuleMatched,
    /// No group applies to the crawler, so access is allowed. R9309-2.2.1-11.
    NoGroup,
    /// The target is `/robots.txt` itself, which is always allowed. R9309-2.2.2-8.
    RobotsTxtItself,
}

impl Reason {
    /// All reasons.
    pub const ALL: &'static [Self] = &[
        Self::Rule,
        Self::NoRuleMatched,
        Self::NoGroup,
        Self::RobotsTxtItself,
    ];

    /// Returns its code in JSON: `rule`, `no-rule`, `no-group` or `robots-txt`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::NoRuleMatched => "no-rule",
            Self::NoGroup => "no-group",
            Self::RobotsTxtItself => "robots-txt",
        }
    }
}

/// The answer to one question: an effect and its reason.
///
/// It borrows nothing, so you can store it. Pass [`Verdict::rule`] to [`crate::Policy::rule`] for
/// the pattern of the rule that decided.
///
/// ```
/// use verger::{Crawler, Dialect, Effect, Reason, RobotsTxt, TargetPath};
///
/// let robots = RobotsTxt::parse("User-agent: *\nDisallow: /private", Dialect::Rfc9309);
/// let policy = robots.policy(&Crawler::unnamed());
/// let target = TargetPath::new("https://example.com/private/x", Dialect::Rfc9309)?;
/// let verdict = policy.decide(&target);
/// assert_eq!((verdict.effect(), verdict.reason()), (Effect::Disallow, Reason::Rule));
/// assert_eq!(verdict.to_string(), "disallowed by line 2");
///
/// let rule = verdict.rule().and_then(|id| policy.rule(id)).unwrap();
/// assert_eq!((rule.line.get(), rule.pattern), (2, &b"/private"[..]));
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    effect: Effect,
    reason: Reason,
    rule: Option<(RuleId, LineNumber)>,
    group: Option<AppliedGroup>,
}

impl Verdict {
    #[inline]
    pub(crate) fn by_rule(
        effect: Effect,
        rule: (RuleId, LineNumber),
        group: Option<AppliedGroup>,
    ) -> Self {
        Self {
            effect,
            reason: Reason::Rule,
            rule: Some(rule),
            group,
        }
    }

    #[inline]
    pub(crate) fn without_rule(reason: Reason, group: Option<AppliedGroup>) -> Self {
        Self {
            effect: Effect::Allow,
            reason,
            rule: None,
            group,
        }
    }

    /// Returns whether the verdict allows or disallows.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns whether the target may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Returns the reason for the verdict.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the rule that decided, if any.
    #[must_use]
    pub fn rule(&self) -> Option<RuleId> {
        self.rule.map(|(rule, _)| rule)
    }

    /// Returns the line of the rule that decided, if any.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.rule.map(|(_, line)| line)
    }

    /// Returns the group that applies to the crawler, if any.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        self.group
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_verdict(f, self.effect(), self.reason(), self.line())
    }
}

fn write_verdict(
    f: &mut fmt::Formatter<'_>,
    effect: Effect,
    reason: Reason,
    line: Option<LineNumber>,
) -> fmt::Result {
    match (reason, line) {
        (Reason::Rule, Some(line)) => write!(f, "{effect}ed by line {line}"),
        (Reason::Rule | Reason::NoRuleMatched, _) => f.write_str("allowed: no rule matches"),
        (Reason::NoGroup, _) => f.write_str("allowed: no group applies to the crawler"),
        (Reason::RobotsTxtItself, _) => {
            f.write_str("allowed: /robots.txt itself is always allowed")
        }
    }
}

/// The answer to one question about one body ([`crate::verdict()`]): a verdict with the pattern of
/// the rule that decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyVerdict<'b> {
    effect: Effect,
    reason: Reason,
    group: Option<AppliedGroup>,
    rule: Option<(LineNumber, Cow<'b, [u8]>)>,
}

impl<'b> BodyVerdict<'b> {
    pub(crate) fn by_rule(
        effect: Effect,
        line: LineNumber,
        pattern: Cow<'b, [u8]>,
        group: Option<AppliedGroup>,
    ) -> Self {
        Self {
            effect,
            reason: Reason::Rule,
            group,
            rule: Some((line, pattern)),
        }
    }

    pub(crate) fn without_rule(reason: Reason, group: Option<AppliedGroup>) -> Self {
        Self {
            effect: Effect::Allow,
            reason,
            group,
            rule: None,
        }
    }

    /// Returns whether the verdict allows or disallows.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns whether the target may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Returns the reason for the verdict.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the line of the rule that decided, if any.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.rule.as_ref().map(|(line, _)| *line)
    }

    /// Returns the path-pattern of that rule as written, without surrounding white space.
    #[must_use]
    pub fn pattern(&self) -> Option<&[u8]> {
        self.rule.as_ref().map(|(_, pattern)| &**pattern)
    }

    /// Returns the group that applies to the crawler, if any.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        self.group
    }
}

impl fmt::Display for BodyVerdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_verdict(f, self.effect(), self.reason(), self.line())
    }
}
