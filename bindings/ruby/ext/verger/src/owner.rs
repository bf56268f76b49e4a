//! Tools for site owners: JSON from the libraries, which Ruby parses.

use std::fmt;

use magnus::value::ReprValue;
use magnus::{Error, RArray, RString, Ruby, TryConvert, Value};
use verger_access::{Authority, Timestamp};
use verger_answer::{CrawlerQuery, ReadAs};
use verger_compare::Budget;
use verger_html::{Given, page_facts};
use verger_lint::report::{LintSettings, PageJsonError};
use verger_owner::{FileQuestion, FileQuestionError, HistoryDetail, HistoryTextError};

use crate::agent::{query_error, strings};
use crate::bytes::{frozen_string, string, text, with_bytes};
use crate::dialect_name::dialect;
use crate::exception::internal_error;
use crate::guard::guarded;
use crate::target::target_error;

pub(crate) fn who_json(
    ruby: &Ruby,
    body: Value,
    agents: RArray,
    name: Value,
    site: Value,
    states: Value,
) -> Result<RString, Error> {
    let body = string(ruby, body)?;
    guarded(ruby, || {
        let question = limited(ruby, question(ruby, agents, name)?, site, states)?;
        answered(ruby, agents, question.who_json(copy(body)))
    })
}

pub(crate) fn diff_json(
    ruby: &Ruby,
    old: Value,
    new: Value,
    agents: RArray,
    name: Value,
    site: Value,
    states: Value,
) -> Result<RString, Error> {
    let (old, new) = (string(ruby, old)?, string(ruby, new)?);
    guarded(ruby, || {
        let question = limited(ruby, question(ruby, agents, name)?, site, states)?;
        answered(ruby, agents, question.diff_json(copy(old), copy(new)))
    })
}

pub(crate) fn parse_json(
    ruby: &Ruby,
    body: Value,
    file: Value,
    agents: RArray,
    name: Value,
) -> Result<RString, Error> {
    let (body, file) = (string(ruby, body)?, string(ruby, file)?);
    guarded(ruby, || {
        let question = question(ruby, agents, name)?;
        answered(ruby, agents, question.parse_json(&copy(file), copy(body)))
    })
}

pub(crate) fn lint_json(
    ruby: &Ruby,
    body: Value,
    file: Value,
    site: Option<Value>,
    settings: Value,
) -> Result<RString, Error> {
    let (body, file) = (string(ruby, body)?, string(ruby, file)?);
    let settings = text(string(ruby, settings)?);
    guarded(ruby, || {
        let settings = LintSettings::from_toml(&settings);
        let settings = settings.map_err(|error| argument_error(ruby, &error))?;
        let site = site.map(|url| authority(ruby, url)).transpose()?;
        let origin = site.map(|it| it.to_string());
        let line = verger_lint::report::lint_json(copy(file), copy(body), origin, &settings);
        line.map(|json| frozen_string(ruby, json.as_bytes()))
            .map_err(|error| internal_error(ruby, &error))
    })
}

pub(crate) fn page_json(
    ruby: &Ruby,
    body: Value,
    url: Value,
    agents: RArray,
    name: Value,
    (head, html): (Option<Value>, Option<Value>),
    at: Value,
) -> Result<RString, Error> {
    let (body, url) = (string(ruby, body)?, string(ruby, url)?);
    let head = head.map(|it| string(ruby, it)).transpose()?;
    let html = html.map(|it| string(ruby, it)).transpose()?;
    guarded(ruby, || {
        let question = question(ruby, agents, name)?;
        let are_text = [head, html].map(|it| it.is_some_and(is_utf8));
        let (head, html) = (head.map(copy), html.map(copy));
        let facts = page_facts(
            head.as_deref().map(|it| given(it, are_text[0])),
            html.as_deref().map(|it| given(it, are_text[1])),
        );
        let facts = facts.map_err(|error| argument_error(ruby, &error))?;
        let at = Timestamp::from_unix_seconds(number(ruby, at)?);
        let asked = (&*question.crawlers, question.read_as);
        let answer = with_bytes([body, url], |[body, url]| {
            verger_lint::report::page_json(body, asked, url, &facts, at)
        });
        match answer {
            Ok(json) => Ok(frozen_string(ruby, json.as_bytes())),
            Err(PageJsonError::Crawler(error)) => Err(query_error(ruby, &error, agents.as_value())),
            Err(PageJsonError::Url(error)) => Err(target_error(ruby, &error, url)),
            Err(error) => Err(internal_error(ruby, &error)),
        }
    })
}

