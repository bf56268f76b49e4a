/// A violation of the sitemap protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SitemapProblem {
    /// The sitemap has more than 52,428,800 bytes, uncompressed. The rest was not read.
    #[error("more than 50 MB (52,428,800 bytes), so the rest was not read")]
    TooLong,
    /// The sitemap lists more than 50,000 URLs or sitemaps. All were read.
    #[error("{entries} entries, but a sitemap may have 50,000: use several sitemaps")]
    TooManyEntries {
        /// Number of entries.
        entries: u64,
    },
    /// Decompression failed. The rest was not read.
    #[error("cannot decompress: {0}")]
    Gzip(String),
    /// The text is not UTF-8. The rest was not read.
    #[error("not UTF-8 at byte {offset}")]
    NotUtf8 {
        /// Position of the error, in bytes.
        offset: usize,
    },
    /// The text is not well-formed XML. The rest was not read.
    #[error("not well-formed XML at byte {offset}: {message}")]
    NotXml {
        /// Position of the error, in bytes.
        offset: u64,
        /// Message of the XML parser.
        message: String,
    },
    /// The root element is neither `urlset` nor `sitemapindex`. Nothing was read.
    #[error("not a sitemap: the first element is `{0}`, not `urlset` or `sitemapindex`")]
    UnknownRoot(String),
    /// The sitemap has no entries.
    #[error("no entries")]
    Empty,
    /// Some entries have no location.
    #[error("entries without `loc`: {entries}")]
    NoLocation {
        /// Number of these entries.
        entries: u64,
    },
}

impl SitemapProblem {
    /// Returns whether this problem left part of the file unread.
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
