use std::fmt;

use verger::{ProductTokenError, UnionNotOffered};
use verger_crawlers::UnknownName;

use crate::text::start_of;

/// A query that names no crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerQueryError {
    /// The text is neither a registry name nor a product token.
    NotAToken(ProductTokenError),
    /// The list of tokens is empty.
    NoTokens,
    /// The dialect does not support unions of names.
    NoUnion(UnionNotOffered),
    /// Neither a purpose nor an operator has this name.
    UnknownPurpose {
        /// The name, and the names of all purposes.
        unknown: UnknownName,
        /// Operators with similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// No crawler in use has this operator.
    UnknownOperator {
        /// The name.
        name: String,
        /// Operators with similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// The query matches several crawlers, but one is needed.
    Several {
        /// The query as users write it.
        query: String,
        /// Number of crawlers.
        count: usize,
    },
    /// The header names no known crawler.
    UnknownHeader {
        /// The header.
        header: String,
        /// A product name in it that may be the crawler's token.
        likely: Option<String>,
    },
}

impl fmt::Display for CrawlerQueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAToken(error) => error.fmt(f),
            Self::NoTokens => f.write_str("the list of product tokens is empty: add a token"),
            Self::NoUnion(error) => error.fmt(f),
            Self::UnknownPurpose { unknown, near } => {
                let (text, known) = (start_of(unknown.text()), unknown.expected().join(", "));
                write!(
                    f,
                    "`{text}` is neither a purpose nor an operator: the purposes are {known}"
                )?;
                Near(near).fmt(f)
            }
            Self::UnknownOperator { name, near } => {
                let name = start_of(name);
                write!(f, "no known crawler in use has the operator `{name}`")?;
                Near(near).fmt(f)
            }
            Self::Several { query, count } => {
                write!(
                    f,
                    "`{query}` names {count} crawlers, but exactly one is needed: use its name"
                )
            }
            Self::UnknownHeader { header, likely } => {
                let header = start_of(header);
                write!(f, "no known crawler is named in the header `{header}`")?;
                match likely.as_deref().map(start_of) {
                    Some(likely) => write!(f, ": its token is probably `{likely}`"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for CrawlerQueryError {}

/// Operators with similar names, for the end of a message.
struct Near<'n>(&'n [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            near => write!(f, "; did you mean `@{}`?", near.join("` or `@")),
        }
    }
}
