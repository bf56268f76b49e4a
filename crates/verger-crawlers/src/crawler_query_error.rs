use std::fmt;

use crate::unknown_name::UnknownName;
use thiserror::Error;
use verger::{ProductTokenError, Shortened, UnionNotOffered};

/// A query that names no crawler.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CrawlerQueryError {
    /// The text is neither a registry name nor a product token.
    #[error("{0}")]
    NotAToken(ProductTokenError),
    /// The list of tokens is empty.
    #[error("the list of product tokens is empty: add a token")]
    NoTokens,
    /// The dialect does not support unions of names.
    #[error("{0}")]
    NoUnion(UnionNotOffered),
    /// Neither a purpose nor an operator has this name.
    #[error(
        "`@{}` is neither a purpose nor an operator: the purposes are {}{}",
        Shortened(.unknown.text()), .unknown.expected().join(", "), Near(near)
    )]
    UnknownPurpose {
        /// The name, and the names of all purposes.
        unknown: UnknownName,
        /// Purposes, then operators, with similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// No crawler in use has this operator.
    #[error(
        "no known crawler in use has the operator `{}`{}",
        Shortened(name),
        Near(near)
    )]
    UnknownOperator {
        /// The name.
        name: String,
        /// Operators with similar names, the nearest first.
        near: Vec<&'static str>,
    },
    /// The query matches several crawlers, but one is needed.
    #[error("`{query}` names {count} crawlers, but exactly one is needed: use its name")]
    Several {
        /// The query as users write it.
        query: String,
        /// Number of crawlers.
        count: usize,
    },
    /// The header names no known crawler.
    #[error(
        "no known crawler is named in the header `{}`{}",
        Shortened(header),
        Likely(likely)
    )]
    UnknownHeader {
        /// The header.
        header: String,
        /// A product name in it that may be the crawler's token.
        likely: Option<String>,
    },
}

/// Purposes and operators with similar names, for the end of a message.
struct Near<'n>(&'n [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            near => write!(f, "; did you mean `@{}`?", near.join("` or `@")),
        }
    }
}

struct Likely<'t>(&'t Option<String>);

impl fmt::Display for Likely<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_deref().map(Shortened) {
            Some(likely) => write!(f, ": its token is probably `{likely}`"),
            None => Ok(()),
        }
    }
}
