//! `verger.access.Decision`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use verger::PolicyRule;
use verger_access::DecisionReason;

use crate::access::answer::Answer;
use crate::names;
use crate::pacing::Pacing;
use crate::verdict::Verdict;

/// The decision about a URL, and the reason.
#[pyclass(frozen, eq, module = "verger.access")]
#[derive(PartialEq)]
pub(crate) struct Decision {
    /// The verdict of the rules, or `None` if the stance of the answer decides.
    verdict: Option<Verdict>,
    answer: verger_access::Answer,
    pacing: verger_extensions::Pacing,
}

impl Decision {
    /// Creates a decision. `rule` is the rule of the verdict.
    pub(crate) fn new(
        reason: DecisionReason,
        rule: Option<PolicyRule<'_>>,
        answer: &verger_access::Answer,
        pacing: &verger_extensions::Pacing,
    ) -> Self {
        let verdict = match reason {
            DecisionReason::Rules(verdict) => Some(Verdict::with_rule(&verdict, rule)),
            DecisionReason::Stance(_) => None,
        };
        Self {
            verdict,
            answer: answer.clone(),
            pacing: pacing.clone(),
        }
    }

    fn by_stance(&self) -> DecisionReason {
        DecisionReason::Stance(self.answer.stance())
    }
}

#[pymethods]
impl Decision {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("effect", "verdict", "answer")
    }

    /// `Effect.ALLOW` or `Effect.DISALLOW`.
    #[getter]
    fn effect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.verdict {
            Some(verdict) => verdict.effect(py),
            None => names::effect(py, self.by_stance().effect()),
        }
    }

    /// Whether the URL may be fetched. A decision is also true or false accordingly.
    #[getter]
    fn allowed(&self) -> bool {
        match &self.verdict {
            Some(verdict) => verdict.allowed(),
            None => self.by_stance().effect() == verger::Effect::Allow,
        }
    }

    /// The verdict of the rules. `None` if no rules apply and the stance decides.
    #[getter]
    fn verdict(&self) -> Option<Verdict> {
        self.verdict.clone()
    }

    /// The answer about the authority, without the body.
    #[getter]
    fn answer(&self) -> Answer {
        Answer::of(self.answer.clone())
    }

    /// Delays and visit times that the authority requests from the crawler.
    #[getter]
    fn pacing(&self) -> Pacing {
        Pacing::of(self.pacing.clone())
    }

    fn __bool__(&self) -> bool {
        self.allowed()
    }

    fn __str__(&self) -> String {
        match &self.verdict {
            Some(verdict) => verdict.__str__(),
            None => format!("{}, {}", self.by_stance(), self.answer_fact()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Decision {}>", self.__str__())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let verdict = self.verdict.as_ref().map(Verdict::__hash__);
        (verdict, self.answer().__hash__()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let restore = py.import("verger._verger")?.getattr("_decision")?;
        Ok((restore, (self.verdict(), self.answer(), self.pacing())))
    }
}

impl Decision {
    fn answer_fact(&self) -> String {
        let fact = self.answer.access_result();
        fact.map_or_else(|| "not fetched yet".to_owned(), |fact| fact.to_string())
    }
}

type Parts = (Option<Verdict>, Answer, Pacing);

/// Restore a decision from a pickle.
#[pyfunction]
#[pyo3(name = "_decision")]
pub(crate) fn decision_of_parts(
    verdict: Option<PyRef<'_, Verdict>>,
    answer: &Answer,
    pacing: &Pacing,
) -> Decision {
    Decision {
        verdict: verdict.map(|it| it.clone()),
        answer: answer.answer().clone(),
        pacing: pacing.pacing().clone(),
    }
}
