//! `Served`: how a file is served, as far as it is known.

use std::time::Duration;

use verger_access::{Authority, Hop, Outcome, Reply};

/// How a file is served, as far as it is known: the default knows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Scheme, host and port of the site in lower case, as in `https://example.com`: it tells sitemaps
    /// of this site from those of others.
    pub origin: Option<String>,
    /// The fetch that brought the file, or an answer in its place. Without it, no lint says anything
    /// about how the file is served.
    pub fetch: Option<ServedFetch>,
    /// How the same site answers under its other names: http and https, with and without `www.`.
    pub variants: Vec<OtherFetch>,
    /// How the site answers requests that have the name of a crawler in their `User-Agent`.
    pub as_crawlers: Vec<OtherFetch>,
}

/// A fetch of a robots.txt, as far as lints look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedFetch {
    /// The requests in their order; all but the last one were redirected.
    pub hops: Vec<Hop>,
    /// How it ended.
    pub outcome: Outcome,
    /// The headers of the last response, one entry for each field line: names in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// For how long the last response may be kept by its own headers (RFC 9111), whatever its age.
    pub stated_lifetime: Option<Duration>,
}

/// How another request for the file was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFetch {
    /// The URL that was requested, or the name of the crawler.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The file, where there was one.
    pub body: Option<Vec<u8>>,
}

impl ServedFetch {
    /// The status of the last reply, where it is one of HTTP.
    pub(crate) fn status(&self) -> Option<u16> {
        match self.outcome {
            Outcome::Successful(reply)
            | Outcome::SuccessfulPage(reply)
            | Outcome::PartOfFile(reply)
            | Outcome::Error(reply)
            | Outcome::ErrorSayingNotFound(reply) => match reply {
                Reply::Http(status) => Some(status),
                _ => None,
            },
            _ => None,
        }
    }

    /// The status of a reply of HTTP that is neither the file nor a redirect.
    pub(crate) fn error_status(&self) -> Option<u16> {
        self.status().filter(|_| !is_file(self.outcome))
    }

    /// Whether it brought a file over HTTP in a response that has content, so that headers describe it.
    pub(crate) fn has_content(&self) -> bool {
        self.is_file() && !matches!(self.status(), Some(204 | 205 | 304))
    }

    /// Whether it brought a file over HTTP.
    pub(crate) fn is_file(&self) -> bool {
        is_file(self.outcome) && self.status().is_some()
    }

    /// The values of a header, one for each field line. `name` is in lower case.
    pub(crate) fn header<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> {
        let lines = self.headers.iter().filter(move |(it, _)| it == name);
        lines.map(|(_, value)| value.as_slice())
    }

    /// The value of `Content-Type`.
    pub(crate) fn content_type(&self) -> Option<&[u8]> {
        self.header("content-type").next().map(<[u8]>::trim_ascii)
    }

    /// The sites of its requests: the first one and the last.
    pub(crate) fn sites(&self) -> Option<(Authority, Authority)> {
        let of = |hop: Option<&Hop>| Authority::from_parsed_url(&hop?.url).ok();
        of(self.hops.first()).zip(of(self.hops.last()))
    }

    /// How many redirects there were, the last one that was not followed included.
    pub(crate) fn redirects(&self) -> usize {
        match self.outcome {
            Outcome::Redirect(_) => self.hops.len(),
            _ => self.hops.len().saturating_sub(1),
        }
    }
}

/// Whether there is a file.
pub(crate) fn is_file(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Successful(_) | Outcome::SuccessfulPage(_))
}

/// A host without a leading `www.`.
pub(crate) fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}
