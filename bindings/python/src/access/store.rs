//! `verger.access.Store`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_access::{Profile, RecordedChain, Timestamp};
use verger_owner::{HistoryDetail, HistoryTextError};
use verger_store::{
    Acquisition, HopFacts, KeptHead, KeptStore, Observation, PackedFacts, StoreError, StoredState,
    Turn, TurnRequest,
};

use crate::access::asked::{authority_of, profile};
use crate::access::exception::{store_error, store_message};
use crate::access::fetch::Fetch;
use crate::access::knowledge::Knowledge;
use crate::access::lease_keeper::LeaseKeeper;
use crate::access::time::timestamp;
use crate::exception::internal_error;
use crate::guard::guarded;

/// A history of robots.txt files: a file that several processes share, or a database that several
/// machines share.
#[pyclass(frozen, module = "verger.access")]
pub(crate) struct Store {
    kept: KeptStore,
    keeper: Arc<LeaseKeeper>,
    process: u32,
}

/// The right to fetch one authority and to store the result.
#[pyclass(frozen, module = "verger.access")]
pub(crate) struct Lease {
    kept: Arc<verger_store::Lease>,
}

#[pymethods]
impl Lease {
    /// The authority that may be fetched.
    #[getter]
    fn authority(&self) -> String {
        self.kept.authority.to_string()
    }

    /// When it expires, in seconds since 1970.
    #[getter]
    fn until(&self) -> u64 {
        self.kept.until.unix_seconds()
    }
}

/// Opens the store in a file, or in a database by its URL.
pub(crate) fn open(py: Python<'_>, name: &Path) -> PyResult<KeptStore> {
    // The error of a database is not `Send`.
    let opened = py.detach(|| KeptStore::open(name).map_err(|error| error.to_string()));
    opened.map_err(|message| store_message(py, &message))
}

impl Store {
    fn call<R: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&dyn verger_store::Store) -> Result<R, StoreError> + Send,
    ) -> PyResult<R> {
        // A connection can only be used in the process that opened it.
        if self.process != std::process::id() {
            let message = "the store was opened in another process: open it after the fork";
            return Err(PyValueError::new_err(message));
        }
        let store = &*self.kept;
        py.detach(|| call(store))
            .map_err(|error| store_error(py, &error))
    }
}

/// Reads the facts of hops, a list that the module `json` can serialize. Credentials in headers are
/// dropped.
fn facts_of(facts: &Bound<'_, PyAny>) -> PyResult<PackedFacts> {
    let json = facts.py().import("json")?;
    let json: String = json.call_method1("dumps", (facts,))?.extract()?;
    let read = serde_json::from_str::<Vec<Option<HopFacts>>>(&json);
    let read = read.map_err(|error| PyValueError::new_err(format!("facts: {error}")))?;
    let mut hops: Vec<HopFacts> = read.into_iter().map(Option::unwrap_or_default).collect();
    for hop in &mut hops {
        for head in [&mut hop.request, &mut hop.response].into_iter().flatten() {
            *head = KeptHead::new(head.bytes(), head.bytes_cut());
        }
    }
    Ok(PackedFacts::from_hops(&hops))
}

