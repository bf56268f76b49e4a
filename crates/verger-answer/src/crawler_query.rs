//! `CrawlerQuery`: which crawlers a question is about, and the product tokens that they look up.

use std::fmt;

use serde::{Serialize, Serializer};
use verger::{Crawler, ProductToken, ProductTokenError, Reading};
use verger_crawlers::{KnownCrawler, Purpose, Registry, UserAgentHeader};

use crate::text::start_of;

/// Which crawlers a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerQuery {
    /// A crawler to which only `*` groups apply.
    Unnamed,
    /// A name of the registry, or else a product token.
    ///
    /// The registry goes first, so that `Googlebot-News` has the tokens that its operator documents.
    Name(String),
    /// A product token taken literally, even if it is a name of the registry.
    Token(String),
    /// Product tokens in the order in which the crawler looks them up, taken literally.
    TokensInOrder(Vec<String>),
    /// A `User-Agent` header as it is sent, for the known crawler that it names.
    Header(String),
    /// All known crawlers that fetch for a purpose and are in use, in the order of the registry.
    Purpose(Purpose),
}

/// A crawler, and how the question named it.
#[derive(Clone, Debug)]
pub struct ResolvedCrawler {
    name: String,
    known: Option<&'static KnownCrawler>,
    crawler: Crawler,
    named_as: NamedAs,
}

/// How a question named a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedAs {
    Nothing,
    Name,
    InOrder,
    Header,
}

impl CrawlerQuery {
    /// The crawlers; one, except of a purpose.
    ///
    /// # Errors
    ///
    /// Where a text is not a product token (in `google` every text is one), or where a header names
    /// no known crawler.
    pub fn resolve(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        match self {
            Self::Purpose(purpose) => Ok(ResolvedCrawler::of_purpose(*purpose)),
            one => Ok(vec![one.resolve_one(reading)?]),
        }
    }

    fn resolve_one(&self, reading: Reading) -> Result<ResolvedCrawler, CrawlerQueryError> {
        match self {
            Self::Unnamed | Self::Purpose(_) => Ok(ResolvedCrawler::unnamed()),
            Self::Name(name) => ResolvedCrawler::of_name(name, reading),
            Self::Token(token) => ResolvedCrawler::of_token(token, reading),
            Self::TokensInOrder(tokens) => ResolvedCrawler::of_tokens(tokens, reading),
            Self::Header(header) => ResolvedCrawler::of_header(header),
        }
    }
}

impl ResolvedCrawler {
    /// A crawler to which only `*` groups apply.
    #[must_use]
    pub fn unnamed() -> Self {
        Self {
            name: "*".to_owned(),
            known: None,
            crawler: Crawler::unnamed(),
            named_as: NamedAs::Nothing,
        }
    }

    /// The crawler of a registry name, or else of a product token.
    ///
    /// # Errors
    ///
    /// Where it is neither; in `google` every text is a token.
    pub fn of_name(name: &str, reading: Reading) -> Result<Self, CrawlerQueryError> {
        match Registry::bundled().by_name(name) {
            Some(known) => Ok(Self::of_known(known, name, NamedAs::Name)),
            None => Self::of_token(name, reading),
        }
    }

    /// The crawler of a product token, known or not.
    ///
    /// # Errors
    ///
    /// Where it is none; in `google` every text is a token.
    pub fn of_token(token: &str, reading: Reading) -> Result<Self, CrawlerQueryError> {
        let crawler = Crawler::named(token, reading).map_err(CrawlerQueryError::NotAToken)?;
        Ok(Self {
            name: token.to_owned(),
            known: None,
            crawler,
            named_as: NamedAs::Name,
        })
    }

