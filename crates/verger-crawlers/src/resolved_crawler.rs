use std::fmt;

use crate::known_crawler::KnownCrawler;
use crate::near_miss::misspelling;
use crate::obeys::Obeys;
use crate::purpose::Purpose;
use crate::registry::Registry;
use crate::user_agent_header::UserAgentHeader;
use serde::{Serialize, Serializer};
use verger::dialect::AgentValue;
use verger::{
    Crawler, Dialect, ProductToken, ProductTokenError, Reading, RobotsTxt, Shortened, Star,
};

use crate::crawler_query_error::CrawlerQueryError;
use crate::read_as::ReadAs;

/// A crawler and how the query named it.
#[derive(Clone, Debug)]
pub struct ResolvedCrawler {
    name: String,
    known: Option<&'static KnownCrawler>,
    crawler: Crawler,
    named_as: NamedAs,
    /// The dialect of its operator, if it is judged in it.
    dialect: Option<Dialect>,
}

/// Maximum length in bytes of a name to compare with the registry's names.
const NAME_BYTES_MAX: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedAs {
    Nothing,
    /// One of the crawlers of a purpose or an operator.
    Listed,
    Name,
    /// A literal product token.
    Token,
    InOrder,
    /// Several names at once.
    Union,
    Header,
}

impl ResolvedCrawler {
    /// Returns a crawler that no group names.
    #[must_use]
    pub fn unnamed() -> Self {
        Self {
            name: "*".to_owned(),
            known: None,
            crawler: Crawler::unnamed(),
            named_as: NamedAs::Nothing,
            dialect: None,
        }
    }

    /// Resolves a bare name: a name on a user-agent line, a registry name, or a product token, in
    /// this order.
    ///
    /// A registry name that is not a token of its crawler (`kangaroo-bot` looks up `Kangaroo`) is
    /// looked up before the tokens, so a user-agent line with that name applies.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is neither. In `google` every text is a token.
    pub fn from_name(name: &str, read_as: impl Into<ReadAs>) -> Result<Self, CrawlerQueryError> {
        let read_as = read_as.into();
        let Some(known) = Registry::bundled().by_name(name) else {
            return Ok(Self {
                named_as: NamedAs::Name,
                ..Self::from_token(name, read_as.reading())?
            });
        };
        let mut resolved = Self::of_entry(known, name, NamedAs::Name).judged(read_as);
        if !is_token(known.own_token(), name)
            && let Ok(written) = ProductToken::new(name)
        {
            let tokens = std::iter::once(&written).chain(known.tokens());
            let star = star_of(&resolved.crawler);
            resolved.crawler = Crawler::new(tokens.cloned()).star(star);
        }
        Ok(resolved)
    }

    /// Returns the crawler of a product token, known or not.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a token. In `google` every text is one.
    pub fn from_token(token: &str, reading: Reading) -> Result<Self, CrawlerQueryError> {
        let crawler = Crawler::named(token, reading).map_err(CrawlerQueryError::NotAToken)?;
        Ok(Self {
            name: token.to_owned(),
            known: None,
            crawler,
            named_as: NamedAs::Token,
            dialect: None,
        })
    }

    /// Returns the crawler that looks up these product tokens in order, known or not.
    ///
    /// # Errors
    ///
    /// Returns an error if the list is empty or a text is not a token. In `google` every text is
    /// one.
    pub fn from_tokens(tokens: &[String], reading: Reading) -> Result<Self, CrawlerQueryError> {
        if tokens.is_empty() {
            return Err(CrawlerQueryError::NoTokens);
        }
        let crawler = Crawler::named_in_order(tokens.iter().map(String::as_str), reading);
        Ok(Self {
            name: tokens.join(", "),
            known: None,
            crawler: crawler.map_err(CrawlerQueryError::NotAToken)?,
            named_as: NamedAs::InOrder,
            dialect: None,
        })
    }

    /// Returns the crawler of all these names at once, known or not ([`Crawler::union`]).
    ///
    /// # Errors
    ///
    /// Returns an error if the list is empty or the dialect is not `google`.
    pub fn from_union(names: &[String], reading: Reading) -> Result<Self, CrawlerQueryError> {
        if names.is_empty() {
            return Err(CrawlerQueryError::NoTokens);
        }
        let crawler = Crawler::union(names.iter().map(String::as_str), reading);
        Ok(Self {
            name: names.join(", "),
            known: None,
            crawler: crawler.map_err(CrawlerQueryError::NoUnion)?,
            named_as: NamedAs::Union,
            dialect: None,
        })
    }

