//! `SitemapProblem`: what is not as the protocol of sitemaps has it.

/// A departure from the protocol of sitemaps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SitemapProblem {
    /// It has more than 52,428,800 bytes, uncompressed; the rest was not read.
    #[error("it has more than 50 MB (52,428,800 bytes); the rest was not read")]
    TooLong,
    /// It lists more than 50,000 URLs or sitemaps. They were read all the same.
    #[error("it lists {entries} entries; a sitemap may have 50,000")]
    TooManyEntries {
        /// How many.
        entries: u64,
    },
    /// It is no gzip file, though it begins as one; the part after the error was not read.
    #[error("it cannot be decompressed: {0}")]
    Gzip(String),
    /// It is not UTF-8; the part after the error was not read.
    #[error("it is not UTF-8, at byte {offset}")]
    NotUtf8 {
        /// Where, in bytes from its beginning.
        offset: usize,
    },
    /// It is not well-formed XML; the part after the error was not read.
    #[error("it is not well-formed XML, at byte {offset}: {message}")]
    NotXml {
        /// Where, in bytes from its beginning.
        offset: u64,
        /// What is wrong.
        message: String,
    },
    /// Its first element is neither `urlset` nor `sitemapindex`, so nothing was read.
    #[error("it is no sitemap: its first element is `{0}`, not `urlset` or `sitemapindex`")]
    UnknownRoot(String),
    /// It has no entry.
    #[error("it lists nothing")]
    Empty,
    /// Entries without a location.
    #[error("{entries} of its entries have no `loc`")]
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