    /// The crawler that looks up product tokens in this order, known or not.
    ///
    /// # Errors
    ///
    /// Where there is none, or one of them is none; in `google` every text is a token.
    pub fn of_tokens(tokens: &[String], reading: Reading) -> Result<Self, CrawlerQueryError> {
        if tokens.is_empty() {
            return Err(CrawlerQueryError::NoTokens);
        }
        let crawler = Crawler::named_in_order(tokens.iter().map(String::as_str), reading);
        Ok(Self {
            name: tokens.join(", "),
            known: None,
            crawler: crawler.map_err(CrawlerQueryError::NotAToken)?,
            named_as: NamedAs::InOrder,
        })
    }

    /// The known crawler that a `User-Agent` header names.
    ///
    /// # Errors
    ///
    /// Where it names none.
    pub fn of_header(text: &str) -> Result<Self, CrawlerQueryError> {
        let header = UserAgentHeader::new(text);
        if let Some(known) = Registry::bundled().named_by(&header) {
            return Ok(Self::of_known(known, text, NamedAs::Header));
        }
        let likely = header
            .product_names()
            .find(|name| ProductToken::new(name).is_ok())
            .map(str::to_owned);
        Err(CrawlerQueryError::UnknownHeader {
            header: text.to_owned(),
            likely,
        })
    }

    /// The known crawlers that fetch for a purpose and are in use, in the order of the registry.
    #[must_use]
    pub fn of_purpose(purpose: Purpose) -> Vec<Self> {
        let known = Registry::bundled().iter();
        let known = known.filter(|it| it.purposes().contains(&purpose) && !it.is_retired());
        known
            .map(|known| Self::of_known(known, known.name(), NamedAs::Name))
            .collect()
    }

    fn of_known(known: &'static KnownCrawler, name: &str, named_as: NamedAs) -> Self {
        Self {
            name: name.to_owned(),
            known: Some(known),
            crawler: known.crawler(),
            named_as,
        }
    }