/// Returns the knowledge that is valid for every crawler. If a redirect was checked for one
/// crawler, that is only the copy.
fn of_any_crawler(state: StoredState, profile: &Profile) -> verger_access::Knowledge {
    let mut knowledge = state.knowledge;
    let chain = RecordedChain {
        authority: &state.snapshot.authority,
        hops: &state.snapshot.hops,
        last: knowledge.last.unwrap_or(state.snapshot.attempt),
        locations: &[],
    };
    if chain.asks_about_hop(profile) {
        knowledge.last = None;
    }
    knowledge
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (path, /))]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        guarded(py, || {
            Ok(Self {
                kept: open(py, &path)?,
                keeper: Arc::default(),
                process: std::process::id(),
            })
        })
    }

    /// Return what a profile knew about the authority of `url` at a time, or `None` if the store
    /// has nothing usable.
    ///
    /// If redirects were checked for a crawler, which the store does not record, the last attempt
    /// is left out and a fetch is due.
    #[pyo3(
        signature = (url, *, at, profile=None),
        text_signature = "($self, url, *, at, profile='rfc9309')"
    )]
    fn knowledge(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
        profile: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Knowledge>> {
        guarded(py, || {
            let (authority, profile) = (authority_of(url)?, self::profile(profile)?);
            let at = timestamp(at)?;
            let known = self.call(py, |store| {
                verger_store::knowledge_under(store, &authority, &profile, at)
            })?;
            Ok(known.map(|state| Knowledge::of(of_any_crawler(state, &profile))))
        })
    }

    /// Return the history of the authority of `url`, as JSON Lines.
    #[pyo3(name = "_history_json")]
    fn history_json(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        since: &Bound<'_, PyAny>,
        until: Option<&Bound<'_, PyAny>>,
        lines: bool,
        facts: bool,
    ) -> PyResult<String> {
        let detail = HistoryDetail { diff: lines, facts };
        guarded(py, || {
            let (authority, since) = (authority_of(url)?, timestamp(since)?);
            let until = until.map(timestamp).transpose()?;
            let until = until.unwrap_or(Timestamp::from_unix_seconds(u64::MAX));
            let text = self.call(py, |store| {
                match verger_owner::history_json(store, &authority, since..until, detail) {
                    Err(HistoryTextError::Store(error)) => Err(error),
                    written => Ok(written),
                }
            })?;
            text.map_err(|error| internal_error(py, &error.to_string()))
        })
    }

    /// Acquire the lease on the authority of `url` for a number of seconds. Returns `None` while
    /// another process holds it.
    #[pyo3(signature = (url, *, holder, now, seconds))]
    fn acquire(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        holder: &str,
        now: &Bound<'_, PyAny>,
        seconds: u32,
    ) -> PyResult<Option<Lease>> {
        guarded(py, || {
            let (authority, now) = (authority_of(url)?, timestamp(now)?);
            let duration = Duration::from_secs(seconds.into());
            let acquired =
                self.call(py, |store| store.acquire(&authority, holder, now, duration))?;
            Ok(match acquired {
                Acquisition::Granted(lease) => Some(Lease {
                    kept: Arc::new(lease),
                }),
                Acquisition::HeldUntil { .. } => None,
            })
        })
    }

    /// Renew a lease that was just acquired until it is dropped, so others soon get it if this
    /// process is killed.
    #[pyo3(name = "_renew")]
    fn renew(&self, lease: &Lease) {
        self.keeper.keep(&lease.kept, self.kept.shared());
    }

    /// Take the next turn to send a request to a site. Returns whether it was taken, and the wait
    /// in seconds.
    #[pyo3(name = "_take_turn")]
    fn take_turn(
        &self,
        py: Python<'_>,
        site: String,
        delay: f64,
        longest: Option<f64>,
        now: f64,
    ) -> PyResult<(bool, f64)> {
        let length = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        guarded(py, || {
            let request = TurnRequest {
                site,
                delay: length(delay),
                longest: longest.map(length),
                now: length(now),
            };
            Ok(match self.call(py, |store| store.take_turn(&request))? {
                Turn::In(wait) => (true, wait.as_secs_f64()),
                Turn::TooLong(wait) => (false, wait.as_secs_f64()),
            })
        })
    }

    /// Store the result of a fetch that has ended, and end the lease.
    ///
    /// Returns the number of the snapshot, or `None` if the attempt is not about the site or the
    /// lease was lost. `facts` are further facts about each hop, in order, with the keys of
    /// `verger.owner.history`.
    #[pyo3(signature = (lease, fetch, *, facts=None))]
    fn put(
        &self,
        py: Python<'_>,
        lease: &Lease,
        fetch: &Fetch,
        facts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<u64>> {
        guarded(py, || {
            let facts = facts.map(facts_of).transpose()?.unwrap_or_default();
            let (attempt, knowledge, headers) = fetch.ended()?;
            let profile = fetch.profile();
            let at = attempt.last.at;
            let answer = knowledge.answer(profile, at, verger_access::RestOfSite::default());
            let is_fact = attempt.last.outcome.is_about_the_site();
            let observation = Observation {
                authority: fetch.authority_fetched().clone(),
                profile: profile.name.clone(),
                attempt,
                knowledge,
                headers,
                peer: None,
                fresh_until: answer.ask_again_at(),
                facts,
            };
            let lease = &lease.kept;
            self.call(py, |store| {
                if !is_fact {
                    store.release(lease)?;
                    return Ok(None);
                }
                match store.put(&observation, lease) {
                    Ok(id) => Ok(Some(id.0)),
                    Err(StoreError::LeaseLost(_)) => Ok(None),
                    Err(error) => Err(error),
                }
            })
        })
    }

    /// End a lease without storing a result.
    #[pyo3(signature = (lease, /))]
    fn release(&self, py: Python<'_>, lease: &Lease) -> PyResult<()> {
        guarded(py, || self.call(py, |store| store.release(&lease.kept)))
    }
}
