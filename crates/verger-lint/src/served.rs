//! `Served`: where a file is served, as far as it is known.

/// Where a file is served, as far as it is known: the default knows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Scheme, host and port of the site in lower case, as in `https://example.com`: it tells sitemaps
    /// of this site from those of others.
    pub origin: Option<String>,
}
