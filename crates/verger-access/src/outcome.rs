//! `Outcome`: what became of one attempt to fetch a robots.txt, before any profile judges it.

use std::fmt;

use crate::transport_failure::TransportFailure;

/// What a server said at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// An HTTP status code; any number, since servers send any.
    Http(u16),
    /// An FTP reply code.
    Ftp(u16),
}

impl Reply {
    /// A short text for programs and stores: `http 404`, `ftp 550`.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Http(status) => format!("http {status}"),
            Self::Ftp(code) => format!("ftp {code}"),
        }
    }

    /// The reply of that short text; `None` for any other.
    #[must_use]
    pub fn by_code(code: &str) -> Option<Self> {
        let (protocol, number) = code.split_once(' ')?;
        let number = number.parse().ok()?;
        match protocol {
            "http" => Some(Self::Http(number)),
            "ftp" => Some(Self::Ftp(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(status) => write!(f, "status {status}"),
            Self::Ftp(code) => write!(f, "FTP reply {code}"),
        }
    }
}

/// Where a chain of redirects ended without a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectEnd {
    /// One more redirect than the profile follows.
    TooMany,
    /// A URL that was already asked; following would never end.
    Loop,
    /// Another host, which the profile does not follow.
    OtherHost,
    /// From https to http, which the profile does not follow.
    Downgrade,
    /// A scheme other than http and https. FTP is fetched where a URL says so, never because a
    /// redirect does.
    OtherScheme,
    /// A port that browsers refuse, since another protocol has it, such as 25 (WHATWG Fetch, "bad
    /// port").
    BadPort,
    /// A 3xx without `Location`, or one that names a proxy (305).
    NoLocation,
    /// A `Location` that is no URL, or several different ones.
    BadLocation,
    /// A 304 to a request without conditions.
    UnaskedNotModified,
    /// A URL that the robots.txt of its own authority disallows. G-3xx-2.
    DisallowedHop,
}

impl RedirectEnd {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::TooMany,
        Self::Loop,
        Self::OtherHost,
        Self::Downgrade,
        Self::OtherScheme,
        Self::BadPort,
        Self::NoLocation,
        Self::BadLocation,
        Self::UnaskedNotModified,
        Self::DisallowedHop,
    ];

    /// A short name for programs, such as `too-many`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooMany => "too-many",
            Self::Loop => "loop",
            Self::OtherHost => "other-host",
            Self::Downgrade => "downgrade",
            Self::OtherScheme => "other-scheme",
            Self::BadPort => "bad-port",
            Self::NoLocation => "no-location",
            Self::BadLocation => "bad-location",
            Self::UnaskedNotModified => "unasked-not-modified",
            Self::DisallowedHop => "disallowed-hop",
        }
    }
}

impl RedirectEnd {
    /// The end of that short name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.as_str() == name)
    }
}

impl fmt::Display for RedirectEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooMany => "more redirects than are followed",
            Self::Loop => "the redirects go in a circle",
            Self::OtherHost => "a redirect to another host is not followed",
            Self::Downgrade => "a redirect from https to http is not followed",
            Self::OtherScheme => "a redirect to a scheme other than http and https",
            Self::BadPort => "a redirect to a port of another protocol",
            Self::NoLocation => "a redirect without a location",
            Self::BadLocation => "a redirect whose location is no URL",
            Self::UnaskedNotModified => "a status 304 that was not asked for",
            Self::DisallowedHop => "a redirect to a URL that its own robots.txt disallows",
        })
    }
}

/// What became of one attempt. It is a fact; what follows from it is a profile's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// There is a body: 2xx, a 304 to a conditional request, an FTP transfer.
    Successful(Reply),
    /// As successful, but the body is an HTML page in which no reading finds a rule for anyone: a bot
    /// challenge, a login form, a "not found" that is sent as 200.
    SuccessfulPage(Reply),
    /// The last word was no success and no redirect: 4xx, 5xx, 1xx, what is no status at all; an
    /// FTP reply instead of the file.
    Error(Reply),
    /// A status of 500 to 599, but not 503 and not with `Retry-After`, whose page says in its title, in
    /// a heading or on the first line of a text that there is no such page, in one of the phrases of
    /// the list `data/not_found_phrases.txt`. G-5xx-6.
    ErrorSayingNotFound(Reply),
    /// A redirect that was not followed.
    Redirect(RedirectEnd),
    /// No whole reply came.
    Failed(TransportFailure),
}

impl Outcome {
    /// Whether it says something about the site. A refusal by the guard of the one that asks does
    /// not: another one, that may connect there, would have learned something. It is answered, and
    /// not kept as what was seen of the site. V-49.
    #[must_use]
    pub const fn is_about_the_site(self) -> bool {
        !matches!(self, Self::Failed(TransportFailure::AddressRefused))
    }

    /// A short text for programs and stores: `successful http 200`, `successful-page http 202`,
    /// `error ftp 550`, `error-saying-not-found http 500`, `redirect too-many`, `failed timeout`.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Successful(reply) => format!("successful {}", reply.code()),
            Self::SuccessfulPage(reply) => format!("successful-page {}", reply.code()),
            Self::Error(reply) => format!("error {}", reply.code()),
            Self::ErrorSayingNotFound(reply) => {
                format!("error-saying-not-found {}", reply.code())
            }
            Self::Redirect(end) => format!("redirect {}", end.as_str()),
            Self::Failed(failure) => format!("failed {}", failure.as_str()),
        }
    }

    /// The outcome of that short text; `None` for any other.
    #[must_use]
    pub fn by_code(code: &str) -> Option<Self> {
        let (kind, rest) = code.split_once(' ')?;
        match kind {
            "successful" => Reply::by_code(rest).map(Self::Successful),
            "successful-page" => Reply::by_code(rest).map(Self::SuccessfulPage),
            "error" => Reply::by_code(rest).map(Self::Error),
            "error-saying-not-found" => Reply::by_code(rest).map(Self::ErrorSayingNotFound),
            "redirect" => RedirectEnd::by_name(rest).map(Self::Redirect),
            "failed" => TransportFailure::by_name(rest).map(Self::Failed),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Successful(reply) | Self::Error(reply) => write!(f, "{reply}"),
            Self::SuccessfulPage(reply) => {
                write!(f, "{reply} with an HTML page that has no rules")
            }
            Self::ErrorSayingNotFound(reply) => {
                write!(f, "{reply} with a page that says \"not found\"")
            }
            Self::Redirect(end) => write!(f, "{end}"),
            Self::Failed(failure) => write!(f, "{failure}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_comes_back_from_its_code() {
        let replies = [0, 200, 404, 999, u16::MAX].into_iter();
        let replies = replies.flat_map(|number| [Reply::Http(number), Reply::Ftp(number)]);
        let of_reply = [
            Outcome::Successful,
            Outcome::SuccessfulPage,
            Outcome::Error,
            Outcome::ErrorSayingNotFound,
        ];
        let outcomes = replies
            .flat_map(|reply| of_reply.map(|outcome| outcome(reply)))
            .chain(RedirectEnd::ALL.map(Outcome::Redirect))
            .chain(TransportFailure::ALL.map(Outcome::Failed));
        for outcome in outcomes {
            assert_eq!(Outcome::by_code(&outcome.code()), Some(outcome));
        }
    }

    #[test]
    fn any_other_text_is_no_outcome() {
        for code in [
            "",
            "error",
            "error http",
            "error http x",
            "error gopher 1",
            "failed http 200",
        ] {
            assert_eq!(Outcome::by_code(code), None, "{code}");
        }
    }
}
