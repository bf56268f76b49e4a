//! Tools for site owners: JSON from the libraries, which Python parses.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use verger_answer::{CrawlerQuery, CrawlerQueryError};
use verger_compare::Budget;
use verger_html::{Given, page_facts};
use verger_lint::report::{LintSettings, PageJsonError};
use verger_owner::{FileQuestion, FileQuestionError};

use crate::access::asked::authority_of;
use crate::access::time::timestamp;
use crate::bytes::bytes;
use crate::exception::{internal_error, target_error, token_error};
use crate::guard::guarded;
use crate::reading::read_as;

/// `verger.owner.who`, as JSON Lines.
#[pyfunction]
pub(crate) fn who_json(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    agents: Vec<String>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
    site: &Bound<'_, PyAny>,
    max_states: u64,
) -> PyResult<String> {
    guarded(py, || {
        let question = question(&agents, dialect, [options, site], max_states)?;
        let body = bytes(body)?.into_owned();
        answered(py, py.detach(|| question.who_json(body)))
    })
}

/// `verger.owner.diff`, as JSON Lines.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python has keywords for them")]
pub(crate) fn diff_json(
    py: Python<'_>,
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    agents: Vec<String>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
    site: &Bound<'_, PyAny>,
    max_states: u64,
) -> PyResult<String> {
    guarded(py, || {
        let question = question(&agents, dialect, [options, site], max_states)?;
        let (old, new) = (bytes(old)?.into_owned(), bytes(new)?.into_owned());
        answered(py, py.detach(|| question.diff_json(old, new)))
    })
}

/// `verger.owner.parse`, as JSON.
#[pyfunction]
pub(crate) fn parse_json(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    name: &Bound<'_, PyAny>,
    agents: Vec<String>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
) -> PyResult<String> {
    guarded(py, || {
        let mut question = FileQuestion::default();
        question.crawlers = crawlers(&agents)?;
        question.read_as = read_as(dialect, Some(options))?;
        let (name, body) = (bytes(name)?.into_owned(), bytes(body)?.into_owned());
        answered(py, py.detach(|| question.parse_json(&name, body)))
    })
}

/// `verger.owner.lint`, as JSON.
#[pyfunction]
pub(crate) fn lint_json(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    name: &Bound<'_, PyAny>,
    site: Option<&Bound<'_, PyAny>>,
    settings: &str,
) -> PyResult<String> {
    guarded(py, || {
        let settings = LintSettings::from_toml(settings);
        let settings = settings.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let origin = site.map(authority_of).transpose()?.map(|it| it.to_string());
        let (name, body) = (bytes(name)?.into_owned(), bytes(body)?.into_owned());
        let line = py.detach(|| verger_lint::report::lint_json(name, body, origin, &settings));
        line.map_err(|error| internal_error(py, &error.to_string()))
    })
}

/// `verger.owner.page`, as JSON Lines.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python has keywords for them")]
pub(crate) fn page_json(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    agents: Vec<String>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyAny>,
    page: (Option<Bound<'_, PyAny>>, Option<Bound<'_, PyAny>>),
    at: &Bound<'_, PyAny>,
) -> PyResult<String> {
    guarded(py, || {
        let (crawlers, read_as) = (crawlers(&agents)?, read_as(dialect, Some(options))?);
        let (body, url) = (bytes(body)?, bytes(url)?);
        let (at, [head, html]) = (timestamp(at)?, [page.0.as_ref(), page.1.as_ref()]);
        let are_text =
            [head, html].map(|it| it.is_some_and(PyAnyMethods::is_instance_of::<PyString>));
        let head = head.map(bytes).transpose()?;
        let html = html.map(bytes).transpose()?;
        let facts = py.detach(|| {
            let head = head.as_deref().map(|it| given(it, are_text[0]));
            let html = html.as_deref().map(|it| given(it, are_text[1]));
            page_facts(head, html)
        });
        let facts = facts.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let answer = py.detach(|| {
            verger_lint::report::page_json(&body, (&*crawlers, read_as), &url, &facts, at)
        });
        answer.map_err(|error| match error {
            PageJsonError::Crawler(error) => crawler_error(py, error),
            PageJsonError::Url(error) => target_error(py, &error, &url, None),
            error => internal_error(py, &error.to_string()),
        })
    })
}

fn question(
    agents: &[String],
    dialect: Option<&Bound<'_, PyAny>>,
    [options, site]: [&Bound<'_, PyAny>; 2],
    max_states: u64,
) -> PyResult<FileQuestion> {
    let mut question = FileQuestion::default();
    question.read_as = read_as(dialect, Some(options))?;
    question.crawlers = crawlers(agents)?;
    question.budget = Budget::from_states(max_states);
    question.site = authority_of(site)?.to_string();
    Ok(question)
}

fn crawlers(agents: &[String]) -> PyResult<Vec<CrawlerQuery>> {
    let crawlers = agents.iter().map(|agent| agent.parse());
    let crawlers = crawlers.collect::<Result<_, CrawlerQueryError>>();
    crawlers.map_err(|error| PyValueError::new_err(error.to_string()))
}

fn answered(py: Python<'_>, answer: Result<String, FileQuestionError>) -> PyResult<String> {
    answer.map_err(|error| match error {
        FileQuestionError::Crawler(error) => crawler_error(py, error),
        error => internal_error(py, &error.to_string()),
    })
}

fn crawler_error(py: Python<'_>, error: CrawlerQueryError) -> PyErr {
    match error {
        CrawlerQueryError::NotAToken(error) => token_error(py, &error),
        error => PyValueError::new_err(error.to_string()),
    }
}

/// Returns a head or HTML. The text of a `str` is decoded already.
fn given(bytes: &[u8], is_text: bool) -> Given<'_> {
    if is_text {
        Given::Text(bytes)
    } else {
        Given::Bytes(bytes)
    }
}
