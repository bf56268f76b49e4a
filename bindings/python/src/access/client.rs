//! The shared core of `verger.access.Client` and `AsyncClient`: a client of this process, its
//! questions and answers.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use ipnet::IpNet;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use verger::Crawler;
use verger_access::{Authority, Knowledge, Profile, RestOfSite};
use verger_client::{
    Client, ClientError, FetchLimits, NetworkTransport, Proxies, TransportSettings,
};
use verger_store::KeptStore;

use crate::access::access_policy::decided;
use crate::access::answer::Answer;
use crate::access::asked::{authority_of, profile, with_requested_target};
use crate::access::decision::Decision;
use crate::access::exception::{client_error, client_message, store_error};
use crate::access::knowledge::rest_of_site;
use crate::access::runtime::Runtime;
use crate::access::store;
use crate::access::time::timestamp;
use crate::agent::resolved;
use crate::bytes::name;
use crate::guard::guarded;

/// How often a waiting call checks for a Python interrupt.
const SIGNALS_EVERY: Duration = Duration::from_millis(50);

/// The client of a process.
#[pyclass(frozen, module = "verger._verger", name = "_Client")]
pub(crate) struct ClientCore {
    client: Client,
    runtime: Handle,
    store: Option<KeptStore>,
}

/// A question for a client.
#[pyclass(frozen, module = "verger._verger", name = "_Question")]
pub(crate) struct Question {
    asked: Asked,
}

#[derive(Clone)]
enum Asked {
    Decide(Crawler, String, RestOfSite),
    DecideMany(Crawler, Vec<String>),
    Answer(Authority),
    Fetch(Authority),
    Close,
}

enum Told {
    Decision(String, Result<verger_client::Decision, ClientError>),
    Decisions(
        Vec<String>,
        Vec<Result<verger_client::Decision, ClientError>>,
    ),
    Answer(Box<(Authority, Result<verger_access::Answer, ClientError>)>),
    Closed,
}

/// A question in progress.
#[pyclass(frozen, module = "verger._verger", name = "_Task")]
pub(crate) struct Task {
    task: AbortHandle,
}

#[pymethods]
impl Task {
    /// Stop waiting for the answer. A fetch that has started continues, and its result is kept.
    fn cancel(&self) {
        self.task.abort();
    }
}

#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct NetworkSettings {
    allow_addresses: Vec<String>,
    refuse_addresses: Vec<String>,
    root_certificates: Vec<Vec<u8>>,
    proxy: Option<String>,
}

