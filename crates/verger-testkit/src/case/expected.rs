use std::fmt;

use serde::{Serialize, Serializer};

use crate::subject::{Answer, GroupName, ReasonName};

/// The verdict expected of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpectedVerdict {
    /// `allow 3`, `disallow 3`: the rule on that line decides.
    Rule {
        /// Whether the rule allows.
        allowed: bool,
        /// The line of the rule, counted from 1.
        line: u32,
    },
    /// `allow no-rule`: a group applies to the crawler, but none of its rules matches.
    NoRule,
    /// `allow no-group`: no group applies to the crawler.
    NoGroup,
    /// `allow robots-txt`: the target is the file itself.
    RobotsTxt,
    /// `error`: the question is invalid in this dialect.
    Error,
}

impl ExpectedVerdict {
    /// Parses the text of a case file.
    ///
    /// # Errors
    ///
    /// Returns a message if the text has none of the five forms.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || {
            format!(
                "`{text}` is not a verdict: write `allow N`, `disallow N`, `allow no-rule`, \
                 `allow no-group`, `allow robots-txt` or `error`"
            )
        };
        match text {
            "error" => return Ok(Self::Error),
            "allow no-rule" => return Ok(Self::NoRule),
            "allow no-group" => return Ok(Self::NoGroup),
            "allow robots-txt" => return Ok(Self::RobotsTxt),
            _ => {}
        }
        let (effect, line) = text.split_once(' ').ok_or_else(form)?;
        let allowed = match effect {
            "allow" => true,
            "disallow" => false,
            _ => return Err(form()),
        };
        match line.parse() {
            Ok(line) if line > 0 => Ok(Self::Rule { allowed, line }),
            _ => Err(form()),
        }
    }

    /// Returns whether the URL may be fetched, or `None` for an invalid question.
    #[must_use]
    pub fn allowed(self) -> Option<bool> {
        match self {
            Self::Rule { allowed, .. } => Some(allowed),
            Self::NoRule | Self::NoGroup | Self::RobotsTxt => Some(true),
            Self::Error => None,
        }
    }

    /// Returns the line of the deciding rule, if one decides.
    #[must_use]
    pub fn line(self) -> Option<u32> {
        match self {
            Self::Rule { line, .. } => Some(line),
            _ => None,
        }
    }

    /// Returns `true` if `got` is this verdict: effect, reason, line, and a group exactly if the
    /// reason implies one.
    #[must_use]
    pub fn is_met_by(self, got: &Result<Answer, String>) -> bool {
        let Ok(answer) = got else {
            return self == Self::Error;
        };
        let reason = match self {
            Self::Rule { .. } => ReasonName::Rule,
            Self::NoRule => ReasonName::NoRule,
            Self::NoGroup => ReasonName::NoGroup,
            Self::RobotsTxt => ReasonName::RobotsTxt,
            Self::Error => return false,
        };
        let group_fits = match self {
            Self::Rule { .. } | Self::NoRule => answer.group.is_some(),
            Self::NoGroup => answer.group.is_none(),
            Self::RobotsTxt | Self::Error => true,
        };
        self.allowed() == Some(answer.allowed)
            && answer.reason == reason
            && answer.line == self.line()
            && group_fits
    }
}

impl Serialize for ExpectedVerdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for ExpectedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule { allowed, line } => {
                write!(f, "{} {line}", if *allowed { "allow" } else { "disallow" })
            }
            Self::NoRule => f.write_str("allow no-rule"),
            Self::NoGroup => f.write_str("allow no-group"),
            Self::RobotsTxt => f.write_str("allow robots-txt"),
            Self::Error => f.write_str("error"),
        }
    }
}

/// The group expected of a dialect: `3 named` or `1 star`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpectedGroup {
    /// The first user-agent line of the first group that applies, counted from 1.
    pub line: u32,
    /// Whether the group names the crawler. `false` if it applies through `*`.
    pub named: bool,
}

impl ExpectedGroup {
    /// Parses the text of a case file.
    ///
    /// # Errors
    ///
    /// Returns a message if the text is not a line number and `named` or `star`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is not a group: write `N named` or `N star`");
        let (line, how) = text.split_once(' ').ok_or_else(form)?;
        let named = match how {
            "named" => true,
            "star" => false,
            _ => return Err(form()),
        };
        match line.parse() {
            Ok(line) if line > 0 => Ok(Self { line, named }),
            _ => Err(form()),
        }
    }

    /// Returns `true` if `got` has this group.
    #[must_use]
    pub fn is_met_by(self, got: &Result<Answer, String>) -> bool {
        let expected = GroupName {
            line: self.line,
            named: self.named,
        };
        matches!(got, Ok(answer) if answer.group == Some(expected))
    }
}

impl Serialize for ExpectedGroup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for ExpectedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}",
            self.line,
            if self.named { "named" } else { "star" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_verdict_is_read_and_written_back() {
        for text in [
            "allow 3",
            "disallow 12",
            "allow no-rule",
            "allow no-group",
            "allow robots-txt",
            "error",
        ] {
            assert_eq!(ExpectedVerdict::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_verdict_of_another_form_is_refused() {
        for text in [
            "",
            "allow",
            "disallow no-rule",
            "deny 3",
            "allow 0",
            "allow  3",
        ] {
            assert!(ExpectedVerdict::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_group_is_read_and_written_back() {
        for text in ["1 star", "12 named"] {
            assert_eq!(ExpectedGroup::parse(text).unwrap().to_string(), text);
        }
        for text in ["star", "0 star", "3", "3 all"] {
            assert!(ExpectedGroup::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_answer_is_held_to_effect_reason_line_and_group() {
        let group = Some(GroupName {
            line: 1,
            named: true,
        });
        let answer = Answer {
            allowed: false,
            reason: ReasonName::Rule,
            line: Some(3),
            group,
        };
        let met = |text: &str, answer: Answer| {
            ExpectedVerdict::parse(text).unwrap().is_met_by(&Ok(answer))
        };
        assert!(met("disallow 3", answer));
        assert!(!met("disallow 2", answer));
        assert!(!met("allow 3", answer));
        assert!(!met(
            "disallow 3",
            Answer {
                group: None,
                ..answer
            }
        ));
        assert!(ExpectedVerdict::Error.is_met_by(&Err("no token".into())));
        assert!(!ExpectedVerdict::Error.is_met_by(&Ok(answer)));
    }
}
