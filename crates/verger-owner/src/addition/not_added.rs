use verger::UnusablePattern;
use verger_compare::DifferentComparisons;

/// The reason why rules were not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAdded {
    /// The pattern cannot be used in a rule.
    #[error("`{0}`{why}", why = why_unusable(*.1))]
    Pattern(String, UnusablePattern),
    /// The body is UTF-16, compressed or binary data, or an HTML page.
    #[error("nothing added: {0}")]
    NotText(String),
    /// No user-agent line can name the crawler in this reading.
    #[error("no user-agent line can name `{0}` in this dialect")]
    NoToken(String),
    /// In every position, the new lines would change something else for this crawler.
    #[error(
        "the new lines would change something else for {0}, wherever they are added: \
             `verger parse --check` may show why"
    )]
    ChangesMore(String),
    /// The budget, in states, ran out before the change was proven safe.
    #[error("cannot prove within {0} states that nothing else changes")]
    NotDecided(u64),
    /// The dialect of the file cannot be compared with that of its new version.
    #[error(transparent)]
    NotComparable(#[from] DifferentComparisons),
}

fn why_unusable(why: UnusablePattern) -> &'static str {
    match why {
        UnusablePattern::Empty => ": the path-pattern is empty",
        _ => {
            " is not a path-pattern: it must start with `/` or `*`, without `#`, line ends or spaces around it"
        }
    }
}