#[pymethods]
impl ClientCore {
    #[new]
    #[expect(
        clippy::too_many_arguments,
        reason = "the Python side passes them, by name"
    )]
    #[pyo3(signature = (runtime, *, user_agent, profile, store, crawler, network, deadline, fetches_max, memory_bytes_max))]
    fn new(
        py: Python<'_>,
        runtime: &Runtime,
        user_agent: String,
        profile: Option<&Bound<'_, PyAny>>,
        store: Option<PathBuf>,
        crawler: Option<&Bound<'_, PyAny>>,
        network: NetworkSettings,
        deadline: Option<f64>,
        fetches_max: Option<usize>,
        memory_bytes_max: Option<u64>,
    ) -> PyResult<Self> {
        guarded(py, || {
            let profile = self::profile(profile)?;
            let store = store.map(|path| store::open(py, &path)).transpose()?;
            let mut settings = transport_settings(user_agent, network)?;
            settings.keeps_facts = store.as_ref().is_some_and(|it| it.keeps_facts());
            let transport = NetworkTransport::new(settings).map_err(invalid)?;
            let reading = profile.reading;
            let mut builder = Client::over(Arc::new(transport)).profile(profile);
            builder = builder.limits(limits(deadline, fetches_max)?);
            if let Some(crawler) = crawler {
                builder = builder.crawler(resolved(crawler, reading)?.crawler().clone());
            }
            if let Some(store) = &store {
                builder = builder.store(store.shared());
            }
            if let Some(bytes_max) = memory_bytes_max {
                builder = builder.memory_bytes_max(bytes_max);
            }
            Ok(Self {
                client: builder.build().map_err(invalid)?,
                runtime: runtime.handle().clone(),
                store,
            })
        })
    }

    /// Ask whether `agent` may fetch `url`.
    fn decide(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        rest_of_site_is_up: bool,
    ) -> PyResult<Question> {
        guarded(py, || {
            let rest = rest_of_site(rest_of_site_is_up);
            let asked = Asked::Decide(self.crawler(agent)?, name(url)?, rest);
            Ok(Question { asked })
        })
    }

    /// Ask which of `urls` `agent` may fetch.
    fn decide_many(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        urls: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Question> {
        guarded(py, || {
            let urls: PyResult<Vec<String>> = urls.iter().map(name).collect();
            let asked = Asked::DecideMany(self.crawler(agent)?, urls?);
            Ok(Question { asked })
        })
    }

    /// Ask what is known about the authority of `url`, after a new fetch if `now`.
    #[staticmethod]
    fn answer(py: Python<'_>, url: &Bound<'_, PyAny>, now: bool) -> PyResult<Question> {
        guarded(py, || {
            let authority = authority_of(url)?;
            let asked = if now {
                Asked::Fetch(authority)
            } else {
                Asked::Answer(authority)
            };
            Ok(Question { asked })
        })
    }

    /// Ask to close the client.
    #[staticmethod]
    fn close() -> Question {
        Question {
            asked: Asked::Close,
        }
    }

    /// Return the answer to a question about one URL if it is in memory.
    fn at_once(&self, py: Python<'_>, question: &Question) -> PyResult<Option<Decision>> {
        guarded(py, || {
            let Asked::Decide(crawler, url, RestOfSite::NotKnownToBeUp) = &question.asked else {
                return Ok(None);
            };
            // An answer that expires soon is refreshed in the background.
            let _entered = self.runtime.enter();
            let decision = self.client.decide_from_memory(crawler, url);
            Ok(decision.as_ref().map(decision_of))
        })
    }

    /// Wait for the answer without the global lock. An interrupt ends the wait.
    fn wait<'py>(&self, py: Python<'py>, question: &Question) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            let (sender, mut receiver) = sync_channel(1);
            let told = told(self.client.clone(), question.asked.clone());
            let task = self.runtime.spawn(async move {
                // Sending fails only if the wait was interrupted.
                let _ = sender.send(told.await);
            });
            loop {
                let got;
                (got, receiver) =
                    py.detach(move || (receiver.recv_timeout(SIGNALS_EVERY), receiver));
                match got {
                    Ok(told) => return object(py, told),
                    Err(RecvTimeoutError::Timeout) => {
                        py.check_signals().inspect_err(|_| task.abort())?;
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(client_message(py, "the client is shutting down"));
                    }
                }
            }
        })
    }

    /// Call `done` in another thread, with the answer and `None`, or with `None` and an exception.
    fn begin(&self, question: &Question, done: Py<PyAny>) -> Task {
        let told = told(self.client.clone(), question.asked.clone());
        let runtime = self.runtime.clone();
        let task = self.runtime.spawn(async move {
            let told = told.await;
            // The call may wait for the global lock.
            runtime.spawn_blocking(move || call(told, &done));
        });
        Task {
            task: task.abort_handle(),
        }
    }

    /// Decide whether `agent` might have fetched `url` at a time, using only the store.
    fn past_decision(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
    ) -> PyResult<Decision> {
        guarded(py, || {
            let answer = self.past(url, at)?;
            let policy = verger_access::AccessPolicy::new(&answer, &self.crawler(agent)?);
            with_requested_target(url, answer.reading(), |target| {
                decided(&policy, policy.decide(target))
            })
        })
    }

    /// Return the answer about the authority of `url` at a time, using only the store.
    fn past_answer(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
    ) -> PyResult<Answer> {
        guarded(py, || Ok(Answer::of(self.past(url, at)?)))
    }
}

impl ClientCore {
    fn profile(&self) -> &Profile {
        self.client.profile()
    }

    fn crawler(&self, agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
        Ok(resolved(agent, self.profile().reading)?.crawler().clone())
    }

    fn past(
        &self,
        url: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
    ) -> PyResult<verger_access::Answer> {
        let py = url.py();
        let Some(store) = &self.store else {
            return Err(PyValueError::new_err(
                "a past decision needs a store: create the client with `store`",
            ));
        };
        let (authority, at) = (authority_of(url)?, timestamp(at)?);
        let profile = self.profile();
        let known = py.detach(|| verger_store::in_force_at(&**store, &authority, profile, at));
        let known = known.map_err(|error| store_error(py, &error))?;
        let nothing = || Knowledge::default().answer(profile, at, RestOfSite::default());
        Ok(known.map_or_else(nothing, |known| known.answer))
    }
}