    /// Returns the known crawler that a `User-Agent` header names.
    ///
    /// # Errors
    ///
    /// Returns an error if the header names none.
    pub fn from_header(text: &str) -> Result<Self, CrawlerQueryError> {
        let header = UserAgentHeader::new(text);
        if let Some(known) = Registry::bundled().named_by(&header) {
            return Ok(Self::of_entry(known, text, NamedAs::Header));
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

    /// Returns the known crawlers in use, in registry order.
    #[must_use]
    pub fn all_in_use() -> Vec<Self> {
        Self::in_use(Registry::bundled().iter())
    }

    /// Returns the known crawlers in use with this purpose, in registry order.
    #[must_use]
    pub fn from_purpose(purpose: Purpose) -> Vec<Self> {
        Self::in_use(Registry::bundled().by_purpose(purpose))
    }

    /// Returns the known crawlers in use of an operator, in registry order.
    ///
    /// # Errors
    ///
    /// Returns an error if there are none.
    pub fn from_operator(name: &str) -> Result<Vec<Self>, CrawlerQueryError> {
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
        let resolved = in_use.map(|known| Self::from_known(known, known.name()));
        resolved.collect()
    }

    /// Returns a known crawler, listed under one of its names.
    #[must_use]
    pub fn from_known(known: &'static KnownCrawler, name: &str) -> Self {
        Self::of_entry(known, name, NamedAs::Listed)
    }

    fn of_entry(known: &'static KnownCrawler, name: &str, named_as: NamedAs) -> Self {
        Self {
            name: name.to_owned(),
            known: Some(known),
            crawler: known.crawler(),
            named_as,
            dialect: Some(known.dialect()),
        }
    }

    /// Returns the crawler, judged as `read_as` says. Known crawlers are judged as their operator
    /// reads, unless a dialect is stated.
    #[must_use]
    pub fn judged(mut self, read_as: ReadAs) -> Self {
        self.dialect = match read_as {
            ReadAs::Stated(_) => None,
            ReadAs::Operator(_) => self.known.map(KnownCrawler::dialect),
        };
        self
    }

    /// Returns the reading in which the crawler is judged: `of_file` in the dialect of its operator,
    /// or `of_file` itself.
    #[must_use]
    pub fn reading(&self, of_file: Reading) -> Reading {
        match self.dialect {
            Some(dialect) if dialect != of_file.dialect() => of_file.in_dialect(dialect),
            _ => of_file,
        }
    }

    /// Sets whether the crawler obeys `*` groups.
    #[must_use]
    pub fn star(mut self, star: Star) -> Self {
        self.crawler = self.crawler.star(star);
        self
    }

    /// Returns the name, token or header of the query, or `*` for an unnamed crawler.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the registry entry, if any.
    #[must_use]
    pub fn known(&self) -> Option<&'static KnownCrawler> {
        self.known
    }

    /// Returns the crawler for the engine.
    #[must_use]
    pub fn crawler(&self) -> &Crawler {
        &self.crawler
    }

    /// Returns whether the crawler comes from a purpose, an operator or the list of all known
    /// crawlers.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.named_as == NamedAs::Listed
    }

    /// Returns `as Google reads it` if the crawler is judged as its operator reads, and that is not
    /// by RFC 9309.
    #[must_use]
    pub fn as_its_operator_reads(&self) -> Option<String> {
        let known = self.known?;
        let dialect = self.dialect.filter(|it| *it != Dialect::Rfc9309);
        dialect.map(|_| format!("as {} reads it", known.operator()))
    }

    /// Returns the crawler's own tokens, without those it falls back to. Empty if it is not named.
    #[must_use]
    pub fn own_tokens(&self) -> &[ProductToken] {
        let tokens = self.crawler.tokens();
        let is_own = |token| match self.known {
            Some(known) => token == known.own_token(),
            None => true,
        };
        let own = tokens.iter().position(is_own).map_or(0, |at| at + 1);
        &tokens[..own]
    }

    /// Returns the same crawler in another reading.
    ///
    /// # Errors
    ///
    /// Returns an error if its literal name is not a product token there.
    pub fn in_reading(&self, reading: Reading) -> Result<Crawler, ProductTokenError> {
        let tokens = || self.crawler.tokens().iter().map(ProductToken::as_str);
        let crawler = match (self.known, self.named_as) {
            (None, NamedAs::Name | NamedAs::Token) => Crawler::named(&self.name, reading),
            (None, NamedAs::InOrder) => Crawler::named_in_order(tokens(), reading),
            // A dialect without unions looks up the names in order.
            (None, NamedAs::Union) => Crawler::union(tokens(), reading)
                .or_else(|_| Crawler::named_in_order(tokens(), reading)),
            _ => return Ok(self.crawler.clone()),
        };
        Ok(crawler?.star(star_of(&self.crawler)))
    }

    /// Describes the tokens that a name or header resolved to, if they differ from the name:
    /// `googlebot-news → Googlebot-News, Googlebot, *`. Returns `None` for listed crawlers.
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

