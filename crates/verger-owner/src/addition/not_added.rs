//! `NotAdded`: why rules were not added.

use std::fmt;

use verger::UnusablePattern;

/// Why rules were not added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotAdded {
    /// The pattern of a rule can match nothing, or stands on more than one line.
    Pattern(String, UnusablePattern),
    /// The crawler has no product token that a line can name in this reading.
    NoToken(String),
    /// Wherever the lines were put, something changed for this crawler that was not asked for.
    ChangesMore(String),
    /// It was not decided within so many states whether something changed that was not asked for.
    NotDecided(u64),
}

impl fmt::Display for NotAdded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(pattern, UnusablePattern::Empty) => {
                write!(f, "`{pattern}`: the path-pattern is empty")
            }
            Self::Pattern(pattern, _) => write!(
                f,
                "`{pattern}` is no path-pattern: it starts with `/` or `*`, and has no `#`, line end \
                 or white space around it"
            ),
            Self::NoToken(name) => {
                write!(f, "no user-agent line can name `{name}` in this dialect")
            }
            Self::ChangesMore(name) => write!(
                f,
                "something would change for {name} that was not asked for, at the end of the file and at \
                 its start; `verger parse --check` may show why"
            ),
            Self::NotDecided(states) => write!(
                f,
                "it was not decided within {states} states whether something else changes"
            ),
        }
    }
}

impl std::error::Error for NotAdded {}
