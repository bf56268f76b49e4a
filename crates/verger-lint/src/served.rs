//! How a file is served, as far as known.

use std::time::Duration;

use verger_access::{Authority, Hop, Outcome, Reply};

/// How a file is served. By default, nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Scheme, host and port of the site in lower case, such as `https://example.com`. Tells this
    /// site's sitemaps from others.
    pub origin: Option<String>,
    /// The fetch that returned the file or another response. Without it, lints do not check how the
    /// file is served.
    pub fetch: Option<ServedFetch>,
    /// Responses under the site's other names: http and https, with and without `www.`.
    pub variants: Vec<OtherFetch>,
    /// Responses to requests with a crawler's name in the `User-Agent`.
    pub as_crawlers: Vec<OtherFetch>,
}

/// The parts of a fetch that lints check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedFetch {
    /// The requests in order. All but the last were redirected.
    pub hops: Vec<Hop>,
    /// The outcome.
    pub outcome: Outcome,
    /// The headers of the last response, one entry per field line. Names are in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// How long the last response may be cached by its headers (RFC 9111), whatever its age.
    pub stated_lifetime: Option<Duration>,
}

/// The response to another request for the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFetch {
    /// The URL that was requested, or the name of the crawler.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The file, if there was one.
    pub body: Option<Vec<u8>>,
}

impl ServedFetch {
    /// Returns the status of the last reply over HTTP.
    pub(crate) fn status(&self) -> Option<u16> {
        match self.outcome {
            Outcome::Successful(reply)
            | Outcome::Illegible(reply, _)
            | Outcome::PartOfFile(reply)
            | Outcome::Error(reply)
            | Outcome::ErrorSayingNotFound(reply) => match reply {
                Reply::Http(status) => Some(status),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the status of an HTTP reply that is neither the file nor a redirect.
    pub(crate) fn error_status(&self) -> Option<u16> {
        self.status().filter(|_| !is_file(self.outcome))
    }

    /// Returns whether headers describe the file: it came over HTTP, in a response with content.
    pub(crate) fn has_content(&self) -> bool {
        self.is_file() && !matches!(self.status(), Some(204 | 205 | 304))
    }

    /// Returns whether the file came over HTTP.
    pub(crate) fn is_file(&self) -> bool {
        is_file(self.outcome) && self.status().is_some()
    }

    /// Returns the values of a header, one per field line. `name` is in lower case.
    pub(crate) fn header<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> {
        let lines = self.headers.iter().filter(move |(it, _)| it == name);
        lines.map(|(_, value)| value.as_slice())
    }

    /// Returns the value of `Content-Type`.
    pub(crate) fn content_type(&self) -> Option<&[u8]> {
        self.header("content-type").next().map(<[u8]>::trim_ascii)
    }

    /// Returns the sites of the first and the last request.
    pub(crate) fn sites(&self) -> Option<(Authority, Authority)> {
        let of = |hop: Option<&Hop>| Authority::from_parsed_url(&hop?.url).ok();
        of(self.hops.first()).zip(of(self.hops.last()))
    }

    /// Returns the number of redirects, including a last one that was not followed.
    pub(crate) fn redirects(&self) -> usize {
        match self.outcome {
            Outcome::Redirect(_) => self.hops.len(),
            _ => self.hops.len().saturating_sub(1),
        }
    }
}

/// Returns whether there is a file.
pub(crate) fn is_file(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Successful(_) | Outcome::Illegible(..))
}

/// Returns a host without a leading `www.`.
pub(crate) fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}
