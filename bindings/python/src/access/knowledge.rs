//! `verger.access.Knowledge`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_access::RestOfSite;

use crate::access::answer::Answer;
use crate::access::asked::profile;
use crate::access::knowledge_pickle::{self, Kept, Last, Parts, Streak};
use crate::access::time::timestamp;
use crate::guard::guarded;

/// Knowledge about one authority. It does not depend on the current time.
#[pyclass(frozen, eq, module = "verger.access")]
#[derive(Clone, PartialEq)]
pub(crate) struct Knowledge {
    knowledge: verger_access::Knowledge,
}

impl Knowledge {
    pub(crate) fn of(knowledge: verger_access::Knowledge) -> Self {
        Self { knowledge }
    }

    pub(crate) fn knowledge(&self) -> &verger_access::Knowledge {
        &self.knowledge
    }
}

#[pymethods]
impl Knowledge {
    /// Create empty knowledge, before the first attempt.
    #[new]
    fn new() -> Self {
        Self::of(verger_access::Knowledge::default())
    }

    /// Return the answer of a profile at a time.
    ///
    /// `rest_of_site_is_up` affects `google` once a robots.txt has been unreachable for 30 days.
    #[pyo3(
        signature = (*, now, profile=None, rest_of_site_is_up=false),
        text_signature = "($self, *, now, profile='rfc9309', rest_of_site_is_up=False)"
    )]
    fn answer(
        &self,
        py: Python<'_>,
        now: &Bound<'_, PyAny>,
        profile: Option<&Bound<'_, PyAny>>,
        rest_of_site_is_up: bool,
    ) -> PyResult<Answer> {
        guarded(py, || {
            let (profile, now) = (self::profile(profile)?, timestamp(now)?);
            let rest = rest_of_site(rest_of_site_is_up);
            Ok(Answer::of(self.knowledge.answer(&profile, now, rest)))
        })
    }

    /// When the last attempt ended, in seconds since 1970. `None` before the first attempt.
    #[getter]
    fn seen_at(&self) -> Option<u64> {
        let last = self.knowledge.last?;
        Some(last.at.unix_seconds())
    }

    /// When the last good copy was last fetched or confirmed. `None` without a copy.
    #[getter]
    fn copy_seen_at(&self) -> Option<u64> {
        let copy = self.knowledge.copy.as_ref()?;
        Some(copy.validated_at.unix_seconds())
    }

    /// Number of consecutive failed attempts.
    #[getter]
    fn failures(&self) -> u32 {
        self.knowledge.streak.map_or(0, |streak| streak.failures)
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + self.knowledge.heap_bytes()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let restore = py.import("verger._verger")?.getattr("_knowledge")?;
        Ok((restore, knowledge_pickle::parts(py, &self.knowledge)))
    }

    fn __repr__(&self) -> String {
        let last = self.knowledge.last;
        let last = last.map_or_else(|| "nothing".to_owned(), |last| last.outcome.code());
        format!("<Knowledge {last}>")
    }
}

pub(crate) fn rest_of_site(is_up: bool) -> RestOfSite {
    if is_up {
        RestOfSite::Up
    } else {
        RestOfSite::NotKnownToBeUp
    }
}

/// Restore knowledge from a pickle.
#[pyfunction]
#[pyo3(name = "_knowledge")]
pub(crate) fn knowledge_of_parts(
    last: Option<Last>,
    copy: Option<Kept<'_>>,
    streak: Option<Streak>,
) -> PyResult<Knowledge> {
    let damaged = || PyValueError::new_err("cannot restore Knowledge: the pickle is malformed");
    let knowledge = knowledge_pickle::restored((last, copy, streak)).ok_or_else(damaged)?;
    Ok(Knowledge::of(knowledge))
}
