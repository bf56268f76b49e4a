//! `verger.access.Answer`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
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

pub(crate) fn stance(py: Python<'_>, stance: Stance) -> PyResult<Bound<'_, PyAny>> {
    STANCE.make(py, (stance.as_str(),))
}

/// The rules or stance for an authority, the reason, and how long the answer is valid.
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
    /// The stance toward the URLs of the authority.
    #[getter]
    fn stance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        stance(py, self.answer.stance())
    }

    /// The access result of RFC 9309: `successful`, `unavailable` or `unreachable`. `None` before
    /// the first attempt.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.answer
            .access_result()
            .map(verger_access::AccessResult::as_str)
    }

    /// How the last attempt ended, for programs: `error http 404`, `failed dns` and so on.
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

    /// Id of the clause that maps the outcome to this access result.
    #[getter]
    fn result_clause(&self) -> &'static str {
        self.answer.access_result_clause().id()
    }

    /// Id of the clause that determines the stance.
    #[getter]
    fn clause(&self) -> &'static str {
        self.answer.clause().id()
    }

    /// Name of the profile that decided.
    #[getter]
    fn profile(&self) -> &str {
        self.answer.profile()
    }

    /// The dialect in which the body is read.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::dialect(py, self.answer.dialect())
    }

    /// The missing information, as a sentence, if the answer defers because too little is known.
    /// Otherwise `None`.
    #[getter]
    fn missing(&self) -> Option<String> {
        Some(self.answer.missing()?.to_string())
    }

    /// When the answer may change even if nothing is fetched, in seconds since 1970. After a
    /// failure this is later than `ask_again_at`.
    #[getter]
    fn holds_until(&self) -> u64 {
        self.answer.holds_until().unix_seconds()
    }

    /// When to fetch the robots.txt again, in seconds since 1970.
    #[getter]
    fn ask_again_at(&self) -> u64 {
        self.answer.ask_again_at().unix_seconds()
    }

    /// Return whether the robots.txt must be fetched before any other URL of the authority.
    #[pyo3(signature = (*, now))]
    fn is_due(&self, now: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.answer.is_due(timestamp(now)?))
    }

    /// The body whose rules apply, in bytes. `None` if the stance does not use rules.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let body = self.answer.body();
        body.map(|body| PyBytes::new(py, body))
    }

    /// The file whose rules apply. It is empty if the stance does not use rules.
    #[getter]
    fn robots(&self, py: Python<'_>) -> PyResult<RobotsTxt> {
        guarded(py, || {
            let body = self.answer.body().map_or(&[][..], |body| body);
            let file = RobotsFile::new(body, self.answer.reading());
            Ok(RobotsTxt::of(Arc::new(file)))
        })
    }

    /// Return whether this answer, about the authority of `url`, allows `agent` to follow a
    /// redirect there. Pass the result to `Fetch.hop`.
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

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let (clause, times) = (self.clause(), (self.holds_until(), self.ask_again_at()));
        (self.outcome(), clause, self.profile(), times).hash(&mut hasher);
        hasher.finish()
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

/// Restore an answer from a pickle.
#[pyfunction]
#[pyo3(name = "_answer")]
pub(crate) fn answer_of_parts(parts: Parts<'_>) -> PyResult<Answer> {
    let damaged = || PyValueError::new_err("cannot restore Answer: the pickle is malformed");
    let answer = answer_pickle::restored(&parts).ok_or_else(damaged)?;
    Ok(Answer::of(answer))
}
