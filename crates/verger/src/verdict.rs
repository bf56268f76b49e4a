//! `Verdict`: the answer, and why.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::span::LineNumber;

/// What a rule or a verdict does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The target may be accessed.
    Allow,
    /// The target may not be accessed.
    Disallow,
}

impl Effect {
    /// `allow` or `disallow`.
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

/// How a crawler came to its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A user-agent line of the group names the crawler.
    Token,
    /// No group names the crawler, and this one is for `*`. R9309-2.2.1-9.
    Star,
}

/// The group that applies to a crawler; the first one where several are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AppliedGroup {
    /// Its first user-agent line.
    pub line: LineNumber,
    /// Whether it names the crawler, or is for `*`.
    pub named_by: NamedBy,
}

/// A rule of a [`crate::Policy`], by its place in the file: [`crate::Policy::rule`] tells the rest.
///
/// It is valid for the policy that gave it, and for no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(u32);

impl RuleId {
    pub(crate) fn of_row(row: u32) -> Self {
        Self(row)
    }

    pub(crate) fn row(self) -> u32 {
        self.0
    }

    /// Its number among the rules of its policy, counted from 0 in file order; less than
    /// [`crate::Policy::rule_count`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyRule<'p> {
    /// Allow or disallow.
    pub effect: Effect,
    /// Its line. Of equally specific rules of one effect the first decides.
    pub line: LineNumber,
    /// The path-pattern as written, without white space around it.
    pub pattern: &'p [u8],
}

impl fmt::Display for PolicyRule<'_> {
    /// `Disallow: /private`; bytes that are not UTF-8 are replaced.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match self.effect {
            Effect::Allow => "Allow",
            Effect::Disallow => "Disallow",
        };
        write!(f, "{key}: {}", String::from_utf8_lossy(self.pattern))
    }
}

/// Why a verdict allows or disallows. Every verdict has one of these reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A rule matches and takes precedence. R9309-2.2.2-4.
    Rule,
    /// A group applies to the crawler, and none of its rules matches: allowed. R9309-2.2.2-7.
    NoRuleMatched,
    /// No group applies to the crawler: allowed. R9309-2.2.1-11.
    NoGroup,
    /// The target is `/robots.txt` itself: allowed. R9309-2.2.2-8.
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

    /// The code that JSON output has for it: `rule`, `no-rule`, `no-group` or `robots-txt`.
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

/// The answer to one question: an effect with its reason, never a bare bool.
///
/// It borrows nothing, so that it can be kept; [`crate::Policy::rule`] gives the pattern of the
/// rule that decided.
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
    /// That rule decides.
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

    /// Allowed for that reason.
    #[inline]
    pub(crate) fn without_rule(reason: Reason, group: Option<AppliedGroup>) -> Self {
        Self {
            effect: Effect::Allow,
            reason,
            rule: None,
            group,
        }
    }

    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the target may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The rule that decided, if one did.
    #[must_use]
    pub fn rule(&self) -> Option<RuleId> {
        self.rule.map(|(rule, _)| rule)
    }

    /// The line of the rule that decided, if one did.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.rule.map(|(_, line)| line)
    }

    /// The group that applies to the crawler, if one does.
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

/// The answer to one question about one body ([`crate::verdict`]): what a [`Verdict`] says, with the pattern
/// of the rule that decided.
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

    /// Allowed for that reason.
    pub(crate) fn without_rule(reason: Reason, group: Option<AppliedGroup>) -> Self {
        Self {
            effect: Effect::Allow,
            reason,
            group,
            rule: None,
        }
    }

    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether the target may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The line of the rule that decided, if one did.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.rule.as_ref().map(|(line, _)| *line)
    }

    /// The path-pattern of that rule as written, without white space around it.
    #[must_use]
    pub fn pattern(&self) -> Option<&[u8]> {
        self.rule.as_ref().map(|(_, pattern)| &**pattern)
    }

    /// The group that applies to the crawler, if one does.
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
