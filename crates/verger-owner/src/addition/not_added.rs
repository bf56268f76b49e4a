//! `NotAdded`: why rules were not added.

use verger::UnusablePattern;

/// Why rules were not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAdded {
    /// The pattern of a rule can match nothing, or has more than one line.
    #[error("`{0}`{why}", why = why_unusable(*.1))]
    Pattern(String, UnusablePattern),
    /// Lines cannot be added to what the body is: UTF-16, compressed or binary data, or an HTML page.
    #[error("nothing is added: {0}")]
    NotText(String),
    /// The crawler has no product token that a line can name in this reading.
    #[error("no user-agent line can name `{0}` in this dialect")]
    NoToken(String),
    /// Wherever the lines were put, something changed for this crawler that was not asked for.
    #[error(
        "something would change for {0} that was not asked for, at the end of the file and at its start; \
             `verger parse --check` may show why"
    )]
    ChangesMore(String),
    /// It was not decided within so many states whether something changed that was not asked for.
    #[error("it was not decided within {0} states whether something else changes")]
    NotDecided(u64),
}

fn why_unusable(why: UnusablePattern) -> &'static str {
    match why {
        UnusablePattern::Empty => ": the path-pattern is empty",
        _ => {
            " is not a path-pattern: it must start with `/` or `*`, without `#`, line ends or spaces around it"
        }
    }
}