    /// Returns a warning if neither the registry nor `files` know the name but a similar one
    /// exists. Returns `None` for literal tokens.
    #[must_use]
    pub fn likely_misspelling(&self, files: &[&RobotsTxt]) -> Option<String> {
        let (name, meant) = (Shortened(&self.name), self.likely_meant(files)?);
        Some(format!("unknown crawler `{name}`: did you mean {meant}?"))
    }

    /// Returns the similar name behind [`Self::likely_misspelling`].
    #[must_use]
    pub fn likely_meant(&self, files: &[&RobotsTxt]) -> Option<String> {
        let is_unknown_name = self.known.is_none()
            && self.named_as == NamedAs::Name
            && self.name.len() <= NAME_BYTES_MAX;
        if !is_unknown_name || files.iter().any(|file| has_line_for(file, &self.crawler)) {
            return None;
        }
        let name = self.name.as_str();
        let registry = Registry::bundled();
        let mut operators = registry.operators().into_iter();
        let operator = operators.find(|it| it.eq_ignore_ascii_case(name));
        Some(match (operator, registry.misspelt(name)) {
            (Some(operator), _) => format!("`@{operator}`, the crawlers of that operator"),
            (None, Some(known)) => known.own_token().to_string(),
            (None, None) => near_line(files, name)?,
        })
    }

    /// Returns a note if the operator states that the crawler does not obey robots.txt, such as
    /// fetchers on behalf of users. G-1-2.
    #[must_use]
    pub fn not_bound(&self) -> Option<String> {
        let known = self.known.filter(|it| it.obeys() == Obeys::No)?;
        Some(format!(
            "{} does not obey robots.txt, according to {}",
            known.name(),
            known.operator()
        ))
    }

    /// Returns a note if no user-agent line can match a token of the crawler in this reading. In
    /// `google` a name ends before the first byte other than a letter, `-` or `_`, so nothing
    /// matches `MJ12bot`. V-7, GL-agent-1, GL-agent-3.
    #[must_use]
    pub fn unmatchable(&self, reading: Reading) -> Option<String> {
        if reading.agent_value() != AgentValue::GoogleIdentifier {
            return None;
        }
        let is_unmatchable = |token: &&ProductToken| {
            // `*` stands for no name, and in `google` the empty text for an empty line.
            !token.is_identifier() && !["", "*"].contains(&token.as_str())
        };
        let token = self.crawler.tokens().iter().find(is_unmatchable)?;
        Some(format!(
            "no user-agent line can name `{}` in `google`: names have only letters, `-` and `_` there",
            Shortened(token.as_str())
        ))
    }

    /// Returns a short label: the registry name of a header, or the text of the query.
    #[must_use]
    pub fn label(&self) -> &str {
        match (self.known, self.named_as) {
            (Some(known), NamedAs::Header) => known.name(),
            _ => &self.name,
        }
    }

    fn is_its_only_token(&self) -> bool {
        matches!(self.crawler.tokens(), [token] if is_token(token, &self.name))
            && self.crawler.honours_star()
    }
}

fn star_of(crawler: &Crawler) -> Star {
    if crawler.honours_star() {
        Star::Honoured
    } else {
        Star::Ignored
    }
}

fn is_token(token: &ProductToken, name: &str) -> bool {
    token.as_str().eq_ignore_ascii_case(name)
}

/// Returns whether a user-agent line names the crawler.
fn has_line_for(file: &RobotsTxt, crawler: &Crawler) -> bool {
    let found = file.groups_for(crawler);
    found.is_some_and(|groups| groups.token().is_some())
}

/// Returns the name on a user-agent line that `name` probably misspells.
fn near_line(files: &[&RobotsTxt], name: &str) -> Option<String> {
    let groups = files.iter().flat_map(|file| file.groups());
    let lines = groups.flat_map(|group| group.user_agents().collect::<Vec<_>>());
    let near = lines.filter_map(|line| {
        let written = std::str::from_utf8(line.value()).ok()?;
        let is_short = written.len() <= NAME_BYTES_MAX;
        let distance = is_short.then(|| misspelling(name, written))??;
        // A distance of 0 is a name that cannot match, such as `*` or, in `google`, one with a
        // digit.
        (distance > 0).then_some((distance, written))
    });
    near.min().map(|(_, written)| written.to_owned())
}

