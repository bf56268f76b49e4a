//! A question about a page.

/// The documents by which a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Convention {
    /// Google's page about robots meta tags.
    Google,
    /// draft-illyes-repext-03.
    RepExt,
}

/// The answer of robots.txt about the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RobotsAnswer {
    /// It is allowed.
    Allowed,
    /// A rule disallows it.
    Disallowed,
    /// It is disallowed until robots.txt can be fetched.
    ForNow,
    /// Nothing is known.
    Unknown,
}

/// The result of fetching the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// It was not requested.
    No,
    /// The request failed.
    Failed,
    /// A response with this status.
    Status(u16),
}

/// A question about a page.
#[derive(Clone, Debug)]
pub struct PageQuestion<'a> {
    /// The documents to read it by.
    pub convention: Convention,
    /// The crawler's product tokens, its own first.
    pub crawlers: &'a [String],
    /// The answer of robots.txt.
    pub robots: RobotsAnswer,
    /// The result of the fetch.
    pub fetched: Fetched,
    /// Names, values and lines of header fields.
    pub headers: &'a [(String, Vec<u8>, usize)],
    /// Names, contents and lines of meta elements, and whether each is in the head.
    pub metas: &'a [(String, String, usize, bool)],
    /// The second since 1970.
    pub now: i64,
    /// The number of bytes of a `Robots-Tag` that are read.
    pub limit: usize,
}
