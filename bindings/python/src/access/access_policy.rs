//! `verger.access.AccessPolicy`.

use pyo3::prelude::*;

use crate::access::answer::Answer;
use crate::access::asked::with_requested_target;
use crate::access::decision::Decision;
use crate::agent::resolved;
use crate::guard::guarded;
use crate::pacing::Pacing;

/// An answer compiled for one crawler. Keep one per authority.
#[pyclass(frozen, module = "verger.access")]
pub(crate) struct AccessPolicy {
    policy: verger_access::AccessPolicy,
}

#[pymethods]
impl AccessPolicy {
    #[new]
    #[pyo3(signature = (answer, agent))]
    fn new(py: Python<'_>, answer: &Answer, agent: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(py, || {
            let answer = answer.answer();
            let crawler = resolved(agent, answer.reading())?;
            Ok(Self {
                policy: verger_access::AccessPolicy::new(answer, crawler.crawler()),
            })
        })
    }

    /// Return whether a URL of the authority may be fetched.
    ///
    /// Raises `TargetError`, `AuthorityError`, `TypeError`, `UnicodeEncodeError`.
    #[pyo3(signature = (url, /))]
    fn allowed(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(py, || {
            with_requested_target(url, self.policy.answer().reading(), |target| {
                self.policy.decide(target).is_allowed()
            })
        })
    }

    /// Return whether a URL of the authority may be fetched, and why. See `allowed` for the exceptions.
    #[pyo3(signature = (url, /))]
    fn decide(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Decision> {
        guarded(py, || {
            with_requested_target(url, self.policy.answer().reading(), |target| {
                decided(&self.policy, self.policy.decide(target))
            })
        })
    }

    /// The answer, without the body.
    #[getter]
    fn answer(&self) -> Answer {
        Answer::of(self.policy.answer().clone())
    }

    /// Delays and visit times that the authority requests from the crawler.
    #[getter]
    fn pacing(&self) -> Pacing {
        Pacing::of(self.policy.pacing().clone())
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + self.policy.heap_bytes()
    }
}

pub(crate) fn decided(
    policy: &verger_access::AccessPolicy,
    decision: verger_access::Decision,
) -> Decision {
    let verdict = decision.verdict();
    let rule = verdict.and_then(|verdict| policy.rules().rule(verdict.rule()?));
    let pacing = policy.pacing();
    Decision::new(decision.reason(), rule, policy.answer(), pacing)
}
