//! `Warning`: a fact for operators that does not affect answers.

use std::fmt;
use std::str::FromStr;

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use verger::{Clause, Crawler};

use crate::body::BodyEnd;
use crate::illegible::{Illegible, looks_like_html};
use crate::unknown_code::UnknownCode;

/// Maximum length of a header's text in a warning, in characters.
const HEADER_CHARACTERS_MAX: usize = 200;

/// Something that the operator of a crawler, or the owner of a service, should know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// The media type is missing or is not `text/plain`. The body was parsed anyway. R9309-2.3-2, D00-2.3-3.
    NotTextPlain {
        /// The media type, cut to 200 characters, or `None` if the header is missing.
        media_type: Option<String>,
    },
    /// The body is not UTF-8. R9309-2.3-2.
    NotUtf8,
    /// The body is an HTML page. Its lines were parsed anyway. G-fmt-3, K96-4.2-1.
    LooksLikeHtml,
    /// The body is compressed data, not text.
    Compressed,
    /// The body is binary data or UTF-16 without a byte order mark ([`Illegible::Binary`]).
    LooksBinary,
    /// Some words of `Content-Encoding` name no coding. Nothing was undone for them. V-95.
    UnknownCoding {
        /// The words, separated by commas, cut to 200 characters.
        coding: String,
    },
    /// The body is longer than 512,000 bytes. The rest is ignored. R9309-2.5-1.
    BodyCut,
    /// The sent `User-Agent` contains none of the crawler's product tokens. R9309-2.2.1-3, D00-2.2.1-3, K96-3.2.1-2.
    TokenNotInUserAgent {
        /// The first token.
        token: String,
    },
    /// The sent `User-Agent` has neither a URL nor a mail address that explains the purpose of the crawler.
    /// R9309-2.2.1-4, D00-2.2.1-4.
    NoPurposeInUserAgent,
}

impl Warning {
    /// Returns a short name for programs, such as `not-text-plain`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::NotTextPlain { .. } => "not-text-plain",
            Self::NotUtf8 => "not-utf8",
            Self::LooksLikeHtml => "looks-like-html",
            Self::Compressed => "compressed",
            Self::LooksBinary => "looks-binary",
            Self::UnknownCoding { .. } => "unknown-coding",
            Self::BodyCut => "body-cut",
            Self::TokenNotInUserAgent { .. } => "token-not-in-user-agent",
            Self::NoPurposeInUserAgent => "no-purpose-in-user-agent",
        }
    }

    /// Returns a short text for programs and stores: its name and its detail, such as `not-text-plain text/html`.
    /// [`FromStr`] reads it back. It is a single line if the detail is, which applies to every warning of an attempt.
    #[must_use]
    pub fn code(&self) -> String {
        let detail = match self {
            Self::NotTextPlain { media_type } => media_type.as_deref(),
            Self::TokenNotInUserAgent { token: text } | Self::UnknownCoding { coding: text } => {
                Some(text.as_str())
            }
            Self::NotUtf8
            | Self::LooksLikeHtml
            | Self::Compressed
            | Self::LooksBinary
            | Self::BodyCut
            | Self::NoPurposeInUserAgent => None,
        };
        let name = self.as_str();
        detail.map_or_else(|| name.to_owned(), |detail| format!("{name} {detail}"))
    }

    /// Returns the clause that the file or the crawler violates.
    #[must_use]
    pub const fn clause(&self) -> Clause {
        Clause::new(match self {
            Self::NotTextPlain { .. } | Self::NotUtf8 => "R9309-2.3-2",
            Self::LooksLikeHtml => "G-fmt-3",
            Self::Compressed | Self::LooksBinary => "R9309-2.3.1.5-1",
            Self::UnknownCoding { .. } => "V-95",
            Self::BodyCut => "R9309-2.5-1",
            Self::TokenNotInUserAgent { .. } => "R9309-2.2.1-3",
            Self::NoPurposeInUserAgent => "R9309-2.2.1-4",
        })
    }
}

impl FromStr for Warning {
    type Err = UnknownCode;

