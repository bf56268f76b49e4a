//! Files and policies as they are wrapped. Their Python methods are in `robots_txt` and `policy`.

use std::sync::Arc;

use pyo3::prelude::*;
use verger::Reading;
use verger_access::KeptAuthority;
use verger_answer::{ResolvedCrawler, RobotsFile};

use crate::agent::resolved;
use crate::detached::detached;

/// A robots.txt, read in one dialect.
#[pyclass(frozen, module = "verger")]
pub(crate) struct RobotsTxt {
    file: Arc<RobotsFile>,
}

impl RobotsTxt {
    pub(crate) fn of(file: Arc<RobotsFile>) -> Self {
        Self { file }
    }

    pub(crate) fn file(&self) -> &Arc<RobotsFile> {
        &self.file
    }

    pub(crate) fn reading(&self) -> Reading {
        self.file.reading()
    }
}

/// Returns the tree of a file. A long body is parsed without the global lock.
pub(crate) fn tree<'f>(py: Python<'_>, file: &'f RobotsFile) -> &'f verger::RobotsTxt {
    match file.made_tree() {
        Some(tree) => tree,
        None => detached(py, file.body().len(), || file.tree()),
    }
}

/// The rules of a file that apply to one crawler. It keeps the file, to explain verdicts and to be
/// pickled.
#[pyclass(frozen, module = "verger")]
pub(crate) struct Policy {
    pub(crate) file: Arc<RobotsFile>,
    pub(crate) crawler: ResolvedCrawler,
    pub(crate) rules: Arc<verger::Policy>,
    pub(crate) reading: Reading,
    pub(crate) authority: KeptAuthority,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy)>();
};

impl Policy {
    pub(crate) fn make(
        py: Python<'_>,
        file: &Arc<RobotsFile>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let reading = file.reading();
        let crawler = resolved(agent, reading)?;
        let rules = detached(py, file.body().len(), || file.policy(crawler.crawler()));
        Ok(Self {
            file: Arc::clone(file),
            crawler,
            rules: Arc::new(rules),
            reading,
            authority: KeptAuthority::default(),
        })
    }
}
