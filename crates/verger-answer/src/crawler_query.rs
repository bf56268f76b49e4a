//! `CrawlerQuery`: which crawlers a question is about, and the product tokens that they look up.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use verger::dialect::AgentValue;
use verger::{Crawler, ProductToken, ProductTokenError, Reading};
use verger_crawlers::{KnownCrawler, Obeys, Purpose, Registry, UnknownName, UserAgentHeader};

use crate::text::start_of;

/// Which crawlers a question is about.
///
/// ```
/// use verger_answer::CrawlerQuery;
/// use verger_crawlers::Purpose;
///
/// assert_eq!("@ai-train".parse(), Ok(CrawlerQuery::Purpose(Purpose::AiTrain)));
/// assert_eq!("OpenAI".parse(), Ok(CrawlerQuery::Operator("OpenAI".to_owned())));
/// assert_eq!("@openai".parse(), Ok(CrawlerQuery::Operator("openai".to_owned())));
/// assert_eq!("gptbot".parse(), Ok(CrawlerQuery::Name("gptbot".to_owned())));
/// assert!("@training".parse::<CrawlerQuery>().is_err());
/// ```
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
    /// All known crawlers of an operator that are in use, in the order of the registry; upper and
    /// lower case are equal.
    Operator(String),
}

impl FromStr for CrawlerQuery {
    type Err = CrawlerQueryError;

    /// Reads a query as people write it: `@ai-train` for a purpose, `@openai` for an operator, else
    /// the name of an operator as the registry spells it (`OpenAI`), else a name of the registry or a
    /// product token. An operator without `@` counts only where no known crawler has a name or a
    /// product token that is spelt like it: `Yandex` is a product token, `@Yandex` the operator.
    ///
    /// # Errors
    ///
    /// Where `@` is followed by no known purpose and no known operator with crawlers in use. Whether a
    /// name is a product token depends on the reading, so [`CrawlerQuery::resolve`] says that.
    fn from_str(text: &str) -> Result<Self, CrawlerQueryError> {
        let registry = Registry::bundled();
        if let Some(name) = text.strip_prefix('@') {
            let in_use = |known: &KnownCrawler| !known.is_retired();
            return match name.parse() {
                Ok(purpose) => Ok(Self::Purpose(purpose)),
                Err(_) if registry.by_operator(name).any(in_use) => {
                    Ok(Self::Operator(name.to_owned()))
                }
                Err(unknown) => Err(CrawlerQueryError::UnknownPurpose {
                    near: registry.suggest_operators(name),
                    unknown,
                }),
            };
        }
        let is_operator = |known: &KnownCrawler| known.operator() == text && !known.is_retired();
        let is_token = |token: &ProductToken| token.as_str().eq_ignore_ascii_case(text);
        let is_of_crawler = registry.by_name(text).is_some()
            || registry
                .iter()
                .any(|known| known.tokens().iter().any(is_token));
        if !is_of_crawler && registry.iter().any(is_operator) {
            return Ok(Self::Operator(text.to_owned()));
        }
        Ok(Self::Name(text.to_owned()))
    }
}

/// A crawler, and how the question named it.
#[derive(Clone, Debug)]
pub struct ResolvedCrawler {
    name: String,
    known: Option<&'static KnownCrawler>,
    crawler: Crawler,
    named_as: NamedAs,
}

/// Longer texts are not compared with the names of the registry.
const NAME_OCTETS_MAX: usize = 64;

/// How a question named a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedAs {
    Nothing,
    /// As one of several that have a purpose or an operator.
    Listed,
    Name,
    /// By a product token that is to be taken as it is.
    Token,
    InOrder,
    Header,
}

