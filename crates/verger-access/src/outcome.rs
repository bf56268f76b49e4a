//! `Outcome`: how one attempt to fetch a robots.txt ended, before any profile judges it.

use std::fmt;
use std::str::FromStr;

use crate::illegible::Illegible;
use crate::transport_failure::TransportFailure;
use crate::unknown_code::UnknownCode;

/// The last reply of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reply {
    /// An HTTP status code. It may be any number, because servers send any.
    Http(u16),
    /// An FTP reply code.
    Ftp(u16),
}

impl Reply {
    /// Returns a short text for programs and stores: `http 404`, `ftp 550`. [`FromStr`] reads it back.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Http(status) => format!("http {status}"),
            Self::Ftp(code) => format!("ftp {code}"),
        }
    }

    /// Returns the HTTP status code or FTP reply code.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Http(number) | Self::Ftp(number) => number,
        }
    }
}

impl FromStr for Reply {
    type Err = UnknownCode;

    /// Parses the result of [`Reply::code`].
    fn from_str(code: &str) -> Result<Self, UnknownCode> {
        let unknown = || UnknownCode::of("reply");
        let (protocol, number) = code.split_once(' ').ok_or_else(unknown)?;
        let number = number.parse().map_err(|_| unknown())?;
        match protocol {
            "http" => Ok(Self::Http(number)),
            "ftp" => Ok(Self::Ftp(number)),
            _ => Err(unknown()),
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

/// Why a chain of redirects ended without a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RedirectEnd {
    /// There was one redirect more than the profile follows.
    TooMany,
    /// A redirect led to a URL that was requested before.
    Loop,
    /// A redirect led to another host, and the profile does not follow it.
    OtherHost,
    /// A redirect led from https to http, and the profile does not follow it.
    Downgrade,
    /// A redirect led to a scheme other than http and https. Redirects to FTP are never followed.
    OtherScheme,
    /// A redirect led to a port of another protocol, such as 25, which browsers refuse (WHATWG Fetch,
    /// "bad port").
    BadPort,
    /// A 3xx had no `Location`, or was a 305, which names a proxy.
    NoLocation,
    /// A `Location` is not a URL, or there are several different ones.
    BadLocation,
    /// A 304 was sent to a request without conditions.
    UnaskedNotModified,
    /// A redirect led to a URL that the robots.txt of its own authority disallows. G-3xx-2.
    DisallowedHop,
    /// A redirect led to a site that an override of this client's operator answers for. V-89.
    Overridden,
}

impl RedirectEnd {
    /// All variants.
    pub const ALL: &'static [Self] = &[
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
        Self::Overridden,
    ];

    /// Returns a short name for programs, such as `too-many`. [`FromStr`] reads it back.
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
            Self::Overridden => "overridden",
        }
    }
}

impl FromStr for RedirectEnd {
    type Err = UnknownCode;

    /// Parses the result of [`RedirectEnd::as_str`].
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|end| end.as_str() == name);
        found.ok_or_else(|| UnknownCode::of("redirect end"))
    }
}

impl fmt::Display for RedirectEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooMany => "too many redirects",
            Self::Loop => "a redirect loop",
            Self::OtherHost => "a redirect to another host is not followed",
            Self::Downgrade => "a redirect from https to http is not followed",
            Self::OtherScheme => "a redirect to a scheme other than http and https",
            Self::BadPort => "a redirect to a port of another protocol",
            Self::NoLocation => "a redirect without a Location header",
            Self::BadLocation => "a redirect whose Location is not a URL",
            Self::UnaskedNotModified => "an unexpected status 304",
            Self::DisallowedHop => "a redirect to a URL that its own robots.txt disallows",
            Self::Overridden => "a redirect to a site that has an override",
        })
    }
}

