use std::fmt;

use verger::{Effect, PathPattern, Reading, UnusablePattern};

use super::not_added::NotAdded;

/// A rule to add to a robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRule {
    pub(super) effect: Effect,
    pub(super) pattern: String,
}

impl NewRule {
    /// Creates a rule.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern can match nothing, has white space around it, or contains
    /// control characters or `#`.
    pub fn new(effect: Effect, pattern: &str, reading: Reading) -> Result<Self, NotAdded> {
        let unusable = |why| NotAdded::Pattern(pattern.to_owned(), why);
        let spoils = |letter: char| letter.is_control() || letter == '#';
        if pattern.contains(spoils) || pattern.trim() != pattern {
            return Err(unusable(UnusablePattern::NoLeadingSlash));
        }
        PathPattern::new(pattern, reading).map_err(unusable)?;
        Ok(Self {
            effect,
            pattern: pattern.to_owned(),
        })
    }
}

impl fmt::Display for NewRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match self.effect {
            Effect::Allow => "Allow",
            Effect::Disallow => "Disallow",
        };
        write!(f, "{key}: {}", self.pattern)
    }
}
