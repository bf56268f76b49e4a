//! `verger.Crawler`: an entry of the registry.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use verger::Star;
use verger_answer::ResolvedCrawler;
use verger_crawlers::{KnownCrawler, Registry};

use crate::bytes::name;
use crate::exception::unknown_crawler;
use crate::guard::guarded;
use crate::names;
use crate::product_token::ProductToken;

/// A known crawler: who runs it, what for, and which product tokens it looks up. The registry lives as
/// long as the process.
#[pyclass(frozen, module = "verger")]
pub(crate) struct Crawler {
    known: &'static KnownCrawler,
}

impl Crawler {
    pub(crate) fn of(known: &'static KnownCrawler) -> Self {
        Self { known }
    }

    pub(crate) fn known(&self) -> &'static KnownCrawler {
        self.known
    }
}

#[pymethods]
impl Crawler {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(py, || {
            let name = self::name(name)?;
            let known = Registry::bundled().by_name(&name);
            let known =
                known.ok_or_else(|| unknown_crawler(py, &name, Registry::bundled().suggest(&name)));
            Ok(Self { known: known? })
        })
    }

    /// The crawler that a `User-Agent` header names; `None` where it names none. A header is a claim: any
    /// program can send it.
    #[staticmethod]
    #[pyo3(signature = (header, /))]
    fn from_user_agent(py: Python<'_>, header: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        guarded(py, || {
            let resolved = ResolvedCrawler::of_header(&name(header)?).ok();
            let known = resolved.and_then(|resolved| resolved.known());
            Ok(known.map(Self::of))
        })
    }

    /// The name in the registry: lower-case letters, digits and hyphens.
    #[getter]
    fn name(&self) -> &'static str {
        self.known.name()
    }

    /// Who runs it; for software that its users run, who makes it.
    #[getter]
    fn operator(&self) -> &'static str {
        self.known.operator()
    }

    /// Its product tokens, in the order in which it looks them up; never empty.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tokens = self.known.tokens().iter().cloned().map(ProductToken::of);
        PyTuple::new(py, tokens.collect::<Vec<_>>())
    }

    /// What it fetches for; never empty.
    #[getter]
    fn purposes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let purposes = self.known.purposes().iter();
        let purposes: PyResult<Vec<_>> = purposes
            .map(|purpose| names::purpose(py, purpose.as_str()))
            .collect();
        PyTuple::new(py, purposes?)
    }

    /// Whether it obeys robots.txt, by its operator's statement.
    #[getter]
    fn obeys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::obeys(py, self.known.obeys().as_str())
    }

    /// Whether rules for `*` apply to it where no group names it.
    #[getter]
    fn honours_star(&self) -> bool {
        self.known.star() == Star::Honoured
    }

    /// Whether it is out of use.
    #[getter]
    fn is_retired(&self) -> bool {
        self.known.is_retired()
    }

    /// Whether it is a token for rules only, under which no request is sent.
    #[getter]
    fn is_control_only(&self) -> bool {
        self.known.is_control_only()
    }

    /// The URL of its operator's page about it.
    #[getter]
    fn docs(&self) -> Option<&'static str> {
        self.known.docs()
    }

    /// What else there is to say.
    #[getter]
    fn note(&self) -> Option<&'static str> {
        self.known.note()
    }

    fn __str__(&self) -> &'static str {
        self.known.name()
    }

    fn __repr__(&self) -> String {
        format!("Crawler({:?})", self.known.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| std::ptr::eq(other.get().known, self.known))
    }

    fn __hash__(&self) -> usize {
        std::ptr::from_ref(self.known).addr()
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.known.name(),)
    }
}

/// The whole registry, in its order.
#[pyfunction]
pub(crate) fn crawlers(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    guarded(py, || {
        let crawlers = Registry::bundled().iter().map(Crawler::of);
        PyTuple::new(py, crawlers.collect::<Vec<_>>())
    })
}
