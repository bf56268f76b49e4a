//! Files and policies as they are wrapped; `robots_txt` and `policy` have what Python calls of them.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hash;
use std::sync::Arc;

use pyo3::prelude::*;
use verger::Reading;
use verger_answer::ResolvedCrawler;

use crate::agent::resolved;
use crate::detached::detached;

/// A robots.txt, read in one dialect.
#[pyclass(frozen, module = "verger")]
#[derive(Clone)]
pub(crate) struct RobotsTxt {
    pub(crate) robots: Arc<verger::RobotsTxt>,
}

impl RobotsTxt {
    pub(crate) fn of(robots: Arc<verger::RobotsTxt>) -> Self {
        Self { robots }
    }

    pub(crate) fn robots(&self) -> &Arc<verger::RobotsTxt> {
        &self.robots
    }

    pub(crate) fn reading(&self) -> Reading {
        *self.robots.reading()
    }
}

/// What equal files have in common.
pub(crate) fn hash_file(robots: &verger::RobotsTxt, hasher: &mut DefaultHasher) {
    (robots.body(), robots.reading()).hash(hasher);
}

/// Whether two files have the same octets and are read alike.
pub(crate) fn is_same_file(one: &Arc<verger::RobotsTxt>, other: &Arc<verger::RobotsTxt>) -> bool {
    Arc::ptr_eq(one, other) || (one.reading() == other.reading() && one.body() == other.body())
}

/// The rules of a file that apply to one crawler. It keeps the file, with which it is explained and
/// pickled.
#[pyclass(frozen, module = "verger")]
pub(crate) struct Policy {
    pub(crate) robots: Arc<verger::RobotsTxt>,
    pub(crate) crawler: ResolvedCrawler,
    pub(crate) rules: Arc<verger::Policy>,
    pub(crate) reading: Reading,
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy)>();
};

impl Policy {
    pub(crate) fn make(
        py: Python<'_>,
        robots: &Arc<verger::RobotsTxt>,
        agent: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let reading = *robots.reading();
        let crawler = resolved(agent, reading)?;
        let rules = detached(py, robots.body().len(), || robots.policy(crawler.crawler()));
        Ok(Self {
            robots: Arc::clone(robots),
            crawler,
            rules: Arc::new(rules),
            reading,
        })
    }
}
