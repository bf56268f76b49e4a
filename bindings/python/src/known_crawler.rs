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

/// A known crawler: its operator, its purposes and the product tokens it obeys. The registry lives
/// as long as the process.
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

    /// Return the crawler that a `User-Agent` header names, or `None`. A header is only a claim,
    /// because any program can send it.
    #[staticmethod]
    #[pyo3(signature = (header, /))]
    fn from_user_agent(py: Python<'_>, header: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        guarded(py, || {
            let resolved = ResolvedCrawler::from_header(&name(header)?).ok();
            let known = resolved.and_then(|resolved| resolved.known());
            Ok(known.map(Self::of))
        })
    }

    /// The name in the registry: lower-case letters, digits and hyphens.
    #[getter]
    fn name(&self) -> &'static str {
        self.known.name()
    }

    /// Its operator, or its vendor for software that users run themselves.
    #[getter]
    fn operator(&self) -> &'static str {
        self.known.operator()
    }

    /// Its product tokens, in the order in which it looks them up. Never empty.
    #[getter]
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tokens = self.known.tokens().iter().cloned().map(ProductToken::of);
        PyTuple::new(py, tokens.collect::<Vec<_>>())
    }

    /// Its purposes. Never empty.
    #[getter]
    fn purposes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let purposes = self.known.purposes().iter();
        let purposes: PyResult<Vec<_>> = purposes
            .map(|purpose| names::purpose(py, purpose.as_str()))
            .collect();
        PyTuple::new(py, purposes?)
    }

    /// Whether it obeys robots.txt, according to its operator.
    #[getter]
    fn obeys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::obeys(py, self.known.obeys().as_str())
    }

    /// Whether rules for `*` apply to it if no group names it.
    #[getter]
    fn honours_star(&self) -> bool {
        self.known.star() == Star::Honoured
    }

    /// Whether it is no longer in use.
    #[getter]
    fn is_retired(&self) -> bool {
        self.known.is_retired()
    }

    /// Whether it is a token only for rules. No request is sent under it.
    #[getter]
    fn is_control_only(&self) -> bool {
        self.known.is_control_only()
    }

    /// URL of its operator's page about it.
    #[getter]
    fn docs(&self) -> Option<&'static str> {
        self.known.docs()
    }

    /// Further remarks.
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

/// Return the whole registry, in its order.
#[pyfunction]
pub(crate) fn crawlers(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    guarded(py, || {
        let crawlers = Registry::bundled().iter().map(Crawler::of);
        PyTuple::new(py, crawlers.collect::<Vec<_>>())
    })
}
