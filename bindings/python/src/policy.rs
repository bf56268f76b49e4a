//! `verger.Policy`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyTuple};
use verger::TargetPath;
use verger_access::RequestedUrlError;

use crate::explanation::explanation;
use crate::extension_values::tuple;
use crate::guard::guarded;
use crate::known_crawler::Crawler;
use crate::many::{Invalid, answers};
use crate::pacing::Pacing;
use crate::target::with_found_target;
use crate::verdict::Verdict;
use crate::wrapped::{Policy, RobotsTxt, tree};
use crate::{names, rule_values};

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (robots, agent))]
    fn new(
        py: Python<'_>,
        robots: &Bound<'_, RobotsTxt>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        guarded(py, || Self::make(py, robots.get().file(), agent))
    }

    /// Return whether `url` may be fetched. `url` is an absolute URL or a path that starts with
    /// `/`.
    ///
    /// Raises `TargetError` if it is neither, or if its authority is not valid (never in `google`),
    /// `TypeError` and `UnicodeEncodeError`.
    #[pyo3(signature = (url, /))]
    fn allowed(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        guarded(py, || {
            with_found_target(url, self.find(), |_, target| {
                self.rules.decide(target).is_allowed()
            })
        })
    }

    /// Return whether `url` may be fetched, and why. See `allowed` for the exceptions.
    #[pyo3(signature = (url, /))]
    fn verdict(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        guarded(py, || {
            with_found_target(url, self.find(), |_, target| {
                Verdict::of(&self.rules.decide(target), &self.rules)
            })
        })
    }

    /// Return the verdict, all matching rules, and how the other dialects decide.
    ///
    /// Reads the body in all dialects. See `allowed` for the exceptions.
    #[pyo3(signature = (url, /))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || explanation(url, &self.file, &self.crawler))
    }

    /// Check each of `urls` and return, in the same order, whether it may be fetched. Releases the
    /// global lock.
    ///
    /// A URL that is not valid raises `TargetError` with its index. With `strict=False` its result
    /// is `None`, like that of a missing value (`None`, NaN, `pandas.NA`).
    #[pyo3(signature = (urls, *, strict=true))]
    fn check_many<'py>(
        &self,
        py: Python<'py>,
        urls: &Bound<'py, PyAny>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || {
            answers(
                urls,
                self.find(),
                Invalid::of(strict),
                |target| self.rules.decide(target).is_allowed(),
                |allowed| Ok(PyBool::new(py, allowed).to_owned().into_any()),
            )
        })
    }

    /// Return the verdict about each of `urls`. See `check_many`.
    #[pyo3(signature = (urls, *, strict=true))]
    fn verdicts<'py>(
        &self,
        py: Python<'py>,
        urls: &Bound<'py, PyAny>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        guarded(py, || {
            answers(
                urls,
                self.find(),
                Invalid::of(strict),
                |target| self.rules.decide(target),
                |verdict| {
                    let verdict = Verdict::of(&verdict, &self.rules);
                    Ok(Bound::new(py, verdict)?.into_any())
                },
            )
        })
    }

    /// The dialect in which the file was read.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::dialect(py, self.reading.dialect())
    }

    /// The file.
    #[getter]
    fn robots(&self) -> RobotsTxt {
        RobotsTxt::of(Arc::clone(&self.file))
    }

    /// Delays and visit times that the file requests from the crawler.
    #[getter]
    fn pacing(&self, py: Python<'_>) -> PyResult<Pacing> {
        guarded(py, || {
            let tree = tree(py, &self.file);
            Ok(Pacing::of(verger_extensions::pacing(
                tree,
                self.crawler.crawler(),
            )))
        })
    }

    /// The rules that apply, in order of precedence.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            tuple(py, self.rules.rules(), |it| {
                rule_values::rule(py, it.effect, it.pattern, it.line)
            })
        })
    }

    /// The group that applies, or the first if several are merged. `None` if no group applies.
    #[getter]
    fn group<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let group = self.rules.group();
        group
            .map(|group| rule_values::applied_group(py, group))
            .transpose()
    }

    /// The crawler of the registry, or the product tokens in order.
    #[getter]
    fn agent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(known) = self.crawler.known() {
            return Ok(Bound::new(py, Crawler::of(known))?.into_any());
        }
        let tokens = self.crawler.crawler().tokens().iter();
        let mut tokens: Vec<&str> = tokens.map(verger::ProductToken::as_str).collect();
        if tokens.is_empty() {
            tokens.push("*");
        }
        Ok(PyTuple::new(py, tokens)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!(
            "<Policy {} for {:?}, rules: {}>",
            self.reading.dialect().as_str(),
            self.crawler.name(),
            self.rules.rule_count()
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        let other = other.get();
        self.crawler.crawler() == other.crawler.crawler() && self.file == other.file
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.file, self.crawler.crawler()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + size_of::<verger::Policy>() + self.rules.heap_bytes()
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(RobotsTxt, Bound<'py, PyAny>)> {
        Ok((self.robots(), self.agent(py)?))
    }
}

impl Policy {
    fn find(&self) -> impl Fn(&[u8]) -> Result<TargetPath<'_>, RequestedUrlError> {
        move |url| self.authority.asked_target(url, self.reading)
    }
}
