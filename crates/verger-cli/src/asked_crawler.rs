//! Who is asked about: from a name, a token or a User-Agent header to product tokens in order.

use std::fmt;

use serde::{Serialize, Serializer};
use verger::{Crawler, ProductToken, ProductTokenError, Reading};
use verger_crawlers::{KnownCrawler, Registry, UserAgentHeader};

use crate::octet_text::start_of;

/// A crawler, and how it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct AskedCrawler {
    /// What was asked for: a token, a registry name, a header, or `*`.
    pub(crate) name: String,
    /// The registry's entry, where one was found.
    pub(crate) known: Option<&'static KnownCrawler>,
    /// Who asks.
    pub(crate) crawler: Crawler,
    asked_by: AskedBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedBy {
    Nothing,
    Name,
    Header,
}

impl AskedCrawler {
    /// A crawler that no group names.
    pub(crate) fn unnamed() -> Self {
        Self {
            name: "*".to_owned(),
            known: None,
            crawler: Crawler::unnamed(),
            asked_by: AskedBy::Nothing,
        }
    }

    /// The crawler of a registry name or a product token.
    ///
    /// A name of the registry goes before a token, so that `Googlebot-News` has the tokens that
    /// its operator says it has.
    ///
    /// # Errors
    ///
    /// Where it is neither; in `google` every text is a token.
    pub(crate) fn named(name: &str, reading: Reading) -> Result<Self, AskedCrawlerError> {
        match Registry::bundled().by_name(name) {
            Some(known) => Ok(Self {
                name: name.to_owned(),
                known: Some(known),
                crawler: known.crawler(),
                asked_by: AskedBy::Name,
            }),
            None => Self::of_token(name, reading),
        }
    }

    /// The crawler of a product token, known or not.
    ///
    /// # Errors
    ///
    /// Where it is none; in `google` every text is a token.
    pub(crate) fn of_token(token: &str, reading: Reading) -> Result<Self, AskedCrawlerError> {
        let crawler = Crawler::named(token, reading).map_err(AskedCrawlerError::NotAToken)?;
        Ok(Self {
            name: token.to_owned(),
            known: None,
            crawler,
            asked_by: AskedBy::Name,
        })
    }

    /// The known crawler that a User-Agent header names.
    ///
    /// # Errors
    ///
    /// Where it names none.
    pub(crate) fn of_header(text: &str) -> Result<Self, AskedCrawlerError> {
        let header = UserAgentHeader::new(text);
        let Some(known) = Registry::bundled().named_by(&header) else {
            let likely = header
                .product_names()
                .find(|name| ProductToken::new(name).is_ok())
                .map(str::to_owned);
            return Err(AskedCrawlerError::UnknownHeader {
                header: text.to_owned(),
                likely,
            });
        };
        Ok(Self {
            name: text.to_owned(),
            known: Some(known),
            crawler: known.crawler(),
            asked_by: AskedBy::Header,
        })
    }

    /// The same crawler asking in another reading.
    ///
    /// # Errors
    ///
    /// Where its name, taken as it stood, is not a product token there.
    pub(crate) fn in_reading(&self, reading: Reading) -> Result<Crawler, ProductTokenError> {
        match (self.known, self.asked_by) {
            (None, AskedBy::Name) => Crawler::named(&self.name, reading),
            _ => Ok(self.crawler.clone()),
        }
    }

    /// What a reader has to be told about the way from the name to the tokens, if anything.
    pub(crate) fn resolution(&self) -> Option<String> {
        match (self.known, self.asked_by) {
            (Some(known), AskedBy::Header) => {
                let (name, tokens) = (known.name(), Tokens(&self.crawler));
                Some(format!("the header names {name} → {tokens}"))
            }
            (Some(_), _) if !self.is_its_only_token() => {
                Some(format!("{} → {}", self.name, Tokens(&self.crawler)))
            }
            _ => None,
        }
    }

    /// What a line of output calls it.
    pub(crate) fn label(&self) -> &str {
        match (self.known, self.asked_by) {
            (Some(known), AskedBy::Header) => known.name(),
            _ => &self.name,
        }
    }

    fn is_its_only_token(&self) -> bool {
        let name = self.name.as_str();
        matches!(self.crawler.tokens(), [token] if token.as_str().eq_ignore_ascii_case(name))
            && self.crawler.honours_star()
    }
}

/// Tokens in order, then `*` where it is honoured.
struct Tokens<'c>(&'c Crawler);

impl fmt::Display for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = self.0.honours_star().then_some("*");
        let tokens = self.0.tokens().iter().map(ProductToken::as_str);
        let names: Vec<_> = tokens.chain(star).collect();
        f.write_str(&names.join(", "))
    }
}

/// The crawler as JSON tells it.
impl Serialize for AskedCrawler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'c> {
            registry_name: Option<&'c str>,
            tokens: Vec<&'c str>,
            star: &'static str,
        }
        let tokens = self.crawler.tokens().iter().map(ProductToken::as_str);
        Shape {
            registry_name: self.known.map(KnownCrawler::name),
            tokens: tokens.collect(),
            star: if self.crawler.honours_star() {
                "honoured"
            } else {
                "ignored"
            },
        }
        .serialize(serializer)
    }
}

/// Nobody is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AskedCrawlerError {
    /// The name is neither in the registry nor a product token.
    NotAToken(ProductTokenError),
    /// The header names no known crawler.
    UnknownHeader {
        /// The header.
        header: String,
        /// The token that it probably names.
        likely: Option<String>,
    },
}

impl fmt::Display for AskedCrawlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAToken(error) => write!(f, "{error}; a full header goes to `--user-agent`"),
            Self::UnknownHeader { header, likely } => {
                let header = start_of(header);
                write!(f, "no known crawler is named in the header `{header}`; ")?;
                match likely.as_deref().map(start_of) {
                    Some(likely) => write!(f, "its token is probably `{likely}`: `-a {likely}`"),
                    None => f.write_str("give its product token with `-a`"),
                }
            }
        }
    }
}

impl std::error::Error for AskedCrawlerError {}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    #[test]
    fn what_differs_from_the_bare_token_is_told() {
        let mut told = 0;
        for known in Registry::bundled() {
            for name in [known.own_token().as_str(), known.name()] {
                let reading = Dialect::Rfc9309.into();
                let asked = AskedCrawler::named(name, reading).unwrap();
                let bare = AskedCrawler::of_token(name, reading).unwrap();
                assert_eq!(bare.resolution(), None);
                let differs = asked.crawler != bare.crawler;
                assert_eq!(asked.resolution().is_some(), differs, "{name}");
                told += usize::from(differs);
            }
        }
        assert!(told > 20);
    }
}