/// How one attempt ended. It is a fact, from which a profile draws conclusions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a body: 2xx, a 304 to a conditional request, an FTP transfer.
    Successful(Reply),
    /// A success whose body is not legible.
    Illegible(Reply, Illegible),
    /// A 206 whose `Content-Range` states a part of the file or cannot be parsed.
    PartOfFile(Reply),
    /// The last reply was neither a success nor a redirect: 4xx, 5xx, 1xx, an invalid status, or an FTP reply instead
    /// of the file.
    Error(Reply),
    /// A status of 500 to 599, without 503 and `Retry-After`, whose page says "not found" in its title, in a heading or
    /// on the first line of a text. It must use a phrase in `data/not_found_phrases.txt`. G-5xx-6.
    ErrorSayingNotFound(Reply),
    /// A redirect that was not followed.
    Redirect(RedirectEnd),
    /// No complete reply arrived.
    Failed(TransportFailure),
}

impl Outcome {
    /// Returns whether it is a fact about the site. An address that the client's own guard refused is not, because
    /// another client may be allowed to connect to it, nor is an override of its operator. Such an attempt decides the
    /// answer, but is not stored. V-49, V-89.
    #[must_use]
    pub const fn is_about_the_site(self) -> bool {
        !matches!(
            self,
            Self::Failed(TransportFailure::AddressRefused)
                | Self::Redirect(RedirectEnd::Overridden)
        )
    }

    /// Returns a short text for programs and stores: `successful http 200`, `successful-page http 202`,
    /// `successful-utf-16 http 200`, `part-of-file http 206`, `error ftp 550`, `error-saying-not-found http 500`, `redirect too-many`, `failed timeout`.
    /// [`FromStr`] reads it back.
    #[must_use]
    pub fn code(self) -> String {
        match self {
            Self::Successful(reply) => format!("successful {}", reply.code()),
            Self::Illegible(reply, why) => format!("successful-{} {}", why.as_str(), reply.code()),
            Self::PartOfFile(reply) => format!("part-of-file {}", reply.code()),
            Self::Error(reply) => format!("error {}", reply.code()),
            Self::ErrorSayingNotFound(reply) => {
                format!("error-saying-not-found {}", reply.code())
            }
            Self::Redirect(end) => format!("redirect {}", end.as_str()),
            Self::Failed(failure) => format!("failed {}", failure.as_str()),
        }
    }
}

impl FromStr for Outcome {
    type Err = UnknownCode;

    /// Parses the result of [`Outcome::code`].
    fn from_str(code: &str) -> Result<Self, UnknownCode> {
        let unknown = || UnknownCode::of("outcome");
        let (kind, rest) = code.split_once(' ').ok_or_else(unknown)?;
        match kind {
            "successful" => rest.parse().map(Self::Successful),
            "part-of-file" => rest.parse().map(Self::PartOfFile),
            "error" => rest.parse().map(Self::Error),
            "error-saying-not-found" => rest.parse().map(Self::ErrorSayingNotFound),
            "redirect" => rest.parse().map(Self::Redirect),
            "failed" => rest.parse().map(Self::Failed),
            _ => {
                let why = kind.strip_prefix("successful-").ok_or_else(unknown)?;
                let why = why.parse().map_err(|_| unknown())?;
                rest.parse().map(|reply| Self::Illegible(reply, why))
            }
        }
        .map_err(|_| unknown())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Successful(reply) | Self::Error(reply) => write!(f, "{reply}"),
            Self::Illegible(reply, why) => write!(f, "{reply} with {why}"),
            Self::PartOfFile(reply) => write!(f, "{reply} with part of the file"),
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
            Outcome::PartOfFile,
            Outcome::Error,
            Outcome::ErrorSayingNotFound,
        ];
        let outcomes = replies
            .flat_map(|reply| {
                let illegible = Illegible::ALL
                    .iter()
                    .map(move |&why| Outcome::Illegible(reply, why));
                of_reply
                    .map(|outcome| outcome(reply))
                    .into_iter()
                    .chain(illegible)
            })
            .chain(RedirectEnd::ALL.iter().copied().map(Outcome::Redirect))
            .chain(TransportFailure::ALL.iter().copied().map(Outcome::Failed));
        for outcome in outcomes {
            assert_eq!(outcome.code().parse(), Ok(outcome));
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
            "successful-x http 200",
        ] {
            let parsed: Result<Outcome, _> = code.parse();
            let text = "the text is not the code of an outcome";
            assert_eq!(parsed.unwrap_err().to_string(), text, "{code}");
        }
    }
}
