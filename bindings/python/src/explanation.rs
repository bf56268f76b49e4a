//! Explains a verdict, and shows how the other dialects decide.

use std::sync::Arc;

use pyo3::prelude::*;
use verger::Clause;
use verger_access::asked_target;
use verger_answer::{
    Candidate, CheckLine, CheckedFile, Explaining, OtherAnswer, Readings, ResolvedCrawler,
    RobotsFile,
};

use crate::bytes::{bytes, text};
use crate::detached::detached;
use crate::exception::{internal_error, target_error};
use crate::extension_values::tuple;
use crate::names;
use crate::python_class::PythonClass;
use crate::verdict::Verdict;

static EXPLANATION: PythonClass = PythonClass::value("Explanation");
static CANDIDATE: PythonClass = PythonClass::value("Candidate");
static OTHER_ANSWER: PythonClass = PythonClass::value("OtherAnswer");

/// Creates a `verger.Explanation` of the file's verdict for the crawler and `url`.
pub(crate) fn explanation<'py>(
    url: &Bound<'py, PyAny>,
    file: &RobotsFile,
    crawler: &ResolvedCrawler,
) -> PyResult<Bound<'py, PyAny>> {
    let py = url.py();
    let bytes = bytes(url)?;
    let reading = file.reading();
    let target =
        asked_target(&bytes, reading).map_err(|error| target_error(py, &error, &bytes, None))?;
    let readings = Readings::new(reading, Explaining::Yes);
    let body = file.body();
    let crawlers = std::slice::from_ref(crawler);
    let file = detached(py, body.len(), || {
        CheckedFile::new(body.to_vec(), &readings, crawlers)
    });
    let answer = file.answer(0, &bytes, &target);
    let json = verger_answer::json::to_string(&CheckLine::new(&answer));
    let json = json.map_err(|error| internal_error(py, &error.to_string()))?;
    let policy = Arc::new(file.crawlers()[0].policy().clone());
    let verdict = Verdict::of(&policy.decide(&target), &policy);
    let explained = answer.explanation.as_ref();
    let candidates = explained.map_or(&[][..], |it| &it.candidates);
    let candidates = tuple(py, candidates.iter(), |it| candidate(py, it))?;
    let others = explained.map_or(&[][..], |it| &it.others);
    let others = tuple(py, others.iter(), |it| other_answer(py, it))?;
    EXPLANATION.make(py, (verdict, candidates, others, json))
}

fn candidate<'py>(py: Python<'py>, candidate: &Candidate<'_>) -> PyResult<Bound<'py, PyAny>> {
    let parts = (
        candidate.line.get(),
        text(py, candidate.text)?,
        names::effect(py, candidate.effect)?,
        candidate.bytes,
        candidate.status.decides(),
        candidate.status.to_string(),
    );
    CANDIDATE.make(py, parts)
}

fn other_answer<'py>(py: Python<'py>, other: &OtherAnswer<'_>) -> PyResult<Bound<'py, PyAny>> {
    let verdict = other.verdict.as_ref();
    let effect = verdict
        .map(|it| names::effect(py, it.effect()))
        .transpose()?;
    let line = other.keys.as_ref().and_then(|keys| keys.line);
    let parts = (
        names::dialect(py, other.dialect)?,
        effect,
        line,
        other.difference.to_string(),
        other.difference.clause().map(Clause::id),
    );
    OTHER_ANSWER.make(py, parts)
}
