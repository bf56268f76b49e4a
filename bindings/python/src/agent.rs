//! Converts the agent argument to a crawler.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySequence, PyString};
use verger::Reading;
use verger_answer::{CrawlerQueryError, ReadAs, ResolvedCrawler};

use crate::bytes::{bytes, name};
use crate::exception::token_error;
use crate::known_crawler::Crawler;
use crate::product_token::ProductToken;
use crate::type_error::type_error;

const EXPECTED: &str = "str, ProductToken, Crawler or a sequence of str and ProductToken";

/// Converts `agent` to a crawler for the engine.
///
/// `agent` is a string, a sequence of strings and tokens in order, a token, or an entry of the
/// registry. In `google` any string is a name. In other dialects it is a product token or `*`.
///
/// # Errors
///
/// Returns `TypeError` for other types, `ValueError` for an empty sequence, and
/// `verger.ProductTokenError` for a string that is not a product token, except in `google`.
pub(crate) fn crawler(agent: &Bound<'_, PyAny>, reading: Reading) -> PyResult<verger::Crawler> {
    if agent.cast::<PyString>().is_ok() {
        let bytes = bytes(agent)?;
        let crawler = verger::Crawler::named(&String::from_utf8_lossy(&bytes), reading);
        return crawler.map_err(|error| token_error(agent.py(), &error));
    }
    if let Ok(known) = agent.cast::<Crawler>() {
        return Ok(known.get().known().crawler());
    }
    Ok(resolved(agent, reading)?.crawler().clone())
}

/// Converts `agent` like [`crawler`], and keeps the names it was given by. An entry of the registry is
/// judged as `read_as` says.
pub(crate) fn resolved(
    agent: &Bound<'_, PyAny>,
    read_as: impl Into<ReadAs>,
) -> PyResult<ResolvedCrawler> {
    let (py, read_as) = (agent.py(), read_as.into());
    let reading = read_as.reading();
    let resolved = if let Ok(known) = agent.cast::<Crawler>() {
        let known = known.get().known();
        Ok(ResolvedCrawler::from_known(known, known.name()).judged(read_as))
    } else if let Ok(token) = agent.cast::<ProductToken>() {
        ResolvedCrawler::from_token(token.get().token().as_str(), reading)
    } else if agent.cast::<PyString>().is_ok() {
        ResolvedCrawler::from_token(&name(agent)?, reading)
    } else {
        ResolvedCrawler::from_tokens(&names(agent)?, reading)
    };
    resolved.map_err(|error| match error {
        CrawlerQueryError::NotAToken(error) => token_error(py, &error),
        error => PyValueError::new_err(error.to_string()),
    })
}

fn names(agents: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let is_bytes = agents.cast::<PyBytes>().is_ok();
    // A set has no order, so the crawler would depend on the hash seed.
    let is_sequence = agents.cast::<PySequence>().is_ok() && !is_bytes;
    let (true, Ok(agents)) = (is_sequence, agents.try_iter()) else {
        return Err(type_error(agents, EXPECTED));
    };
    let mut names = Vec::new();
    for agent in agents {
        let agent = agent?;
        names.push(match agent.cast::<ProductToken>() {
            Ok(token) => token.get().token().as_str().to_owned(),
            Err(_) if agent.cast::<PyString>().is_ok() => name(&agent)?,
            Err(_) => return Err(type_error(&agent, "str or ProductToken")),
        });
    }
    Ok(names)
}
