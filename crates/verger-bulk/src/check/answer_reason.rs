use verger::Reason;

/// The reason for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AnswerReason {
    /// A rule decides.
    Rule,
    /// A group applies, but none of its rules matches.
    NoRule,
    /// No group applies.
    NoGroup,
    /// The URL is that of the robots.txt itself.
    RobotsTxt,
    /// There are no rules, and the stance decides.
    Stance,
    /// Nothing is known about the authority at that time.
    NoBody,
    /// The known body cannot be read.
    UnreadableBody,
    /// The text is not a URL or has no authority.
    NotAUrl,
    /// The row has no URL.
    NoUrl,
    /// The row has no time, although a time column was requested.
    NoTime,
    /// The URL is longer than 256 KiB, or its line is too long.
    LineTooLong,
}

impl AnswerReason {
    /// All reasons, in order.
    pub const ALL: &'static [Self] = &[
        Self::Rule,
        Self::NoRule,
        Self::NoGroup,
        Self::RobotsTxt,
        Self::Stance,
        Self::NoBody,
        Self::UnreadableBody,
        Self::NotAUrl,
        Self::NoUrl,
        Self::NoTime,
        Self::LineTooLong,
    ];

    /// Returns the word for the reason.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => Reason::Rule.as_str(),
            Self::NoRule => Reason::NoRuleMatched.as_str(),
            Self::NoGroup => Reason::NoGroup.as_str(),
            Self::RobotsTxt => Reason::RobotsTxtItself.as_str(),
            Self::Stance => "stance",
            Self::NoBody => "no-body",
            Self::UnreadableBody => "unreadable-body",
            Self::NotAUrl => "not-a-url",
            Self::NoUrl => "no-url",
            Self::NoTime => "no-time",
            Self::LineTooLong => "line-too-long",
        }
    }

    /// Returns the reason for a verdict.
    #[must_use]
    pub const fn from_verdict(reason: Reason) -> Self {
        match reason {
            Reason::Rule => Self::Rule,
            Reason::NoRuleMatched => Self::NoRule,
            Reason::NoGroup => Self::NoGroup,
            Reason::RobotsTxtItself => Self::RobotsTxt,
        }
    }
}