fn transport_settings(user_agent: String, network: NetworkSettings) -> PyResult<TransportSettings> {
    let mut settings = TransportSettings::new(user_agent);
    for text in &network.allow_addresses {
        settings.guard = settings.guard.allowing(parsed(text)?);
    }
    for text in &network.refuse_addresses {
        settings.guard = settings.guard.refusing(parsed(text)?);
    }
    settings.root_certificates = network.root_certificates;
    if let Some(proxy) = network.proxy {
        let proxy = proxy.parse().map_err(|error| {
            PyValueError::new_err(format!("invalid proxy URL `{proxy}`: {error}"))
        })?;
        settings.proxies = Proxies::all(&proxy).map_err(invalid)?;
    }
    Ok(settings)
}

fn parsed(network: &str) -> PyResult<IpNet> {
    let address = || network.parse::<IpAddr>().map(IpNet::from);
    let parsed = network.parse().or_else(|_| address());
    parsed.map_err(|_| {
        let message =
            format!("invalid network `{network}`: expected a network such as 10.1.0.0/16");
        PyValueError::new_err(message)
    })
}

fn limits(deadline: Option<f64>, fetches_max: Option<usize>) -> PyResult<FetchLimits> {
    let mut limits = FetchLimits::default();
    if let Some(seconds) = deadline {
        limits.deadline = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!(
                "deadline is {seconds}: expected a number of seconds"
            ))
        })?;
    }
    if let Some(most) = fetches_max {
        limits.fetches_max = most;
    }
    Ok(limits)
}

fn invalid(error: verger_client::SettingsError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

async fn told(client: Client, asked: Asked) -> Told {
    match asked {
        Asked::Decide(crawler, url, rest) => {
            let decision = client.decide_given(&crawler, &url, rest).await;
            Told::Decision(url, decision)
        }
        Asked::DecideMany(crawler, urls) => {
            let decisions = client.decide_many(&crawler, &urls).await;
            Told::Decisions(urls, decisions)
        }
        Asked::Answer(authority) => {
            let answer = client.answer(&authority).await;
            Told::Answer(Box::new((authority, answer)))
        }
        Asked::Fetch(authority) => {
            let report = client.fetch(&authority).await;
            Told::Answer(Box::new((authority, report.map(|report| report.answer))))
        }
        Asked::Close => {
            client.close().await;
            Told::Closed
        }
    }
}

fn decision_of(decision: &verger_client::Decision) -> Decision {
    Decision::new(
        decision.reason(),
        decision.rule(),
        decision.answer(),
        decision.pacing(),
    )
}

fn object(py: Python<'_>, told: Told) -> PyResult<Bound<'_, PyAny>> {
    let one = |url: &str, decision: Result<verger_client::Decision, ClientError>| {
        let decision = decision.map_err(|error| client_error(py, &error, url))?;
        Ok(Bound::new(py, decision_of(&decision))?.into_any())
    };
    match told {
        Told::Decision(url, decision) => one(&url, decision),
        Told::Decisions(urls, decisions) => {
            // Each URL has its own result, which may be an exception.
            let objects = urls.iter().zip(decisions).map(|(url, decision)| {
                one(url, decision)
                    .unwrap_or_else(|error| error.into_value(py).into_bound(py).into_any())
            });
            Ok(PyList::new(py, objects.collect::<Vec<_>>())?.into_any())
        }
        Told::Answer(answered) => {
            let (authority, answer) = *answered;
            let answer = answer
                .map_err(|error| client_error(py, &error, authority.robots_url().as_str()))?;
            Ok(Bound::new(py, Answer::of(answer))?.into_any())
        }
        Told::Closed => Ok(PyBool::new(py, true).to_owned().into_any()),
    }
}

/// Passes an answer to Python, unless the interpreter is shutting down.
fn call(told: Told, done: &Py<PyAny>) {
    Python::try_attach(|py| {
        let object = guarded(py, || object(py, told));
        let called = match object {
            Ok(object) => done.call1(py, (object, py.None())),
            Err(error) => done.call1(py, (py.None(), error.into_value(py))),
        };
        if let Err(error) = called {
            error.write_unraisable(py, None);
        }
    });
}