pub(crate) fn history_json(
    ruby: &Ruby,
    export: Value,
    url: Value,
    since: Value,
    before: Option<Value>,
    lines: bool,
    facts: bool,
) -> Result<RString, Error> {
    let export = string(ruby, export)?;
    guarded(ruby, || {
        let site = authority(ruby, url)?;
        let since = Timestamp::from_unix_seconds(number(ruby, since)?);
        let before = before.map_or(Ok(u64::MAX), |it| number(ruby, it))?;
        let before = Timestamp::from_unix_seconds(before);
        let detail = HistoryDetail { diff: lines, facts };
        let written = with_bytes([export], |[export]| {
            verger_owner::history_json_of_export(export, &site, since..before, detail)
        });
        match written {
            Ok(json) => Ok(frozen_string(ruby, json.as_bytes())),
            Err(HistoryTextError::Import(error)) => Err(argument_error(ruby, &error)),
            Err(error) => Err(internal_error(ruby, &error)),
        }
    })
}

fn question(ruby: &Ruby, agents: RArray, name: Value) -> Result<FileQuestion, Error> {
    let agents = strings(ruby, agents)?;
    let crawlers = agents.iter().map(|agent| agent.parse::<CrawlerQuery>());
    let crawlers = crawlers.collect::<Result<_, _>>();
    let mut question = FileQuestion::default();
    question.read_as = if name.is_nil() {
        ReadAs::default()
    } else {
        dialect(ruby, name)?.into()
    };
    question.crawlers = crawlers.map_err(|error| argument_error(ruby, &error))?;
    Ok(question)
}

fn limited(
    ruby: &Ruby,
    mut question: FileQuestion,
    site: Value,
    states: Value,
) -> Result<FileQuestion, Error> {
    question.site = authority(ruby, site)?.to_string();
    question.budget = Budget::from_states(number(ruby, states)?);
    Ok(question)
}

fn answered(
    ruby: &Ruby,
    agents: RArray,
    answer: Result<String, FileQuestionError>,
) -> Result<RString, Error> {
    match answer {
        Ok(json) => Ok(frozen_string(ruby, json.as_bytes())),
        Err(FileQuestionError::Crawler(error)) => Err(query_error(ruby, &error, agents.as_value())),
        Err(error) => Err(internal_error(ruby, &error)),
    }
}

fn authority(ruby: &Ruby, url: Value) -> Result<Authority, Error> {
    let url = text(string(ruby, url)?);
    Authority::from_url(&url).map_err(|error| argument_error(ruby, &error))
}

/// Converts `value` to a number. A negative or too large number is an `ArgumentError`.
fn number(ruby: &Ruby, value: Value) -> Result<u64, Error> {
    u64::try_convert(value).map_err(|error| {
        if error.is_kind_of(ruby.exception_range_error()) {
            argument_error(ruby, &"expected an integer from 0 to 2^64 - 1")
        } else {
            error
        }
    })
}

/// Returns whether a string is valid text in UTF-8. Other strings, such as the bodies of `Net::HTTP`,
/// are bytes.
fn is_utf8(string: RString) -> bool {
    string.is_utf8_compatible_encoding()
        && with_bytes([string], |[bytes]| std::str::from_utf8(bytes).is_ok())
}

fn given(bytes: &[u8], is_text: bool) -> Given<'_> {
    if is_text {
        Given::Text(bytes)
    } else {
        Given::Bytes(bytes)
    }
}

fn copy(bytes: RString) -> Vec<u8> {
    with_bytes([bytes], |[bytes]| bytes.to_vec())
}

fn argument_error(ruby: &Ruby, error: &impl fmt::Display) -> Error {
    Error::new(ruby.exception_arg_error(), error.to_string())
}
