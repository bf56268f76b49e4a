//! Converts the agent argument to a crawler.

use magnus::value::ReprValue;
use magnus::{Error, RArray, RString, Ruby, TryConvert, Value};
use verger::Dialect;
use verger_answer::{CrawlerQueryError, ResolvedCrawler};

use crate::bytes::{string, text};
use crate::exception::type_error;
use crate::known_crawler::Crawler;
use crate::product_token::{ProductToken, token_error};

const EXPECTED: &str = "String, Array of them, Verger::ProductToken or Verger::Crawler";

/// Converts `agent` to a crawler: a string, an array of strings and tokens in order, a token, or an
/// entry of the registry. In `google` any string is a name. In other dialects it is a product token
/// or `*`.
///
/// # Errors
///
/// Returns `TypeError` for other types, `ArgumentError` for an empty array, and
/// `Verger::ProductTokenError` for a string that is not a product token, except in `google`.
pub(crate) fn crawler(
    ruby: &Ruby,
    agent: Value,
    dialect: Dialect,
) -> Result<verger::Crawler, Error> {
    if let Some(name) = RString::from_value(agent) {
        let crawler = verger::Crawler::named(&text(name), dialect);
        return crawler.map_err(|error| token_error(ruby, &error, agent));
    }
    if let Some(agents) = RArray::from_value(agent) {
        return in_order(ruby, agents, dialect);
    }
    if let Some(token) = product_token(agent) {
        return Ok(verger::Crawler::from(token.token().clone()));
    }
    <&Crawler>::try_convert(agent)
        .map(Crawler::crawler)
        .map_err(|_| type_error(ruby, agent, EXPECTED))
}

/// Converts `agent` like [`crawler`], and keeps the name it was given by.
pub(crate) fn resolved(
    ruby: &Ruby,
    agent: Value,
    dialect: Dialect,
) -> Result<ResolvedCrawler, Error> {
    let reading = dialect.into();
    let resolved = if let Some(name) = RString::from_value(agent) {
        ResolvedCrawler::from_token(&text(name), reading)
    } else if let Some(agents) = RArray::from_value(agent) {
        ResolvedCrawler::from_tokens(&names(ruby, agents)?, reading)
    } else if let Some(token) = product_token(agent) {
        ResolvedCrawler::from_token(token.token().as_str(), reading)
    } else {
        let known = <&Crawler>::try_convert(agent);
        let known = known.map_err(|_| type_error(ruby, agent, EXPECTED))?;
        return Ok(known.resolved());
    };
    resolved.map_err(|error| query_error(ruby, &error, agent))
}

pub(crate) fn strings(ruby: &Ruby, array: RArray) -> Result<Vec<String>, Error> {
    let mut texts = Vec::with_capacity(array.len());
    for nth in 0..array.len() {
        let entry: Value = array.entry(nth.cast_signed())?;
        texts.push(text(string(ruby, entry)?));
    }
    Ok(texts)
}

fn in_order(ruby: &Ruby, agents: RArray, dialect: Dialect) -> Result<verger::Crawler, Error> {
    let resolved = ResolvedCrawler::from_tokens(&names(ruby, agents)?, dialect.into());
    let resolved = resolved.map_err(|error| query_error(ruby, &error, agents.as_value()))?;
    Ok(resolved.crawler().clone())
}

/// Creates the exception for a query that matches no crawler or too many. `given` is as for
/// [`token_error`].
pub(crate) fn query_error(ruby: &Ruby, error: &CrawlerQueryError, given: Value) -> Error {
    match error {
        CrawlerQueryError::NotAToken(error) => token_error(ruby, error, given),
        error => Error::new(ruby.exception_arg_error(), error.to_string()),
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
