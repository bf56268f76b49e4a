//! `SitemapReader`: the octets of sitemaps, out of files and from the web.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;

use url::Url;
use verger_owner::SITEMAP_OCTETS_MAX;

use crate::fetch_arguments::FetchArguments;
use crate::input::Source;
use crate::octet_text::legible_path;
use crate::repository_file;
use crate::web_reader::{WebReader, web_url};

/// Where a sitemap is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SitemapSource {
    File(PathBuf),
    Url(Url),
}

impl SitemapSource {
    /// What an argument or a claim names: with `://` it is a URL.
    pub(super) fn of_argument(text: &OsString) -> Result<Self, NotASitemapUrl> {
        match text.to_str().filter(|text| text.contains("://")) {
            Some(text) => Url::parse(text)
                .ok()
                .and_then(Self::of_url)
                .ok_or(NotASitemapUrl),
            None => Ok(Self::File(text.into())),
        }
    }

    /// What is fetched over HTTP; `None` of another URL.
    pub(super) fn of_url(url: Url) -> Option<Self> {
        web_url(url).map(Self::Url)
    }

    /// The file that a URL in an index is a copy of, where the index is a file: the path of the URL from
    /// where the index is, if there is a file.
    pub(super) fn beside(&self, url: &Url) -> Option<Self> {
        let Self::File(index) = self else {
            return None;
        };
        let mut path = PathBuf::new();
        for segment in url.path_segments()? {
            // The parser has removed `.` and `..`; an escaped separator is no part of a name.
            let is_name = !segment.is_empty() && !segment.contains(['%', '\\', ':']);
            path = is_name.then(|| path.join(segment))?;
        }
        let path = repository_file::beside(index, &path).ok()?;
        path.is_file().then_some(Self::File(path))
    }
}

impl fmt::Display for SitemapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&legible_path(path)),
            Self::Url(url) => url.fmt(f),
        }
    }
}

/// The URL is none of a sitemap.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotASitemapUrl;

impl fmt::Display for NotASitemapUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a file, or a URL that begins with http:// or https://")
    }
}

impl Error for NotASitemapUrl {}

/// Reads sitemaps.
pub(super) struct SitemapReader<'a> {
    web: WebReader<'a>,
}

impl<'a> SitemapReader<'a> {
    pub(super) fn new(fetching: &'a FetchArguments) -> Self {
        let web = WebReader::new(&fetching.transport, SITEMAP_OCTETS_MAX);
        Self { web }
    }

    /// The octets of a sitemap, one more than there may be at most; in words why there are none. Only an argument
    /// may name what is no regular file.
    pub(super) fn read(
        &mut self,
        source: &SitemapSource,
        is_argument: bool,
    ) -> Result<Vec<u8>, String> {
        match source {
            SitemapSource::File(path) => {
                let input = Source::File(path.clone());
                let mut octets = Vec::new();
                let limit = u64::try_from(SITEMAP_OCTETS_MAX).unwrap_or(u64::MAX) + 1;
                let unreadable = |error| input.unreadable(error).to_string();
                let read = if is_argument {
                    let file = input.open().map_err(|error| error.to_string())?;
                    file.take(limit).read_to_end(&mut octets)
                } else {
                    let file = repository_file::open(path).map_err(unreadable)?;
                    file.take(limit).read_to_end(&mut octets)
                };
                read.map_err(unreadable)?;
                Ok(octets)
            }
            SitemapSource::Url(url) => self.web.read(url.clone()),
        }
    }
}
