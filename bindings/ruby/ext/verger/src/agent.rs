//! The crawler that an argument names.

use magnus::{Error, RArray, RString, Ruby, TryConvert, Value};
use verger::Dialect;
use verger_answer::{CrawlerQueryError, ResolvedCrawler};

use crate::exception::type_error;
use crate::known_crawler::Crawler;
use crate::octets::text;
use crate::product_token::{ProductToken, token_error};

const EXPECTED: &str = "String, Array of them, Verger::ProductToken or Verger::Crawler";

/// The crawler that `agent` is: a string, several strings and tokens in order, a token, or an entry
/// of the registry. In `google` every string is a name; elsewhere it is a product token or `*`.
///
/// # Errors
///
/// `TypeError` for anything else, `ArgumentError` for an empty array, and
/// `Verger::ProductTokenError` for a string that is not a product token, outside `google`.
pub(crate) fn crawler(
    ruby: &Ruby,
    agent: Value,
    dialect: Dialect,
) -> Result<verger::Crawler, Error> {
    if let Some(name) = RString::from_value(agent) {
        let crawler = verger::Crawler::named(&text(name), dialect);
        return crawler.map_err(|error| token_error(ruby, &error));
    }
    if let Some(agents) = RArray::from_value(agent) {
        return in_order(ruby, &names(ruby, agents)?, dialect);
    }
    if let Some(token) = product_token(agent) {
        return Ok(verger::Crawler::from(token.token().clone()));
    }
    <&Crawler>::try_convert(agent)
        .map(Crawler::crawler)
        .map_err(|_| type_error(ruby, agent, EXPECTED))
}

fn in_order(ruby: &Ruby, names: &[String], dialect: Dialect) -> Result<verger::Crawler, Error> {
    match ResolvedCrawler::of_tokens(names, dialect.into()) {
        Ok(resolved) => Ok(resolved.crawler().clone()),
        Err(CrawlerQueryError::NotAToken(error)) => Err(token_error(ruby, &error)),
        Err(error) => Err(Error::new(ruby.exception_arg_error(), error.to_string())),
    }
}

fn names(ruby: &Ruby, agents: RArray) -> Result<Vec<String>, Error> {
    let mut names = Vec::with_capacity(agents.len());
    for nth in 0..agents.len() {
        let agent: Value = agents.entry(nth.cast_signed())?;
        names.push(match (RString::from_value(agent), product_token(agent)) {
            (Some(name), _) => text(name),
            (None, Some(token)) => token.token().as_str().to_owned(),
            (None, None) => return Err(type_error(ruby, agent, "String or Verger::ProductToken")),
        });
    }
    Ok(names)
}

fn product_token(agent: Value) -> Option<&'static ProductToken> {
    <&ProductToken>::try_convert(agent).ok()
}
