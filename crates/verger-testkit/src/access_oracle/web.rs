//! Pages, and what is said where they are asked for.

use std::fmt;

use crate::scenario::ServerReply;

/// Scheme and host; every port is the default one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Whether the scheme is https, else http.
    pub is_https: bool,
    /// The host.
    pub host: &'static str,
}

/// A page of a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// Where it is.
    pub site: Site,
    /// Its path, from the slash on.
    pub path: String,
}

impl Site {
    /// Where its robots.txt is.
    #[must_use]
    pub fn robots(self) -> Page {
        Page {
            site: self,
            path: "/robots.txt".to_owned(),
        }
    }

    /// Whether both are one site apart from http for https and a `www.`.
    pub(super) fn is_near(self, other: Self) -> bool {
        let bare = |host: &'static str| host.trim_start_matches("www.");
        bare(self.host) == bare(other.host)
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.site.is_https { "https" } else { "http" };
        write!(f, "{scheme}://{}{}", self.site.host, self.path)
    }
}

/// Where a redirect leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// To a page.
    Page(Page),
    /// To a URL of another scheme.
    OtherScheme(&'static str),
    /// To what is no URL.
    NoUrl,
    /// Nowhere: there is none.
    Missing,
}

/// What a response states about time, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// `Cache-Control: max-age`.
    pub max_age: Option<u64>,
    /// `Retry-After`.
    pub retry_after: Option<u64>,
}

/// What a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The paths that it disallows to every crawler, by their beginnings.
    Disallowed(Vec<String>),
    /// An HTML page, without a rule for anyone.
    HtmlPage,
}

impl Content {
    /// Its text.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Disallowed(paths) => {
                let lines = paths.iter().map(|path| format!("Disallow: {path}\n"));
                format!("User-agent: *\n{}", lines.collect::<String>())
            }
            Self::HtmlPage => "<!doctype html>\n<title>One moment</title>\n".to_owned(),
        }
    }

    /// Whether a rule of it disallows that path.
    pub(super) fn disallows(&self, path: &str) -> bool {
        match self {
            Self::Disallowed(paths) => paths.iter().any(|it| path.starts_with(&**it)),
            Self::HtmlPage => false,
        }
    }
}

/// The page of a status that is no success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorPage {
    /// Its text.
    pub text: &'static str,
    /// Whether it says that there is no such page.
    pub says_not_found: bool,
}

/// What the `Content-Range` of a 206 states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// There is none.
    Absent,
    /// The whole file.
    Whole,
    /// All but the last byte of the file.
    Part,
    /// A part of a file whose length is not known.
    OfUnknown,
}

/// What is said where a page is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A file.
    File {
        /// A status of 200 to 299.
        status: u16,
        /// What a 206 states of its range.
        range: Range,
        /// What it has.
        content: Content,
        /// Its `ETag`. Where a request knows it, the answer is 304.
        etag: Option<String>,
        /// What it states about time.
        stated: Stated,
    },
    /// A redirect.
    Redirect {
        /// A status of 300 to 399, but neither 304 nor 305.
        status: u16,
        /// Where it leads.
        to: Location,
        /// What it states about time.
        stated: Stated,
    },
    /// A 304, whatever is asked.
    NotModified {
        /// What it states about time.
        stated: Stated,
    },
    /// Any other status.
    Status {
        /// The status.
        status: u16,
        /// Its page.
        page: ErrorPage,
        /// What it states about time.
        stated: Stated,
    },
    /// No whole reply, by the name of the failure.
    Failure(&'static str),
}

/// The bytes of a `Location` that a store keeps at most.
pub(super) const LOCATION_KEPT_MAX: usize = 1024;

impl Reply {
    /// What it states about time.
    #[must_use]
    pub fn stated(&self) -> Stated {
        match self {
            Self::File { stated, .. }
            | Self::Redirect { stated, .. }
            | Self::NotModified { stated }
            | Self::Status { stated, .. } => *stated,
            Self::Failure(_) => Stated::default(),
        }
    }

    /// The same as a server says it.
    #[must_use]
    pub fn served(&self) -> ServerReply {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: String| headers.push((name.to_owned(), value));
        let stated = self.stated();
        if let Some(seconds) = stated.max_age {
            add("cache-control", format!("max-age={seconds}"));
        }
        if let Some(seconds) = stated.retry_after {
            add("retry-after", seconds.to_string());
        }
        let (status, body) = match self {
            Self::Failure(name) => {
                return ServerReply::Failure {
                    name: (*name).to_owned(),
                };
            }
            Self::File {
                status,
                range,
                content,
                etag,
                ..
            } => {
                let length = content.text().len();
                match range {
                    Range::Absent => {}
                    Range::Whole => {
                        add("content-range", format!("bytes 0-{}/{length}", length - 1));
                    }
                    Range::Part => {
                        add(
                            "content-range",
                            format!("bytes 0-{}/{}", length - 1, length + 1),
                        );
                    }
                    Range::OfUnknown => add("content-range", format!("bytes 0-{}/*", length - 1)),
                }
                let kind = match content {
                    Content::Disallowed(_) => "text/plain",
                    Content::HtmlPage => "text/html",
                };
                add("content-type", kind.to_owned());
                if let Some(etag) = etag {
                    add("etag", etag.clone());
                }
                (*status, content.text())
            }
            Self::Redirect { status, to, .. } => {
                match to {
                    Location::Page(page) => add("location", page.to_string()),
                    Location::OtherScheme(url) => add("location", (*url).to_owned()),
                    Location::NoUrl => add("location", "http://".to_owned()),
                    Location::Missing => {}
                }
                (*status, String::new())
            }
            Self::NotModified { .. } => (304, String::new()),
            Self::Status { status, page, .. } => (*status, page.text.to_owned()),
        };
        ServerReply::Http {
            status,
            headers,
            body: body.into_bytes(),
        }
    }
}