impl CrawlerQuery {
    /// Returns the crawlers: one or more for a purpose or an operator, else exactly one.
    ///
    /// # Errors
    ///
    /// Where a text is not a product token (in `google` every text is one), where a header names no
    /// known crawler, or where an operator has none in use.
    pub fn resolve(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        let one = match self {
            Self::Purpose(purpose) => return Ok(ResolvedCrawler::of_purpose(*purpose)),
            Self::Operator(name) => return ResolvedCrawler::of_operator(name),
            Self::Unnamed => ResolvedCrawler::unnamed(),
            Self::Name(name) => ResolvedCrawler::of_name(name, reading)?,
            Self::Token(token) => ResolvedCrawler::of_token(token, reading)?,
            Self::TokensInOrder(tokens) => ResolvedCrawler::of_tokens(tokens, reading)?,
            Self::Header(header) => ResolvedCrawler::of_header(header)?,
        };
        Ok(vec![one])
    }

    /// Resolves a question that is about one crawler alone.
    ///
    /// # Errors
    ///
    /// As [`CrawlerQuery::resolve`], and where there are several.
    pub fn resolve_one(&self, reading: Reading) -> Result<ResolvedCrawler, CrawlerQueryError> {
        let mut resolved = self.resolve(reading)?;
        match (resolved.len(), resolved.pop()) {
            (1, Some(one)) => Ok(one),
            (count, _) => Err(CrawlerQueryError::Several {
                query: self.to_string(),
                count,
            }),
        }
    }
}

