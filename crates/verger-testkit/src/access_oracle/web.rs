use std::fmt;

use crate::scenario::ServerReply;

/// A scheme and a host. The port is always the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Whether the scheme is https rather than http.
    pub is_https: bool,
    /// The host.
    pub host: &'static str,
}

/// A page of a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// The site.
    pub site: Site,
    /// The path, starting with the slash.
    pub path: String,
}

impl Site {
    /// Returns the site's robots.txt.
    #[must_use]
    pub fn robots(self) -> Page {
        Page {
            site: self,
            path: "/robots.txt".to_owned(),
        }
    }

    /// Returns `true` if the sites differ at most in http for https and a `www.`.
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

/// The target of a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A page.
    Page(Page),
    /// A URL of another scheme.
    OtherScheme(&'static str),
    /// Text that is not a URL.
    NoUrl,
    /// No target.
    Missing,
}

/// Times that a response states, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stated {
    /// `Cache-Control: max-age`.
    pub max_age: Option<u64>,
    /// `Retry-After`.
    pub retry_after: Option<u64>,
}

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The path prefixes that it disallows to every crawler.
    Disallowed(Vec<String>),
    /// An HTML page without rules.
    HtmlPage,
    /// The same rules, and a NUL byte after them.
    WithNul(Vec<String>),
    /// Rules for every path, on lines with tags.
    Tagged,
}

impl Content {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Disallowed(paths) => {
                let lines = paths.iter().map(|path| format!("Disallow: {path}\n"));
                format!("User-agent: *\n{}", lines.collect::<String>())
            }
            Self::HtmlPage => "<!doctype html>\n<title>One moment</title>\n".to_owned(),
            Self::WithNul(paths) => Self::Disallowed(paths.clone()).text() + "#\0",
            Self::Tagged => "User-agent: *<br>\nDisallow: /<br>\n".to_owned(),
        }
    }

    /// Returns the name of the reason why it is not legible.
    pub(super) fn illegible(&self) -> Option<&'static str> {
        match self {
            Self::Disallowed(_) => None,
            Self::HtmlPage => Some("page"),
            Self::WithNul(_) => Some("binary"),
            Self::Tagged => Some("tagged-lines"),
        }
    }

    pub(super) fn disallows(&self, path: &str) -> bool {
        match self {
            Self::Disallowed(paths) | Self::WithNul(paths) => {
                paths.iter().any(|it| path.starts_with(&**it))
            }
            Self::HtmlPage | Self::Tagged => false,
        }
    }
}

/// The page of an error status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorPage {
    /// Its text.
    pub text: &'static str,
    /// Whether it says that the page does not exist.
    pub says_not_found: bool,
}

/// The `Content-Range` of a 206.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// The header is missing.
    Absent,
    /// The whole file.
    Whole,
    /// All but the last byte of the file.
    Part,
    /// A part of a file of unknown length.
    OfUnknown,
}

/// The reply to a request for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A file.
    File {
        /// A status of 200 to 299.
        status: u16,
        /// The range that a 206 states.
        range: Range,
        /// The content.
        content: Content,
        /// The `ETag`. A request with this value gets a 304.
        etag: Option<String>,
        /// The times it states.
        stated: Stated,
    },
    /// A redirect.
    Redirect {
        /// A status of 300 to 399 except 304 and 305.
        status: u16,
        /// The target.
        to: Location,
        /// The times it states.
        stated: Stated,
    },
    /// A 304 to any request.
    NotModified {
        /// The times it states.
        stated: Stated,
    },
    /// Any other status.
    Status {
        /// The status.
        status: u16,
        /// The page.
        page: ErrorPage,
        /// The times it states.
        stated: Stated,
    },
    /// No complete reply, with the name of the failure.
    Failure(&'static str),
}

pub(super) const LOCATION_KEPT_MAX: usize = 1024;

impl Reply {
    /// Returns the times that the reply states.
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

    /// Returns the reply as a server sends it.
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
                    Content::Disallowed(_) | Content::WithNul(_) => "text/plain",
                    Content::HtmlPage | Content::Tagged => "text/html",
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
