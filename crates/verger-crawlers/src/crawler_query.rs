use std::fmt;
use std::str::FromStr;

use crate::known_crawler::KnownCrawler;
use crate::purpose::Purpose;
use crate::registry::Registry;
use verger::Reading;

use crate::crawler_query_error::CrawlerQueryError;
use crate::read_as::ReadAs;
use crate::resolved_crawler::ResolvedCrawler;

/// A query for one or more crawlers.
///
/// ```
/// use verger_crawlers::CrawlerQuery;
/// use verger_crawlers::Purpose;
///
/// assert_eq!("@ai-train".parse(), Ok(CrawlerQuery::Purpose(Purpose::AiTrain)));
/// assert_eq!("OpenAI".parse(), Ok(CrawlerQuery::Name("OpenAI".to_owned())));
/// assert_eq!("@openai".parse(), Ok(CrawlerQuery::Operator("openai".to_owned())));
/// assert_eq!("gptbot".parse(), Ok(CrawlerQuery::Name("gptbot".to_owned())));
/// assert!("@training".parse::<CrawlerQuery>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlerQuery {
    /// A crawler that no group names.
    Unnamed,
    /// One crawler: a name on a user-agent line, a name in the registry, or a product token, in
    /// this order ([`ResolvedCrawler::from_name`]).
    Name(String),
    /// A literal product token, even if it is also a registry name.
    Token(String),
    /// Literal product tokens, in the order in which the crawler looks them up.
    TokensInOrder(Vec<String>),
    /// A `User-Agent` header that names a known crawler.
    Header(String),
    /// All known crawlers in use with this purpose, in registry order.
    Purpose(Purpose),
    /// All known crawlers in use of this operator, in registry order. Case is ignored.
    Operator(String),
}

impl FromStr for CrawlerQuery {
    type Err = CrawlerQueryError;

    /// Parses `@ai-train` as a purpose, `@openai` as an operator, and anything else as a name.
    ///
    /// # Errors
    ///
    /// Returns an error if `@` is followed by neither a known purpose nor an operator with crawlers
    /// in use. [`CrawlerQuery::resolve`] validates names, because product tokens depend on the
    /// reading.
    fn from_str(text: &str) -> Result<Self, CrawlerQueryError> {
        if let Some(name) = text.strip_prefix('@') {
            let registry = Registry::bundled();
            let in_use = |known: &KnownCrawler| !known.is_retired();
            return match name.parse() {
                Ok(purpose) => Ok(Self::Purpose(purpose)),
                Err(_) if registry.by_operator(name).any(in_use) => {
                    Ok(Self::Operator(name.to_owned()))
                }
                Err(unknown) => {
                    let mut near = Purpose::suggest(name);
                    near.extend(registry.suggest_operators(name));
                    Err(CrawlerQueryError::UnknownPurpose { unknown, near })
                }
            };
        }
        Ok(Self::Name(text.to_owned()))
    }
}