    /// Parses the result of [`Warning::code`].
    fn from_str(code: &str) -> Result<Self, UnknownCode> {
        let (name, detail) = match code.split_once(' ') {
            Some((name, detail)) => (name, Some(detail.to_owned())),
            None => (code, None),
        };
        match (name, detail) {
            ("not-text-plain", media_type) => Ok(Self::NotTextPlain { media_type }),
            ("token-not-in-user-agent", Some(token)) => Ok(Self::TokenNotInUserAgent { token }),
            ("not-utf8", None) => Ok(Self::NotUtf8),
            ("looks-like-html", None) => Ok(Self::LooksLikeHtml),
            ("compressed", None) => Ok(Self::Compressed),
            ("looks-binary", None) => Ok(Self::LooksBinary),
            ("unknown-coding", Some(coding)) => Ok(Self::UnknownCoding { coding }),
            ("body-cut", None) => Ok(Self::BodyCut),
            ("no-purpose-in-user-agent", None) => Ok(Self::NoPurposeInUserAgent),
            _ => Err(UnknownCode::of("warning")),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotTextPlain { media_type: None } => {
                f.write_str("the robots.txt has no media type: it should be text/plain")
            }
            Self::NotTextPlain {
                media_type: Some(media_type),
            } => write!(
                f,
                "the robots.txt is served as `{media_type}`: it should be text/plain"
            ),
            Self::NotUtf8 => f.write_str("the robots.txt is not UTF-8: some rules may not match"),
            Self::LooksLikeHtml => f.write_str("the robots.txt is an HTML page"),
            Self::Compressed => f.write_str("the robots.txt is compressed data, not text"),
            Self::LooksBinary => f.write_str(
                "the robots.txt has NUL or control bytes: it is binary data or UTF-16 without a \
                 byte order mark",
            ),
            Self::UnknownCoding { coding } => write!(
                f,
                "the Content-Encoding `{coding}` names no coding: nothing was decoded for it"
            ),
            Self::BodyCut => {
                f.write_str("the robots.txt is longer than 512,000 bytes: the rest is ignored")
            }
            Self::TokenNotInUserAgent { token } => write!(
                f,
                "the User-Agent header does not contain `{token}`: site owners cannot tell which \
                 group applies"
            ),
            Self::NoPurposeInUserAgent => f.write_str(
                "the User-Agent header has no URL or email address that explains what the crawler \
                 is for",
            ),
        }
    }
}

/// Returns the warnings about the `User-Agent` that a crawler sends.
///
/// "The product token SHOULD be a substring of the identification string that the crawler sends". With several tokens
/// one is enough: `Googlebot-News` crawls as `Googlebot`. A crawler without a token gets no such warning.
#[must_use]
pub fn user_agent_warnings(crawler: &Crawler, user_agent: &str) -> Vec<Warning> {
    let sent = user_agent.to_ascii_lowercase();
    let mut warnings = Vec::new();
    let tokens = crawler.tokens();
    let is_named = tokens
        .iter()
        .any(|token| sent.contains(&token.as_str().to_ascii_lowercase()));
    if let Some(token) = tokens.first().filter(|_| !is_named) {
        let token = token.as_str().to_owned();
        warnings.push(Warning::TokenNotInUserAgent { token });
    }
    if !["http://", "https://", "@"]
        .iter()
        .any(|sign| sent.contains(sign))
    {
        warnings.push(Warning::NoPurposeInUserAgent);
    }
    warnings
}

/// Returns the warnings about a body that was kept up to `end`, and is not legible because of `why`.
pub(crate) fn body_warnings(body: &[u8], why: Option<Illegible>, end: BodyEnd) -> Vec<Warning> {
    let is_utf32 = why == Some(Illegible::Utf32);
    let is_html = matches!(why, Some(Illegible::TaggedLines)) || looks_like_html(body);
    let found = [
        (why == Some(Illegible::Compressed), Warning::Compressed),
        (why == Some(Illegible::Binary), Warning::LooksBinary),
        (is_utf32 || str::from_utf8(body).is_err(), Warning::NotUtf8),
        (is_html, Warning::LooksLikeHtml),
        (end == BodyEnd::CutAtLimit, Warning::BodyCut),
    ];
    let found = found.into_iter();
    found
        .filter_map(|(is_found, warning)| is_found.then_some(warning))
        .collect()
}

/// Returns the warning about the media type of a response with a body, which "MUST" be text/plain.
pub(crate) fn media_type_warning(headers: &HeaderMap) -> Option<Warning> {
    let media_type = headers
        .get(CONTENT_TYPE)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned());
    let essence = media_type.as_deref().unwrap_or_default();
    let essence = essence.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("text/plain") {
        return None;
    }
    let media_type = media_type.as_deref().map(cut);
    Some(Warning::NotTextPlain { media_type })
}