impl fmt::Display for CrawlerQuery {
    /// Writes the query as people write it; tokens in order with commas between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => f.write_str("*"),
            Self::Name(text) | Self::Token(text) | Self::Header(text) => f.write_str(text),
            Self::Operator(name) => write!(f, "@{name}"),
            Self::TokensInOrder(tokens) => f.write_str(&tokens.join(", ")),
            Self::Purpose(purpose) => write!(f, "@{purpose}"),
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
            None => Ok(Self {
                named_as: NamedAs::Name,
                ..Self::of_token(name, reading)?
            }),
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
            named_as: NamedAs::Token,
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
        Self::in_use(Registry::bundled().by_purpose(purpose))
    }

    /// The known crawlers of an operator that are in use, in the order of the registry.
    ///
    /// # Errors
    ///
    /// Where there are none.
    pub fn of_operator(name: &str) -> Result<Vec<Self>, CrawlerQueryError> {
        let registry = Registry::bundled();
        let found = Self::in_use(registry.by_operator(name));
        if found.is_empty() {
            return Err(CrawlerQueryError::UnknownOperator {
                name: name.to_owned(),
                near: registry.suggest_operators(name),
            });
        }
        Ok(found)
    }

    fn in_use(known: impl Iterator<Item = &'static KnownCrawler>) -> Vec<Self> {
        let in_use = known.filter(|it| !it.is_retired());
        let resolved = in_use.map(|known| Self::of_known(known, known.name(), NamedAs::Listed));
        resolved.collect()
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
            (None, NamedAs::Name | NamedAs::Token) => Crawler::named(&self.name, reading),
            (None, NamedAs::InOrder) => Crawler::named_in_order(self.name.split(", "), reading),
            _ => Ok(self.crawler.clone()),
        }
    }

    /// `googlebot-news → Googlebot-News, Googlebot, *`: which tokens a name or a header was resolved
    /// to, where they are not the name itself; `None` for the crawlers of a purpose or an operator.
    #[must_use]
    pub fn resolution(&self) -> Option<String> {
        match (self.known, self.named_as) {
            (Some(known), NamedAs::Header) => {
                let (name, tokens) = (known.name(), Tokens(&self.crawler));
                Some(format!("the header names {name} → {tokens}"))
            }
            (Some(_), NamedAs::Name) if !self.is_its_only_token() => {
                Some(format!("{} → {}", self.name, Tokens(&self.crawler)))
            }
            _ => None,
        }
    }

    /// Says that the registry does not have the name, and which one is probably meant; `None` where no
    /// name is that similar, and of tokens that are to be taken as they are.
    #[must_use]
    pub fn likely_misspelling(&self) -> Option<String> {
        let is_unknown_name = self.known.is_none()
            && self.named_as == NamedAs::Name
            && self.name.len() <= NAME_OCTETS_MAX;
        let meant = is_unknown_name.then(|| Registry::bundled().misspelt(&self.name))??;
        Some(format!(
            "`{}` is not in the registry; did you mean {}? `--token` takes it as it is",
            start_of(&self.name),
            meant.own_token()
        ))
    }

    /// Says that the operator states that the crawler does not obey robots.txt, as of fetchers for
    /// users and for their safety; `None` of all others. G-1-2.
    #[must_use]
    pub fn not_bound(&self) -> Option<String> {
        let known = self.known.filter(|it| it.obeys() == Obeys::No)?;
        Some(format!(
            "{}: robots.txt does not bind it: {} says that it does not obey",
            known.name(),
            known.operator()
        ))
    }

    /// Says which token of the crawler no user-agent line can name in this reading: in `google` a name
    /// ends before the first octet that is no letter, `-` or `_`, so that nothing names `MJ12bot`. `None`
    /// where there is no such token. V-7, GL-agent-1, GL-agent-3.
    #[must_use]
    pub fn unmatchable(&self, reading: Reading) -> Option<String> {
        if reading.agent_value() != AgentValue::GoogleIdentifier {
            return None;
        }
        let is_unmatchable = |token: &&ProductToken| {
            // `*` is the usual name for no name; the empty text is in `google` that of an empty line.
            !token.is_identifier() && !["", "*"].contains(&token.as_str())
        };
        let token = self.crawler.tokens().iter().find(is_unmatchable)?;
        Some(format!(
            "in `google` no user-agent line can name `{}`: there a name has only letters, `-` and `_`",
            start_of(token.as_str())
        ))
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
            obeys: Option<Obeys>,
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
            obeys: self.known.map(KnownCrawler::obeys),
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
    /// No crawler fetches for a purpose of this name, and no operator has it.
    UnknownPurpose {
        /// The name, and the names of purposes.
        unknown: UnknownName,
        /// Operators with names near it, the nearest first.
        near: Vec<&'static str>,
    },
    /// No crawler in use has this operator.
    UnknownOperator {
        /// The name.
        name: String,
        /// Operators with names near it, the nearest first.
        near: Vec<&'static str>,
    },
    /// There are several crawlers where one is needed.
    Several {
        /// The query, as people write it.
        query: String,
        /// How many there are.
        count: usize,
    },
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
            Self::UnknownPurpose { unknown, near } => {
                let (text, known) = (start_of(unknown.text()), unknown.expected().join(", "));
                write!(
                    f,
                    "`{text}` is no purpose and no operator; the purposes are {known}"
                )?;
                Near(near).fmt(f)
            }
            Self::UnknownOperator { name, near } => {
                let name = start_of(name);
                write!(f, "no known crawler in use has the operator `{name}`")?;
                Near(near).fmt(f)
            }
            Self::Several { query, count } => {
                write!(
                    f,
                    "`{query}` names {count} crawlers, and one is needed here"
                )
            }
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

/// Operators of a similar name, at the end of a message.
struct Near<'n>(&'n [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            near => write!(f, "; operators of a similar name: {}", near.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const RFC9309: Reading = Reading::of(Dialect::Rfc9309);

    #[test]
    fn similar_names_are_suggested_for_unknown_ones() {
        let note = |name: &str| {
            let resolved = ResolvedCrawler::of_name(name, RFC9309).unwrap();
            resolved.likely_misspelling()
        };
        let of_googelbot = note("Googelbot").unwrap();
        let start = "`Googelbot` is not in the registry; did you mean Googlebot";
        assert!(of_googelbot.starts_with(start), "{of_googelbot}");
        for name in ["Googlebot", "ExampleBot", "FooBot", &"x".repeat(65)] {
            assert_eq!(note(name), None, "{name}");
        }
        let token = ResolvedCrawler::of_token("Googelbot", RFC9309).unwrap();
        assert_eq!(token.likely_misspelling(), None);
    }

    /// GL-agent-1, GL-agent-3: no user-agent line can name a crawler whose name has digits.
    #[test]
    fn a_name_that_no_google_line_can_match_is_noted() {
        let note = |name: &str, dialect: Dialect| {
            let resolved = ResolvedCrawler::of_name(name, dialect.into()).unwrap();
            resolved.unmatchable(dialect.into())
        };
        for (name, is_noted) in [
            ("MJ12bot", true),
            ("Foo2", true),
            ("Googlebot/2.1", true),
            ("Foo_Bar-x", false),
            ("googlebot", false),
            ("*", false),
            ("", false),
        ] {
            assert_eq!(note(name, Dialect::Google).is_some(), is_noted, "{name}");
        }
        assert_eq!(note("MJ12bot", Dialect::Rfc9309), None);
        assert_eq!(
            ResolvedCrawler::unnamed().unmatchable(Dialect::Google.into()),
            None
        );
    }

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
    fn an_operator_names_all_its_crawlers_that_are_in_use() {
        for operator in Registry::bundled().operators() {
            let crawlers = Registry::bundled().by_operator(operator);
            let in_use: Vec<_> = crawlers.filter(|it| !it.is_retired()).collect();
            let resolved = ResolvedCrawler::of_operator(operator).unwrap_or_default();
            let resolved: Vec<_> = resolved.iter().map(ResolvedCrawler::label).collect();
            let names: Vec<_> = in_use.iter().map(|it| it.name()).collect();
            assert_eq!(resolved, names, "{operator}");
            let query = format!("@{operator}").parse();
            match names.len() {
                0 => {
                    assert!(query.is_err(), "{operator}");
                    let name = Ok(CrawlerQuery::Name(operator.to_owned()));
                    assert_eq!(operator.parse(), name, "{operator}");
                }
                _ => assert_eq!(query, Ok(CrawlerQuery::Operator(operator.to_owned()))),
            }
        }
        // A product token comes before an operator of the same name.
        let token = "Yandex".parse();
        assert_eq!(token, Ok(CrawlerQuery::Name("Yandex".to_owned())));
        let error = ResolvedCrawler::of_operator("OpnAI")
            .unwrap_err()
            .to_string();
        let expected = "no known crawler in use has the operator `OpnAI`; operators of a similar \
                        name: OpenAI";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_query_is_read_as_people_write_it() {
        let read = |text: &str| text.parse::<CrawlerQuery>();
        assert_eq!(read("@search"), Ok(CrawlerQuery::Purpose(Purpose::Search)));
        for name in ["Googlebot-News", "gptbot", "FooBot", "openai", "x", "*", ""] {
            assert_eq!(read(name), Ok(CrawlerQuery::Name(name.to_owned())));
        }
        let openai = Ok(CrawlerQuery::Operator("OpenAI".to_owned()));
        assert_eq!(read("OpenAI"), openai);
        let operator = read("@internet archive").unwrap();
        assert_eq!(
            operator,
            CrawlerQuery::Operator("internet archive".to_owned())
        );
        let one = operator.resolve_one(RFC9309).unwrap_err().to_string();
        let count = operator.resolve(RFC9309).unwrap().len();
        let expected =
            format!("`@internet archive` names {count} crawlers, and one is needed here");
        assert_eq!(one, expected);
        for (text, start, end) in [
            (
                "@gptbot",
                "`gptbot` is no purpose and no operator; the purposes are ads, ",
                "triggered",
            ),
            (
                "@opnai",
                "`opnai` is no",
                "; operators of a similar name: OpenAI",
            ),
            ("@", "`` is no", "triggered"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(start) && error.ends_with(end), "{error}");
        }
        for text in ["@ai-train", "@OpenAI", "googlebot", "FooBot"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
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
