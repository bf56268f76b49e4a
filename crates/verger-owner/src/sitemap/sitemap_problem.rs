//! `SitemapProblem`: what is not as the protocol of sitemaps has it.

use std::fmt;

/// What is not as the protocol of sitemaps has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SitemapProblem {
    /// It has more than 52,428,800 octets, uncompressed; the rest was not read.
    TooLong,
    /// It lists more than 50,000 URLs or sitemaps. They were read all the same.
    TooManyEntries {
        /// How many.
        entries: u64,
    },
    /// It is no gzip file, though it begins as one; what is behind the error was not read.
    Gzip(String),
    /// It is not UTF-8; what is behind the error was not read.
    NotUtf8 {
        /// Where, in octets from its beginning.
        offset: usize,
    },
    /// It is not well-formed XML; what is behind the error was not read.
    NotXml {
        /// Where, in octets from its beginning.
        offset: u64,
        /// What is wrong.
        message: String,
    },
    /// Its first element is neither `urlset` nor `sitemapindex`, so nothing was read.
    UnknownRoot(String),
    /// It has no entry.
    Empty,
    /// Entries without a location.
    NoLocation {
        /// How many.
        entries: u64,
    },
}

impl SitemapProblem {
    /// Whether some of the file was not read on account of it.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        match self {
            Self::TooLong
            | Self::Gzip(_)
            | Self::NotUtf8 { .. }
            | Self::NotXml { .. }
            | Self::UnknownRoot(_) => true,
            Self::TooManyEntries { .. } | Self::Empty | Self::NoLocation { .. } => false,
        }
    }
}

impl fmt::Display for SitemapProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => {
                f.write_str("it has more than 50 MB (52,428,800 bytes); the rest was not read")
            }
            Self::TooManyEntries { entries } => {
                write!(f, "it lists {entries} entries; a sitemap may have 50,000")
            }
            Self::Gzip(message) => write!(f, "it cannot be decompressed: {message}"),
            Self::NotUtf8 { offset } => write!(f, "it is not UTF-8, at byte {offset}"),
            Self::NotXml { offset, message } => {
                write!(f, "it is not well-formed XML, at byte {offset}: {message}")
            }
            Self::UnknownRoot(name) => write!(
                f,
                "it is no sitemap: its first element is `{name}`, not `urlset` or `sitemapindex`"
            ),
            Self::Empty => f.write_str("it lists nothing"),
            Self::NoLocation { entries } => write!(f, "{entries} of its entries have no `loc`"),
        }
    }
}

impl std::error::Error for SitemapProblem {}
