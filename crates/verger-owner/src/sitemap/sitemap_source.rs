use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use url::Url;
use verger::legible;
use verger_access::web_url;

/// The location of a sitemap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SitemapSource {
    /// In a file.
    File(PathBuf),
    /// On the web.
    Url(Url),
}

/// The URL scheme is not http or https.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a file, or a URL that begins with http:// or https://")]
pub struct NotASitemapUrl;

impl SitemapSource {
    /// Parses the sitemap of an argument or a claim. A text with `://` is a URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is a URL with a scheme other than http or https.
    pub fn from_argument(text: &OsString) -> Result<Self, NotASitemapUrl> {
        match text.to_str().filter(|text| text.contains("://")) {
            Some(text) => Url::parse(text)
                .ok()
                .and_then(Self::of_url)
                .ok_or(NotASitemapUrl),
            None => Ok(Self::File(text.into())),
        }
    }

    /// Returns `None` if the scheme is not http or https.
    pub(crate) fn of_url(url: Url) -> Option<Self> {
        web_url(url).map(Self::Url)
    }
}

impl fmt::Display for SitemapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&legible(path.as_os_str().as_encoded_bytes())),
            Self::Url(url) => url.fmt(f),
        }
    }
}
