//! `Verdict`: the answer, and why.

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

/// How a crawler came to its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedBy {
    /// A user-agent line of the group names the crawler.
    Token,
    /// No group names the crawler, and this one is for `*`. R9309-2.2.1-9.
    Star,
}

/// The group that speaks to a crawler; the first one where several are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AppliedGroup {
    /// Its first user-agent line.
    pub line: LineNumber,
    /// Whether the crawler is named there or fell to `*`.
    pub named_by: NamedBy,
}

/// The rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecidingRule<'p> {
    /// Allow or disallow.
    pub effect: Effect,
    /// The line that it stands on. Of equally specific rules of one effect it is the first.
    pub line: LineNumber,
    /// The path-pattern as written, without white space around it.
    pub pattern: &'p [u8],
}

/// Why a verdict came out as it did. Every case is here; there is no other default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<'p> {
    /// This rule matches and takes precedence. R9309-2.2.2-4.
    Rule {
        /// The rule.
        rule: DecidingRule<'p>,
        /// The group that speaks to the crawler.
        group: AppliedGroup,
    },
    /// A group speaks to the crawler, and none of its rules matches: allowed. R9309-2.2.2-7.
    NoRuleMatched {
        /// The group.
        group: AppliedGroup,
    },
    /// No group speaks to the crawler: allowed. R9309-2.2.1-11.
    NoGroup,
    /// The target is `/robots.txt` itself: allowed. R9309-2.2.2-8.
    RobotsTxtItself {
        /// The group that speaks to the crawler, if one does.
        group: Option<AppliedGroup>,
    },
}

/// The answer to one question: an effect with its reason, never a bare bool.
///
/// ```
/// use verger::{Crawler, Dialect, Effect, Reason, RobotsTxt, TargetPath};
///
/// let robots = RobotsTxt::parse("User-agent: *\nDisallow: /private", Dialect::Rfc9309);
/// let policy = robots.policy(&Crawler::unnamed());
/// let target = TargetPath::new("https://example.com/private/x", Dialect::Rfc9309)?;
/// let verdict = policy.decide(&target);
/// assert_eq!(verdict.effect(), Effect::Disallow);
/// assert!(matches!(verdict.reason(), Reason::Rule { rule, .. } if rule.line.get() == 2));
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict<'p> {
    reason: Reason<'p>,
}

impl<'p> Verdict<'p> {
    pub(crate) fn for_reason(reason: Reason<'p>) -> Self {
        Self { reason }
    }

    /// Allow or disallow.
    #[must_use]
    pub fn effect(&self) -> Effect {
        match self.reason {
            Reason::Rule { rule, .. } => rule.effect,
            Reason::NoRuleMatched { .. } | Reason::NoGroup | Reason::RobotsTxtItself { .. } => {
                Effect::Allow
            }
        }
    }

    /// Whether the target may be accessed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.effect() == Effect::Allow
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> Reason<'p> {
        self.reason
    }

    /// The rule that decided, if one did.
    #[must_use]
    pub fn rule(&self) -> Option<DecidingRule<'p>> {
        match self.reason {
            Reason::Rule { rule, .. } => Some(rule),
            Reason::NoRuleMatched { .. } | Reason::NoGroup | Reason::RobotsTxtItself { .. } => None,
        }
    }

    /// The group that speaks to the crawler, if one does.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        match self.reason {
            Reason::Rule { group, .. } | Reason::NoRuleMatched { group } => Some(group),
            Reason::RobotsTxtItself { group } => group,
            Reason::NoGroup => None,
        }
    }
}