impl CrawlerQuery {
    /// Returns the crawlers: one or more for a purpose or an operator, otherwise exactly one.
    ///
    /// # Errors
    ///
    /// Returns an error if a text is not a product token (in `google` every text is one), a header
    /// names no known crawler, or an operator has no crawlers in use.
    pub fn resolve(
        &self,
        read_as: impl Into<ReadAs>,
    ) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        let read_as = read_as.into();
        let resolved = self.resolved(read_as.reading())?.into_iter();
        Ok(resolved.map(|it| it.judged(read_as)).collect())
    }

    fn resolved(&self, reading: Reading) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        Ok(vec![match self {
            Self::Purpose(purpose) => return Ok(ResolvedCrawler::from_purpose(*purpose)),
            Self::Operator(name) => return ResolvedCrawler::from_operator(name),
            Self::Unnamed => ResolvedCrawler::unnamed(),
            Self::Name(name) => ResolvedCrawler::from_name(name, reading)?,
            Self::Token(token) => ResolvedCrawler::from_token(token, reading)?,
            Self::TokensInOrder(tokens) => ResolvedCrawler::from_tokens(tokens, reading)?,
            Self::Header(header) => ResolvedCrawler::from_header(header)?,
        }])
    }

    /// Resolves several queries in order. A crawler that several purposes and operators match, or
    /// that an earlier query names, appears once.
    ///
    /// # Errors
    ///
    /// Returns the first error of [`CrawlerQuery::resolve`], with its query.
    pub fn resolve_all(
        queries: &[Self],
        read_as: impl Into<ReadAs>,
    ) -> Result<Vec<ResolvedCrawler>, (&Self, CrawlerQueryError)> {
        let read_as = read_as.into();
        let mut all: Vec<ResolvedCrawler> = Vec::new();
        for query in queries {
            let mut resolved = query.resolve(read_as).map_err(|error| (query, error))?;
            if matches!(query, Self::Purpose(_) | Self::Operator(_)) {
                let name = |it: &ResolvedCrawler| it.known().map(KnownCrawler::name);
                resolved.retain(|listed| all.iter().all(|named| name(named) != name(listed)));
            }
            all.append(&mut resolved);
        }
        Ok(all)
    }

    /// Resolves a query for exactly one crawler.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`CrawlerQuery::resolve`], or an error if there are several crawlers.
    pub fn resolve_one(
        &self,
        read_as: impl Into<ReadAs>,
    ) -> Result<ResolvedCrawler, CrawlerQueryError> {
        let mut resolved = self.resolve(read_as)?;
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
    /// Writes the query as users write it, with commas between tokens in order.
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

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const RFC9309: Reading = Reading::new(Dialect::Rfc9309);

    fn labels(query: &CrawlerQuery) -> Vec<String> {
        let crawlers = query.resolve(RFC9309).unwrap();
        let labels = crawlers.iter().map(|it| it.label().to_owned());
        labels.collect()
    }

    #[test]
    fn a_header_names_a_known_crawler() {
        let header = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)";
        assert_eq!(labels(&CrawlerQuery::Header(header.to_owned())), ["gptbot"]);
        // Both names have eleven letters, and the first one is the product.
        let command = "Claude-User (claude-code/2.1.83; +https://support.anthropic.com/)";
        let asked = CrawlerQuery::Header(command.to_owned());
        assert_eq!(labels(&asked), ["claude-user"]);
        let unknown = CrawlerQuery::Header("FooBot/1.0".to_owned());
        let error = unknown.resolve(RFC9309).unwrap_err().to_string();
        let expected = "no known crawler is named in the header `FooBot/1.0`: its token is \
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
            let resolved = ResolvedCrawler::from_operator(operator).unwrap_or_default();
            let resolved: Vec<_> = resolved.iter().map(ResolvedCrawler::label).collect();
            let names: Vec<_> = in_use.iter().map(|it| it.name()).collect();
            assert_eq!(resolved, names, "{operator}");
            let query = format!("@{operator}").parse();
            match names.len() {
                0 => assert!(query.is_err(), "{operator}"),
                _ => assert_eq!(query, Ok(CrawlerQuery::Operator(operator.to_owned()))),
            }
            // Without `@` it names one crawler.
            let name = Ok(CrawlerQuery::Name(operator.to_owned()));
            assert_eq!(operator.parse(), name, "{operator}");
        }
        let error = ResolvedCrawler::from_operator("OpnAI")
            .unwrap_err()
            .to_string();
        let expected = "no known crawler in use has the operator `OpnAI`; did you mean `@OpenAI`?";
        assert_eq!(error, expected);
    }

    #[test]
    fn a_query_is_read_as_people_write_it() {
        let read = |text: &str| text.parse::<CrawlerQuery>();
        assert_eq!(read("@search"), Ok(CrawlerQuery::Purpose(Purpose::Search)));
        for name in ["Googlebot-News", "gptbot", "FooBot", "OpenAI", "x", "*", ""] {
            assert_eq!(read(name), Ok(CrawlerQuery::Name(name.to_owned())));
        }
        let operator = read("@internet archive").unwrap();
        assert_eq!(
            operator,
            CrawlerQuery::Operator("internet archive".to_owned())
        );
        let one = operator.resolve_one(RFC9309).unwrap_err().to_string();
        let count = operator.resolve(RFC9309).unwrap().len();
        let expected = format!(
            "`@internet archive` names {count} crawlers, but exactly one is needed: use its name"
        );
        assert_eq!(one, expected);
        for (text, start, end) in [
            (
                "@gptbot",
                "`@gptbot` is neither a purpose nor an operator: the purposes are ads, ",
                "triggered",
            ),
            ("@opnai", "`@opnai` is neither", "; did you mean `@OpenAI`?"),
            (
                "@ai-trian",
                "`@ai-trian` is neither",
                "; did you mean `@ai-train`?",
            ),
            ("@", "`@` is neither", "triggered"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(start) && error.ends_with(end), "{error}");
        }
        for text in ["@ai-train", "@OpenAI", "googlebot", "FooBot"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_text_may_be_a_token_in_one_dialect_only() {
        let query = CrawlerQuery::Name("no token/1".to_owned());
        let error = query.resolve(RFC9309).unwrap_err();
        assert!(matches!(error, CrawlerQueryError::NotAToken(_)), "{error}");
        let google = query.resolve(Dialect::Google).unwrap();
        assert!(google[0].in_reading(RFC9309).is_err());
    }
}