/// Tokens in order, then `*` if honored.
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
    /// Serializes the key `crawler` of `docs/json.md`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Keys<'c> {
            registry_name: Option<&'c str>,
            tokens: Vec<&'c str>,
            star: &'static str,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            union: bool,
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
            union: self.crawler.is_union(),
            obeys: self.known.map(KnownCrawler::obeys),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const RFC9309: Reading = Reading::new(Dialect::Rfc9309);

    #[test]
    fn similar_names_are_suggested_for_unknown_ones() {
        let note = |name: &str| {
            let resolved = ResolvedCrawler::from_name(name, RFC9309).unwrap();
            let body = "User-agent: homegrown\nUser-agent: Gogglebot\nUser-agent: *\nDisallow: /";
            resolved.likely_misspelling(&[&RobotsTxt::parse(body, RFC9309)])
        };
        for (name, meant) in [
            ("Googelbot", "Googlebot"),
            ("homegrwn", "homegrown"),
            ("bingbto", "bingbot"),
            ("CCBto", "CCBot"),
            ("OpenAI", "`@OpenAI`, the crawlers of that operator"),
        ] {
            let said = format!("unknown crawler `{name}`: did you mean {meant}?");
            assert_eq!(note(name), Some(said));
        }
        // Names on user-agent lines are known.
        for name in [
            "Googlebot",
            "gogglebot",
            "ExampleBot",
            "FooBot",
            "*",
            &"x".repeat(65),
        ] {
            assert_eq!(note(name), None, "{name}");
        }
        let google = Reading::new(Dialect::Google);
        let named = ResolvedCrawler::from_name("GPTBot/1.0", google).unwrap();
        let file = RobotsTxt::parse("User-agent: GPTBot/1.0\nDisallow: /", google);
        assert_eq!(named.likely_misspelling(&[&file]), None);
        let token = ResolvedCrawler::from_token("Googelbot", RFC9309).unwrap();
        assert_eq!(token.likely_misspelling(&[]), None);
    }

    #[test]
    fn a_registry_name_on_a_line_is_that_line() {
        let resolved = ResolvedCrawler::from_name("Kangaroo-Bot", RFC9309).unwrap();
        let names = |tokens: &[ProductToken]| {
            let names = tokens.iter().map(|it| it.as_str().to_owned());
            names.collect::<Vec<_>>()
        };
        assert_eq!(
            names(resolved.crawler().tokens()),
            ["Kangaroo-Bot", "Kangaroo"]
        );
        assert_eq!(resolved.own_tokens(), resolved.crawler().tokens());
        let news = ResolvedCrawler::from_name("googlebot-news", RFC9309).unwrap();
        assert_eq!(names(news.own_tokens()), ["Googlebot-News"]);
        let literal = ResolvedCrawler::from_tokens(&["a".to_owned(), "b".to_owned()], RFC9309);
        assert_eq!(names(literal.unwrap().own_tokens()), ["a"]);
        assert!(ResolvedCrawler::unnamed().own_tokens().is_empty());
    }

    /// GL-agent-1, GL-agent-3.
    #[test]
    fn a_name_that_no_google_line_can_match_is_noted() {
        let note = |name: &str, dialect: Dialect| {
            let resolved = ResolvedCrawler::from_name(name, dialect).unwrap();
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
                let named = ResolvedCrawler::from_name(name, RFC9309).unwrap();
                let bare = ResolvedCrawler::from_token(name, RFC9309).unwrap();
                assert_eq!(bare.resolution(), None);
                let differs = named.crawler != bare.crawler;
                assert_eq!(named.resolution().is_some(), differs, "{name}");
                shown += usize::from(differs);
            }
        }
        assert!(shown > 20);
    }

    #[test]
    fn tokens_are_taken_literally_and_in_order() {
        let tokens = ["b".to_owned(), "Googlebot-News".to_owned()];
        let resolved = ResolvedCrawler::from_tokens(&tokens, RFC9309).unwrap();
        let names: Vec<_> = resolved.crawler().tokens().iter().collect();
        assert_eq!(
            names.iter().map(|it| it.as_str()).collect::<Vec<_>>(),
            tokens
        );
        assert!(resolved.known().is_none());
        let again = resolved.in_reading(Dialect::Google.into()).unwrap();
        assert_eq!(again.tokens().len(), 2);
        let google = Dialect::Google.into();
        let one = ResolvedCrawler::from_tokens(&["Foo, Bar".to_owned()], google).unwrap();
        assert_eq!(one.in_reading(google).unwrap().tokens().len(), 1);
        assert!(one.in_reading(RFC9309).is_err());
        let none = ResolvedCrawler::from_tokens(&[], RFC9309).unwrap_err();
        assert_eq!(none, CrawlerQueryError::NoTokens);
    }

    #[test]
    fn a_crawler_that_ignores_star_does_so_in_every_dialect() {
        let named = ResolvedCrawler::from_token("AdsBot-Google", RFC9309).unwrap();
        let ignoring = named.star(Star::Ignored);
        assert!(!ignoring.crawler().honours_star());
        for dialect in Dialect::ALL {
            let crawler = ignoring.in_reading(Reading::new(*dialect)).unwrap();
            assert!(!crawler.honours_star(), "{dialect}");
        }
    }
}