/// Returns the warning about words of `Content-Encoding` that name no coding.
pub(crate) fn unknown_coding_warning(words: &str) -> Warning {
    Warning::UnknownCoding { coding: cut(words) }
}

fn cut(value: &str) -> String {
    value.chars().take(HEADER_CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use verger::Dialect;

    use super::*;

    fn names(tokens: &[&str], user_agent: &str) -> Vec<&'static str> {
        let crawler = Crawler::named_in_order(tokens.iter().copied(), Dialect::Rfc9309).unwrap();
        user_agent_warnings(&crawler, user_agent)
            .iter()
            .map(Warning::as_str)
            .collect()
    }

    #[test]
    fn a_token_is_found_in_the_user_agent_without_regard_to_case() {
        let sent = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)";
        assert!(names(&["ExampleBot"], sent).is_empty());
        assert!(names(&["examplebot"], sent).is_empty());
        assert!(names(&["ExampleBot-News", "ExampleBot"], sent).is_empty());
        assert_eq!(names(&["FooBot"], sent), ["token-not-in-user-agent"]);
    }

    #[test]
    fn a_user_agent_without_url_or_mail_address_is_warned_about() {
        assert_eq!(
            names(&["FooBot"], "FooBot/1.0"),
            ["no-purpose-in-user-agent"]
        );
        assert!(names(&["FooBot"], "FooBot/1.0 (crawl@foo.example)").is_empty());
        assert_eq!(names(&["*"], ""), ["no-purpose-in-user-agent"]);
    }

    #[test]
    fn bodies_that_are_no_plain_text_are_warned_about() {
        let warnings = |body: &[u8]| body_warnings(body, Illegible::of(body), BodyEnd::Whole);
        assert!(warnings("User-agent: *\nDisallow: /ツ".as_bytes()).is_empty());
        assert_eq!(warnings(b"Disallow: /caf\xE9"), [Warning::NotUtf8]);
        assert_eq!(warnings(b"\n <html>"), [Warning::LooksLikeHtml]);
        assert_eq!(
            warnings(b"\x1F\x8B\x08\x00\xFF"),
            [Warning::Compressed, Warning::NotUtf8]
        );
        assert_eq!(
            body_warnings(b"", None, BodyEnd::CutAtLimit),
            [Warning::BodyCut]
        );
    }

    #[test]
    fn a_warning_comes_back_from_its_code() {
        let text = |text: &str| text.to_owned();
        let media_types = [None, Some(""), Some("text/html; charset=utf-8"), Some(" a")];
        let media_types = media_types.map(|media_type| Warning::NotTextPlain {
            media_type: media_type.map(text),
        });
        let tokens =
            ["", "FooBot"].map(|token| Warning::TokenNotInUserAgent { token: text(token) });
        let others = [
            Warning::NotUtf8,
            Warning::LooksLikeHtml,
            Warning::Compressed,
            Warning::LooksBinary,
            Warning::UnknownCoding {
                coding: text("none, utf-8"),
            },
            Warning::BodyCut,
            Warning::NoPurposeInUserAgent,
        ];
        for warning in media_types.into_iter().chain(tokens).chain(others) {
            assert!(warning.code().starts_with(warning.as_str()));
            assert_eq!(warning.code().parse(), Ok(warning));
        }
        for code in [
            "",
            "body-cut ",
            "body-cut 1",
            "token-not-in-user-agent",
            "x",
        ] {
            let parsed: Result<Warning, _> = code.parse();
            let text = "the text is not the code of a warning";
            assert_eq!(parsed.unwrap_err().to_string(), text, "{code}");
        }
    }

    #[test]
    fn an_endless_media_type_is_cut() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, "a".repeat(1000).parse().unwrap());
        let media_type = Some("a".repeat(200));
        let warning = media_type_warning(&headers);
        assert_eq!(warning, Some(Warning::NotTextPlain { media_type }));
    }

    #[test]
    fn text_plain_has_any_parameters_and_any_case() {
        let of = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, value.parse().unwrap());
            media_type_warning(&headers)
        };
        assert_eq!(of("Text/Plain ; charset=utf-8"), None);
        let media_type = Some("text/html".to_owned());
        assert_eq!(of("text/html"), Some(Warning::NotTextPlain { media_type }));
        let none = Warning::NotTextPlain { media_type: None };
        assert_eq!(media_type_warning(&HeaderMap::new()), Some(none));
    }
}
