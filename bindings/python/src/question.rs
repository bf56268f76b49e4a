//! A single check of a body.

use pyo3::prelude::*;
use verger::Effect;

use crate::agent::crawler;
use crate::bytes::bytes;
use crate::detached::detached;
use crate::guard::guarded;
use crate::reading::{dialect, reading};
use crate::target::with_target;
use crate::verdict::Verdict;

/// Return whether `agent` may fetch `url`, in one pass over the body. For many URLs, use
/// `verger.parse(body).policy(agent)`.
///
/// `agent` is a product token, a `Crawler`, or several tokens in order. `url` is an absolute URL or a
/// path that starts with `/`. Raises `TargetError`, `ProductTokenError`, `TypeError`, `ValueError`,
/// `UnicodeEncodeError`.
#[pyfunction]
#[pyo3(
    signature = (body, agent, url, dialect=None, *, options=None),
    text_signature = "(body, agent, url, dialect='rfc9309', *, options=())"
)]
pub(crate) fn allowed(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    guarded(py, || {
        let reading = reading(self::dialect(dialect)?, options)?;
        let body = bytes(body)?;
        let crawler = crawler(agent, reading)?;
        with_target(url, reading, |_, target| {
            detached(py, body.len(), || {
                verger::scan::effect_for_crawler(&body, &crawler, target, reading) == Effect::Allow
            })
        })
    })
}

/// Return whether `agent` may fetch `url`, and why, in one pass over the body. See `allowed` for the
/// arguments and exceptions.
#[pyfunction]
#[pyo3(
    signature = (body, agent, url, dialect=None, *, options=None),
    text_signature = "(body, agent, url, dialect='rfc9309', *, options=())"
)]
pub(crate) fn verdict(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<Verdict> {
    guarded(py, || {
        let reading = reading(self::dialect(dialect)?, options)?;
        let body = bytes(body)?;
        let crawler = crawler(agent, reading)?;
        with_target(url, reading, |_, target| {
            detached(py, body.len(), || {
                Verdict::of_body(&verger::scan::verdict_for_crawler(
                    &body, &crawler, target, reading,
                ))
            })
        })
    })
}