    /// The text of the question: a name, a token, a header; `*` where there was none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The registry's entry, where one was found.
    #[must_use]
    pub fn known(&self) -> Option<&'static KnownCrawler> {
        self.known
    }

    /// The crawler as the engine takes it.
    #[must_use]
    pub fn crawler(&self) -> &Crawler {
        &self.crawler
    }

    /// The same crawler in another reading.
    ///
    /// # Errors
    ///
    /// Where its name, taken literally, is not a product token there.
    pub fn in_reading(&self, reading: Reading) -> Result<Crawler, ProductTokenError> {
        match (self.known, self.named_as) {
            (None, NamedAs::Name) => Crawler::named(&self.name, reading),
            (None, NamedAs::InOrder) => Crawler::named_in_order(self.name.split(", "), reading),
            _ => Ok(self.crawler.clone()),
        }
    }

    /// `googlebot-news → Googlebot-News, Googlebot, *`: which tokens a name was resolved to, where
    /// they are not the name itself.
    #[must_use]
    pub fn resolution(&self) -> Option<String> {
        match (self.known, self.named_as) {
            (Some(known), NamedAs::Header) => {
                let (name, tokens) = (known.name(), Tokens(&self.crawler));
                Some(format!("the header names {name} → {tokens}"))
            }
            (Some(_), _) if !self.is_its_only_token() => {
                Some(format!("{} → {}", self.name, Tokens(&self.crawler)))
            }
            _ => None,
        }
    }

    /// A short name for a column: the registry name of a header, else the text of the question.
    #[must_use]
    pub fn label(&self) -> &str {
        match (self.known, self.named_as) {
            (Some(known), NamedAs::Header) => known.name(),
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

impl Serialize for ResolvedCrawler {
    /// The key `crawler` of `docs/json.md`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys<'c> {
            registry_name: Option<&'c str>,
            tokens: Vec<&'c str>,
            star: &'static str,
        }
        let tokens = self.crawler.tokens().iter().map(ProductToken::as_str);
        Keys {
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

/// A question names no crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerQueryError {
    /// The text is neither a registry name nor a product token.
    NotAToken(ProductTokenError),
    /// The list of tokens is empty.
    NoTokens,
    /// The header names no known crawler.
    UnknownHeader {
        /// The header.
        header: String,
        /// A product name in it that could be the crawler's token.
        likely: Option<String>,
    },
}

impl fmt::Display for CrawlerQueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAToken(error) => error.fmt(f),
            Self::NoTokens => f.write_str("the list of product tokens is empty"),
            Self::UnknownHeader { header, likely } => {
                let header = start_of(header);
                write!(f, "no known crawler is named in the header `{header}`")?;
                match likely.as_deref().map(start_of) {
                    Some(likely) => write!(f, "; its token is probably `{likely}`"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for CrawlerQueryError {}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const RFC9309: Reading = Reading::of(Dialect::Rfc9309);

    #[test]
    fn a_resolution_is_shown_where_it_differs_from_the_bare_token() {
        let mut shown = 0;
        for known in Registry::bundled() {
            for name in [known.own_token().as_str(), known.name()] {
                let named = ResolvedCrawler::of_name(name, RFC9309).unwrap();
                let bare = ResolvedCrawler::of_token(name, RFC9309).unwrap();
                assert_eq!(bare.resolution(), None);
                let differs = named.crawler != bare.crawler;
                assert_eq!(named.resolution().is_some(), differs, "{name}");
                shown += usize::from(differs);
            }
        }
        assert!(shown > 20);
    }

    fn labels(query: &CrawlerQuery) -> Vec<String> {
        let crawlers = query.resolve(RFC9309).unwrap();
        let labels = crawlers.iter().map(|it| it.label().to_owned());
        labels.collect()
    }

    #[test]
    fn a_header_names_a_known_crawler() {
        let header = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)";
        assert_eq!(labels(&CrawlerQuery::Header(header.to_owned())), ["gptbot"]);
        let unknown = CrawlerQuery::Header("FooBot/1.0".to_owned());
        let error = unknown.resolve(RFC9309).unwrap_err().to_string();
        let expected = "no known crawler is named in the header `FooBot/1.0`; its token is \
                        probably `FooBot`";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_purpose_names_all_known_crawlers_of_it_that_are_in_use() {
        let purposes = Registry::bundled().iter().flat_map(KnownCrawler::purposes);
        let purposes: Vec<_> = purposes.copied().collect();
        for purpose in purposes {
            let found = labels(&CrawlerQuery::Purpose(purpose));
            let known = Registry::bundled().iter();
            let known = known.filter(|it| !it.is_retired() && it.purposes().contains(&purpose));
            let known: Vec<_> = known.map(KnownCrawler::name).collect();
            assert_eq!(found, known, "{purpose}");
        }
        assert!(labels(&CrawlerQuery::Purpose(Purpose::Search)).len() > 10);
    }

    #[test]
    fn tokens_are_taken_literally_and_in_order() {
        let tokens = ["b".to_owned(), "Googlebot-News".to_owned()];
        let resolved = ResolvedCrawler::of_tokens(&tokens, RFC9309).unwrap();
        let names: Vec<_> = resolved.crawler().tokens().iter().collect();
        assert_eq!(
            names.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
            tokens
        );
        assert!(resolved.known().is_none());
        let again = resolved.in_reading(Dialect::Google.into()).unwrap();
        assert_eq!(again.tokens().len(), 2);
        let none = ResolvedCrawler::of_tokens(&[], RFC9309).unwrap_err();
        assert_eq!(none, CrawlerQueryError::NoTokens);
    }

    #[test]
    fn a_text_may_be_a_token_in_one_dialect_only() {
        let query = CrawlerQuery::Name("no token/1".to_owned());
        let error = query.resolve(RFC9309).unwrap_err();
        assert!(matches!(error, CrawlerQueryError::NotAToken(_)), "{error}");
        let google = query.resolve(Dialect::Google.into()).unwrap();
        assert!(google[0].in_reading(RFC9309).is_err());
    }
}
