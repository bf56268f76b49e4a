//! `verger.access.Answer`.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use verger_access::{HopVerdict, Stance};
use verger_answer::RobotsFile;

use crate::access::answer_pickle::{self, Parts};
use crate::access::time::timestamp;
use crate::agent::resolved;
use crate::bytes::name;
use crate::guard::guarded;
use crate::names;
use crate::python_class::PythonClass;
use crate::wrapped::RobotsTxt;

static STANCE: PythonClass = PythonClass::new("verger._access_names", "Stance");
static HOP_VERDICT: PythonClass = PythonClass::new("verger._access_names", "HopVerdict");

/// A member of `Stance`.
pub(crate) fn stance(py: Python<'_>, stance: Stance) -> PyResult<Bound<'_, PyAny>> {
    STANCE.make(py, (stance.as_str(),))
}

/// What a crawler may fetch from an authority at a time, why, and until when that holds.
#[pyclass(frozen, eq, module = "verger.access")]
#[derive(Clone, PartialEq)]
pub(crate) struct Answer {
    answer: verger_access::Answer,
}

impl Answer {
    pub(crate) fn of(answer: verger_access::Answer) -> Self {
        Self { answer }
    }

    pub(crate) fn answer(&self) -> &verger_access::Answer {
        &self.answer
    }
}

#[pymethods]
impl Answer {
    /// What follows for URLs of the authority.
    #[getter]
    fn stance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        stance(py, self.answer.stance())
    }

    /// The access result of RFC 9309, `successful`, `unavailable` or `unreachable`; `None` before the
    /// first attempt.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.answer
            .access_result()
            .map(verger_access::AccessResult::as_str)
    }

    /// How the last attempt ended, for programs, such as `error http 404` or `failed dns`.
    #[getter]
    fn outcome(&self) -> Option<String> {
        let result = self.answer.access_result()?;
        Some(result.outcome().code())
    }

    /// How the last attempt ended, for people.
    #[getter]
    fn what(&self) -> Option<String> {
        let result = self.answer.access_result()?;
        Some(result.outcome().to_string())
    }

    /// The id of the clause by which the outcome is this access result.
    #[getter]
    fn result_clause(&self) -> &'static str {
        self.answer.access_result_clause().id()
    }

    /// The id of the clause by which the stance follows.
    #[getter]
    fn clause(&self) -> &'static str {
        self.answer.clause().id()
    }

    /// The name of the profile that decided.
    #[getter]
    fn profile(&self) -> &str {
        self.answer.profile()
    }

    /// The dialect in which the body is read.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::dialect(py, self.answer.dialect())
    }

    /// What is missing for another stance, a sentence, where it is to defer since too little is known; else
    /// `None`.
    #[getter]
    fn missing(&self) -> Option<String> {
        Some(self.answer.missing()?.to_string())
    }

    /// The first second, since 1970, in which the answer may be another one although nothing is fetched. After a
    /// failure it is later than `ask_again_at`, when the file is to be fetched again.
    #[getter]
    fn holds_until(&self) -> u64 {
        self.answer.holds_until().unix_seconds()
    }

    /// When the robots.txt is to be fetched again, in seconds since 1970.
    #[getter]
    fn ask_again_at(&self) -> u64 {
        self.answer.ask_again_at().unix_seconds()
    }

    /// Whether the robots.txt is to be fetched before any other URL of the authority.
    #[pyo3(signature = (*, now))]
    fn is_due(&self, now: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.answer.is_due(timestamp(now)?))
    }

    /// The bytes whose rules decide; `None` where the stance has no rules.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let body = self.answer.body();
        body.map(|body| PyBytes::new(py, body))
    }

    /// The file whose rules decide; an empty one where the stance has no rules.
    #[getter]
    fn robots(&self, py: Python<'_>) -> PyResult<RobotsTxt> {
        guarded(py, || {
            let body = self.answer.body().map_or(&[][..], |body| body);
            let file = RobotsFile::new(body, self.answer.reading());
            Ok(RobotsTxt::of(Arc::new(file)))
        })
    }

    /// Whether this answer, about the authority of `url`, allows `agent` to follow a redirect there: for
    /// `Fetch.hop`.
    #[pyo3(signature = (url, *, agent))]
    fn hop_verdict<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let crawler = resolved(agent, self.answer.reading())?;
            let verdict = match name(url)?.parse() {
                Ok(url) => HopVerdict::new(&self.answer, crawler.crawler(), &url),
                Err(_) => HopVerdict::Unknown,
            };
            let name = match verdict {
                HopVerdict::Allowed => "allowed",
                HopVerdict::Disallowed => "disallowed",
                HopVerdict::Unknown => "unknown",
            };
            HOP_VERDICT.make(py, (name,))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let restore = py.import("verger._verger")?.getattr("_answer")?;
        Ok((restore, (answer_pickle::parts(py, &self.answer)?,)))
    }

    fn __str__(&self) -> String {
        let fact = self.answer.access_result();
        let fact = fact.map_or_else(|| "not fetched yet".to_owned(), |fact| fact.to_string());
        format!("{}: {fact}", self.answer.stance())
    }

    fn __repr__(&self) -> String {
        format!("<Answer {}>", self.__str__())
    }
}

/// The answer out of a pickle.
#[pyfunction]
#[pyo3(name = "_answer")]
pub(crate) fn answer_of_parts(parts: Parts<'_>) -> PyResult<Answer> {
    let damaged = || PyValueError::new_err("the pickle is no answer");
    let answer = answer_pickle::restored(&parts).ok_or_else(damaged)?;
    Ok(Answer::of(answer))
}
