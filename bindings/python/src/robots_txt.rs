//! `verger.RobotsTxt`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyTuple};
use verger::Effect;
use verger::dialect::EncodingMismatch;
use verger_answer::RobotsFile;
use verger_extensions::{content_usage, licenses, pacing, sitemaps};

use crate::agent::{crawler, resolved};
use crate::bytes::bytes;
use crate::detached::detached;
use crate::explanation::explanation;
use crate::extension_values::{self, texts, tuple};
use crate::guard::guarded;
use crate::pacing::Pacing;
use crate::reading::{dialect, options, reading};
use crate::target::with_target;
use crate::verdict::Verdict;
use crate::wrapped::{Policy, RobotsTxt, tree};
use crate::{findings, names, rule_values};

#[pymethods]
impl RobotsTxt {
    #[new]
    #[pyo3(
        signature = (body, dialect=None, *, options=None),
        text_signature = "(body, dialect='rfc9309', *, options=())"
    )]
    fn new(
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        dialect: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        guarded(py, || {
            let reading = reading(self::dialect(dialect)?, options)?;
            let body = bytes(body)?;
            let file = match reading.encoding_mismatch() {
                // Keep the bytes. They are read when a question needs them.
                EncodingMismatch::KeepBytes => RobotsFile::new(body, reading),
                _ => detached(py, body.len(), move || RobotsFile::new(body, reading)),
            };
            Ok(Self::of(Arc::new(file)))
        })
    }

    /// The whole body, in bytes. It is decoded if `ReadingOption.BRIDGE_ENCODINGS` required it.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.file().body())
    }

    /// The dialect in which the file was read.
    #[getter]
    fn dialect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::dialect(py, self.reading().dialect())
    }

    /// The options with which the file was read.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        options(py, &self.reading())
    }

    /// Return whether `agent` may fetch `url`, in one pass over the body. Use `policy` for many
    /// URLs.
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
            let (file, reading) = (&**self.file(), self.reading());
            let crawler = crawler(agent, reading)?;
            with_target(url, reading, |_, target| {
                detached(py, file.body().len(), || {
                    file.effect(&crawler, target) == Effect::Allow
                })
            })
        })
    }

    /// Return whether `agent` may fetch `url`, and why, in one pass over the body.
    ///
    /// See `allowed` for the exceptions.
    #[pyo3(signature = (url, *, agent))]
    fn verdict(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<Verdict> {
        guarded(py, || {
            let (file, reading) = (&**self.file(), self.reading());
            let crawler = crawler(agent, reading)?;
            with_target(url, reading, |_, target| {
                detached(py, file.body().len(), || {
                    Verdict::of_body(&file.verdict(&crawler, target))
                })
            })
        })
    }

    /// Return the verdict, all matching rules, and how the other dialects decide.
    ///
    /// Reads the body in all dialects. See `allowed` for the exceptions.
    #[pyo3(signature = (url, *, agent))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let crawler = resolved(agent, self.reading())?;
            explanation(url, self.file(), &crawler)
        })
    }

    /// Return the rules that apply to `agent`.
    ///
    /// `agent` is a product token, a `Crawler`, or several tokens in order. The first token that a
    /// group names is used. Raises `ProductTokenError`, `TypeError`, `ValueError`,
    /// `UnicodeEncodeError`.
    #[pyo3(signature = (agent))]
    fn policy(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<Policy> {
        guarded(py, || Policy::make(py, self.file(), agent))
    }

    /// Return the delays and visit times in the groups of `agent`. See `policy` for the exceptions.
    #[pyo3(signature = (agent))]
    fn pacing(&self, py: Python<'_>, agent: &Bound<'_, PyAny>) -> PyResult<Pacing> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            Ok(Pacing::of(pacing(self.tree(py), &crawler)))
        })
    }

    /// Return the content signals in the groups of `agent`. See `policy` for the exceptions.
    #[pyo3(signature = (agent))]
    fn content_signal<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::content_signal(py, self.tree(py), &crawler)
        })
    }

    /// Return the `Content-Usage` lines for `agent`, in file order. See `policy` for the exceptions.
    #[pyo3(signature = (agent))]
    fn content_usage<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::content_usage(py, self.tree(py), &crawler)
        })
    }

    /// Return the preferences of `Content-Usage` lines about `url`, or `None` if `agent` may not
    /// fetch it.
    ///
    /// See `allowed` for the exceptions.
    #[pyo3(signature = (url, *, agent))]
    fn preferences<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            let usage = content_usage(self.tree(py), &crawler);
            let policy = self.file().policy(&crawler);
            let stated = with_target(url, self.reading(), |_, target| {
                usage.preferences_under(&policy.decide(target), target)
            })?;
            stated
                .map(|it| extension_values::preferences(py, it))
                .transpose()
        })
    }

    /// Return the `Noindex` lines in the groups of `agent`. See `policy` for the exceptions.
    #[pyo3(signature = (agent))]
    fn noindex<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let crawler = crawler(agent, self.reading())?;
            extension_values::noindex(py, self.tree(py), &crawler)
        })
    }

    /// The distinct URLs of the `Sitemap` lines.
    #[getter]
    fn sitemaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || texts(py, sitemaps(self.tree(py)).map(|it| it.url())))
    }

    /// The distinct URLs of the `License` lines.
    #[getter]
    fn licenses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || texts(py, licenses(self.tree(py)).map(|it| it.url())))
    }

    /// The preferred host: the first valid `Host` line.
    #[getter]
    fn host<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(py, || extension_values::host(py, self.tree(py)))
    }

    /// The `Clean-param` lines.
    #[getter]
    fn clean_params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || extension_values::clean_params(py, self.tree(py)))
    }

    /// The groups, in file order.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            tuple(py, self.tree(py).groups(), |it| rule_values::group(py, &it))
        })
    }

    /// The rules of all groups, in file order.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || {
            let rules = self.tree(py).records().filter_map(|it| it.as_rule());
            let rules = rules.filter(|it| it.group().is_some());
            tuple(py, rules, |it| {
                rule_values::rule(py, it.effect(), it.pattern(), it.line())
            })
        })
    }

    /// All lines with a key, in file order.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || extension_values::records(py, self.tree(py)))
    }

    /// Notes about text that was ignored, truncated or read differently from how it is written, in
    /// file order.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || findings::diagnostics(py, self.tree(py)))
    }

    /// Warnings about the file as a whole, at most one of each kind.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guarded(py, || findings::warnings(py, self.tree(py)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, || {
            let tree = self.tree(py);
            Ok(format!(
                "<RobotsTxt {}, bytes: {}, groups: {}>",
                tree.dialect().as_str(),
                tree.body().len(),
                tree.groups().len()
            ))
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| self.file() == other.get().file())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.file().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + size_of::<RobotsFile>() + self.file().heap_bytes()
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let dialect = self
            .reading()
            .dialect()
            .as_str()
            .into_pyobject(py)?
            .into_any();
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

impl RobotsTxt {
    fn tree(&self, py: Python<'_>) -> &verger::RobotsTxt {
        tree(py, self.file())
    }
}

/// Parse the bytes or text of a robots.txt. Any body can be parsed. A URL is not fetched: it gives a
/// `UserWarning`, and is read as a file without rules.
///
/// Raises `TypeError`, `ValueError`, `UnicodeEncodeError`.
#[pyfunction]
#[pyo3(
    signature = (body, dialect=None, *, options=None),
    text_signature = "(body, dialect='rfc9309', *, options=())"
)]
pub(crate) fn parse(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<RobotsTxt> {
    let robots = RobotsTxt::new(py, body, dialect, options)?;
    if is_url(robots.file().body()) {
        let message = c"the body is a URL, which is not fetched: see verger.access.Client";
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), message, 1)?;
    }
    Ok(robots)
}

fn is_url(body: &[u8]) -> bool {
    let scheme = |name: &[u8]| {
        body.get(..name.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(name))
    };
    let body_end = body.trim_ascii_end();
    (scheme(b"https://") || scheme(b"http://")) && !body_end.iter().any(u8::is_ascii_whitespace)
}
