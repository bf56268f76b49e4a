//! `SitemapReader`: the octets of sitemaps, out of files and from the web.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger_access::Request;
use verger_client::{HttpReply, NetworkTransport, Received, Transport as _};
use verger_owner::SITEMAP_OCTETS_MAX;

use crate::fetch_arguments::FetchArguments;
use crate::input::Source;
use crate::octet_text::legible;

/// How many redirects are followed in a row.
const REDIRECTS_MAX: usize = 5;

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
    pub(super) fn of_url(mut url: Url) -> Option<Self> {
        if !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        Some(Self::Url(url))
    }

    /// The file that a URL in an index is a copy of, where the index is a file: the path of the URL from
    /// where the index is, if there is a file.
    pub(super) fn beside(&self, url: &Url) -> Option<Self> {
        let Self::File(index) = self else {
            return None;
        };
        let mut path = index.parent().unwrap_or(Path::new("")).to_path_buf();
        for segment in url.path_segments()? {
            // The parser has removed `.` and `..`; an escaped separator is no part of a name.
            let is_name = !segment.is_empty() && !segment.contains(['%', '\\', ':']);
            path = is_name.then(|| path.join(segment))?;
        }
        path.is_file().then_some(Self::File(path))
    }
}

impl fmt::Display for SitemapSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&legible(path.to_string_lossy().as_bytes())),
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

/// Reads sitemaps; the network is made ready where the first one is fetched.
pub(super) struct SitemapReader<'a> {
    fetching: &'a FetchArguments,
    network: Option<(Runtime, NetworkTransport)>,
}

impl<'a> SitemapReader<'a> {
    pub(super) fn new(fetching: &'a FetchArguments) -> Self {
        Self {
            fetching,
            network: None,
        }
    }

    /// The octets of a sitemap, one more than there may be at most; in words why there are none.
    pub(super) fn read(&mut self, source: &SitemapSource) -> Result<Vec<u8>, String> {
        match source {
            SitemapSource::File(path) => {
                let input = Source::File(path.clone());
                let mut octets = Vec::new();
                let limit = u64::try_from(SITEMAP_OCTETS_MAX).unwrap_or(u64::MAX) + 1;
                let file = File::open(path);
                let read = file.and_then(|file| file.take(limit).read_to_end(&mut octets));
                read.map_err(|error| input.unreadable(error).to_string())?;
                Ok(octets)
            }
            SitemapSource::Url(url) => self.fetch(url.clone()),
        }
    }

    fn fetch(&mut self, url: Url) -> Result<Vec<u8>, String> {
        let (runtime, transport) = match self.network.take() {
            Some(network) => network,
            None => self.start().map_err(|error| error.to_string())?,
        };
        let deadline = self.fetching.deadline();
        let fetched = runtime.block_on(async {
            let end = Instant::now() + deadline;
            let fetched = timeout_at(end, follow(&transport, url, end)).await;
            fetched.unwrap_or_else(|_| Err(format!("it took longer than {deadline:?}")))
        });
        self.network = Some((runtime, transport));
        fetched
    }

    fn start(&self) -> Result<(Runtime, NetworkTransport), Box<dyn Error>> {
        let mut settings = self.fetching.settings()?;
        settings.body_octets_max = SITEMAP_OCTETS_MAX + 1;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok((runtime, NetworkTransport::new(settings)?))
    }
}

/// Fetches a URL, redirects followed. The transport connects to no address that its guard refuses.
async fn follow(transport: &NetworkTransport, url: Url, end: Instant) -> Result<Vec<u8>, String> {
    let mut url = url;
    for _ in 0..=REDIRECTS_MAX {
        let request = Request {
            url,
            conditions: http::HeaderMap::new(),
        };
        let reply = match transport.send(&request, end).await.received {
            Received::Http(reply) => reply,
            Received::Failure { failure, detail } => return Err(format!("{failure}: {detail}")),
            Received::NotSent { detail } => return Err(detail),
            _ => return Err("it is not on the web".to_owned()),
        };
        let HttpReply { status, body, .. } = reply;
        match status {
            200 => return Ok(body),
            301 | 302 | 303 | 307 | 308 => {
                let location = reply.headers.get(http::header::LOCATION);
                let location = location.and_then(|value| value.to_str().ok());
                let next = location.and_then(|text| request.url.join(text).ok());
                let Some(SitemapSource::Url(next)) = next.and_then(SitemapSource::of_url) else {
                    return Err(format!("status {status}, a redirect to no URL of the web"));
                };
                url = next;
            }
            _ => return Err(format!("status {status}")),
        }
    }
    Err(format!("more than {REDIRECTS_MAX} redirects"))
}
