//! `verger.RobotsTxt`.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyTuple};
use verger::Effect;
use verger_extensions::{content_usage, licenses, pacing, sitemaps};

use crate::agent::{crawler, resolved};
use crate::detached::detached;
use crate::explanation::explanation;
use crate::extension_values::{self, texts, tuple};
use crate::guard::guarded;
use crate::octets::octets;
use crate::pacing::Pacing;
use crate::reading::{dialect, options, reading};
use crate::target::with_target;
use crate::verdict::Verdict;
use crate::wrapped::{Policy, RobotsTxt, hash_file, is_same_file};
use crate::{findings, names, rule_values};

#[pymethods]
impl RobotsTxt {
    #[new]
    #[pyo3(
        signature = (body, dialect=None, *, options=None),
        text_signature = "(body, dialect=Dialect.RFC9309, *, options=())"
    )]
    fn new(
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        dialect: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(py, || {
            let reading = reading(self::dialect(dialect)?, options)?;
            let body = octets(body)?;
            let robots = detached(py, body.len(), || verger::RobotsTxt::parse(&*body, reading));
            Ok(Self::of(Arc::new(robots)))
        })
    }

    /// The octets that were read, whole; decoded where `ReadingOption.BRIDGE_ENCODINGS` did so.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.robots.body())
    }

    /// The dialect in which it was read.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::dialect(py, self.robots.dialect())
    }

    /// The options with which it was read.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        options(py, self.robots.reading())
    }

    /// Whether `agent` may fetch `url`, in one pass over the body. For many URLs make a `policy`.
    ///
    /// Raises `TargetError`, `ProductTokenError`, `TypeError`, `ValueError`, `UnicodeEncodeError`.
    #[pyo3(signature = (url, *, agent))]
    fn allowed(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        guarded(py, || {
            let (body, reading) = (self.robots.body(), self.reading());
            let crawler = crawler(agent, reading)?;
            with_target(url, reading, |_, target| {
                verger::effect(body, &crawler, target, reading) == Effect::Allow
            })
        })
    }

    /// Whether `agent` may fetch `url`, and why. Raises as `allowed`.
    #[pyo3(signature = (url, *, agent))]
    fn verdict(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<Verdict> {
        guarded(py, || {
            let policy = Arc::new(self.robots.policy(&crawler(agent, self.reading())?));
            with_target(url, self.reading(), |_, target| {
                Verdict::of(&policy.decide(target), &policy)
            })
        })
    }

    /// The verdict, all rules that match, and how the other dialects answer. It reads the body in all of
    /// them. Raises as `allowed`.
    #[pyo3(signature = (url, *, agent))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let crawler = resolved(agent, self.reading())?;
            explanation(url, &self.robots, &crawler)
        })
    }

    /// The rules that apply to `agent`: a product token, several in order (the first that a group names
    /// counts), or a `Crawler`.
    ///
    /// Raises `ProductTokenError`, `TypeError`, `ValueError`, `UnicodeEncodeError`.
    #[pyo3(signature = (agent))]
    fn policy(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<Policy> {
        guarded(py, || Policy::make(py, &self.robots, agent))
    }

    /// How fast and when the groups of `agent` ask it to come. Raises as `policy`.
    #[pyo3(signature = (agent))]
    fn pacing(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<Pacing> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            Ok(Pacing::of(pacing(&self.robots, &crawler)))
        })
    }

    /// What the `Content-Signal` lines of the groups of `agent` say. Raises as `policy`.
    #[pyo3(signature = (agent))]
    fn content_signal<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::content_signal(py, &self.robots, &crawler)
        })
    }

    /// The `Content-Usage` lines for `agent`, in file order. Raises as `policy`.
    #[pyo3(signature = (agent))]
    fn content_usage<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::content_usage(py, &self.robots, &crawler)
        })
    }

    /// What `Content-Usage` lines prefer about `url`; `None` where `agent` may not fetch it. Raises as
    /// `allowed`.
    #[pyo3(signature = (url, *, agent))]
    fn preferences<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            let (policy, usage) = (
                self.robots.policy(&crawler),
                content_usage(&self.robots, &crawler),
            );
            let stated = with_target(url, self.reading(), |_, target| {
                usage.preferences_under(&policy.decide(target), target)
            })?;
            stated
                .map(|it| extension_values::preferences(py, it))
                .transpose()
        })
    }

    /// The `Noindex` lines of the groups of `agent`. Raises as `policy`.
    #[pyo3(signature = (agent))]
    fn noindex<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::noindex(py, &self.robots, &crawler)
        })
    }

    /// The URLs of the `Sitemap` lines, each once.
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || texts(py, sitemaps(&self.robots).map(|it| it.url())))
    }

    /// The URLs of the `License` lines, each once.
    #[getter]
    fn licenses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || texts(py, licenses(&self.robots).map(|it| it.url())))
    }

    /// The host that the file prefers: the first usable `Host` line.
    #[getter]
    fn host<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(py, || extension_values::host(py, &self.robots))
    }

    /// The `Clean-param` lines.
    #[getter]
    fn clean_params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || extension_values::clean_params(py, &self.robots))
    }

    /// The groups, in file order.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            tuple(py, self.robots.groups(), |it| rule_values::group(py, &it))
        })
    }

    /// The rules of all groups, in file order.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let rules = self.robots.records().filter_map(|it| it.as_rule());
            let rules = rules.filter(|it| it.group().is_some());
            tuple(py, rules, |it| {
                rule_values::rule(py, it.effect(), it.pattern(), it.line())
            })
        })
    }

    /// All lines with a key, in file order.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || extension_values::records(py, &self.robots))
    }

    /// What was ignored, cut, or read otherwise than it is written, in file order.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || findings::diagnostics(py, &self.robots))
    }

    /// What is odd about the file as a whole, at most one warning of each kind.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || findings::warnings(py, &self.robots))
    }

    fn __repr__(&self) -> String {
        let robots = &self.robots;
        format!(
            "<RobotsTxt {}, bytes: {}, groups: {}>",
            robots.dialect().as_str(),
            robots.body().len(),
            robots.groups().len()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| is_same_file(&self.robots, &other.get().robots))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        hash_file(&self.robots, &mut hasher);
        hasher.finish()
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + size_of::<verger::RobotsTxt>() + self.robots.heap_octets()
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let dialect = self.robots.dialect().as_str().into_pyobject(py)?.into_any();
        let arguments = PyTuple::new(py, [self.body(py).into_any(), dialect])?;
        let keywords = PyDict::new(py);
        let options = self.options(py)?;
        if !options.is_empty() {
            let options: PyResult<Vec<String>> =
                options.iter().map(|it| Ok(it.str()?.to_string())).collect();
            let mut options = options?;
            options.sort_unstable();
            keywords.set_item("options", PyTuple::new(py, options)?)?;
        }
        Ok((arguments, keywords))
    }
}

/// `verger.parse`.
#[pyfunction]
#[pyo3(
    signature = (body, dialect=None, *, options=None),
    text_signature = "(body, dialect=Dialect.RFC9309, *, options=())"
)]
pub(crate) fn parse(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<RobotsTxt> {
    RobotsTxt::new(py, body, dialect, options)
}
