//! `verger.access.Fetch`: the state machine without I/O.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::HeaderMap;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use verger_access::{
    Action, Attempt, Authority, BODY_BYTES_WANTED, BodyEnd, HopQuestion, HopVerdict, Jitter,
    PendingRequest, Profile, Reply, Response, Warning, begin,
};
use verger_store::KeptHeaders;

use crate::access::asked::{authority_of, profile};
use crate::access::headers::headers;
use crate::access::knowledge::Knowledge;
use crate::access::time::timestamp;
use crate::bytes::{bytes, text};
use crate::guard::guarded;
use crate::python_class::PythonClass;

static REQUEST: PythonClass = PythonClass::new("verger._access_values", "Request");
static HOP_QUESTION: PythonClass = PythonClass::new("verger._access_values", "HopQuestion");
static ATTEMPT: PythonClass = PythonClass::new("verger._access_values", "Attempt");
static HOP: PythonClass = PythonClass::new("verger._access_values", "Hop");

/// A fetch of a robots.txt, as a state machine without I/O.
#[pyclass(frozen, module = "verger.access")]
pub(crate) struct Fetch {
    profile: Arc<Profile>,
    authority: Authority,
    before: verger_access::Knowledge,
    jitter: Jitter,
    state: Mutex<State>,
}

struct State {
    /// `None` if a step panicked.
    action: Option<Action>,
    headers: KeptHeaders,
}

impl Fetch {
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    pub(crate) fn authority_fetched(&self) -> &Authority {
        &self.authority
    }

    /// Returns the attempt, the resulting knowledge, and the headers to store.
    pub(crate) fn ended(&self) -> PyResult<(Attempt, verger_access::Knowledge, KeptHeaders)> {
        let state = self.state();
        let Some(Action::Done(attempt)) = &state.action else {
            return Err(PyValueError::new_err("the fetch has not ended"));
        };
        let mut knowledge = self.before.clone();
        knowledge.record(attempt, &self.profile, self.jitter);
        Ok((attempt.clone(), knowledge, state.headers.clone()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(
        &self,
        headers: &HeaderMap,
        step: impl FnOnce(PendingRequest) -> Action,
    ) -> PyResult<()> {
        let mut state = self.state();
        match state.action.take() {
            Some(Action::Send(pending)) => {
                state.headers = KeptHeaders::new(headers);
                state.action = Some(step(pending));
                Ok(())
            }
            other => {
                state.action = other;
                Err(PyValueError::new_err(
                    "no request is pending: check `action` first",
                ))
            }
        }
    }
}

#[pymethods]
impl Fetch {
    #[new]
    #[pyo3(
        signature = (url, *, profile=None, knowledge=None, jitter=0),
        text_signature = "(url, *, profile='rfc9309', knowledge=None, jitter=0)"
    )]
    fn new(
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        profile: Option<&Bound<'_, PyAny>>,
        knowledge: Option<&Knowledge>,
        jitter: i16,
    ) -> PyResult<Self> {
        guarded(py, || {
            let profile = Arc::new(self::profile(profile)?);
            let authority = authority_of(url)?;
            let before = knowledge.map_or_else(Default::default, |it| it.knowledge().clone());
            let action = begin(&authority, Arc::clone(&profile), before.copy.as_ref());
            Ok(Self {
                profile,
                authority,
                before,
                jitter: Jitter::from_thousandths(jitter),
                state: Mutex::new(State {
                    action: Some(action),
                    headers: KeptHeaders::default(),
                }),
            })
        })
    }

    /// The authority whose robots.txt is fetched.
    #[getter]
    fn authority(&self) -> String {
        self.authority.to_string()
    }

    /// The next step: send a `Request` or answer a `HopQuestion`. An `Attempt` means that the fetch
    /// has ended.
    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(py, || {
            // Release the lock before running Python code.
            let action = self.state().action.clone();
            match action {
                Some(Action::Send(pending)) => request(py, &pending),
                Some(Action::AskAboutHop(question)) => hop_question(py, &question),
                Some(Action::Done(ended)) => attempt(py, &ended),
                None => Err(PyValueError::new_err("a step of the fetch panicked")),
            }
        })
    }

    /// Pass the final response to the request, with its body decoded.
    ///
    /// `BODY_BYTES_WANTED` bytes of the body are enough. Pass `whole=False` if there are more.
    /// Raises `ValueError` if no request is pending, and `TypeError`.
    #[pyo3(signature = (status, headers, body, *, now, whole=true))]
    fn response(
        &self,
        py: Python<'_>,
        status: u16,
        headers: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
        whole: bool,
    ) -> PyResult<()> {
        guarded(py, || {
            let (headers, now, body) = (self::headers(headers)?, timestamp(now)?, wanted(body)?);
            let response = Response {
                status,
                headers: &headers,
                body: body.into(),
                body_end: body_end(whole),
            };
            self.advance(&headers, |pending| pending.response(response, now))
        })
    }

    /// Pass the reason why no complete response arrived.
    ///
    /// Raises `ValueError` if no request is pending, or if the reason is not a member of `Failure`.
    #[pyo3(signature = (failure, *, now))]
    fn failure(&self, py: Python<'_>, failure: &str, now: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(py, || {
            let failure = failure
                .parse()
                .map_err(|error| PyValueError::new_err(format!("{error}: {failure}")))?;
            let now = timestamp(now)?;
            self.advance(&HeaderMap::new(), |pending| pending.failure(failure, now))
        })
    }

    /// Pass a file that was retrieved over FTP.
    #[pyo3(signature = (body, *, now, whole=true))]
    fn ftp_file(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
        whole: bool,
    ) -> PyResult<()> {
        guarded(py, || {
            let (now, body) = (timestamp(now)?, wanted(body)?);
            let none = HeaderMap::new();
            self.advance(&none, |pending| {
                pending.ftp_file(body, body_end(whole), now)
            })
        })
    }

    /// Pass an FTP reply received instead of the file.
    #[pyo3(signature = (code, *, now))]
    fn ftp_reply(&self, py: Python<'_>, code: u16, now: &Bound<'_, PyAny>) -> PyResult<()> {
        guarded(py, || {
            let now = timestamp(now)?;
            self.advance(&HeaderMap::new(), |pending| pending.ftp_reply(code, now))
        })
    }

    /// Answer a question about a redirect: `allowed`, `disallowed` or `unknown`.
    ///
    /// Raises `ValueError` if no such question is pending, or for another answer.
    #[pyo3(signature = (verdict, /))]
    fn hop(&self, py: Python<'_>, verdict: &str) -> PyResult<()> {
        guarded(py, || {
            let verdict = match verdict {
                "allowed" => HopVerdict::Allowed,
                "disallowed" => HopVerdict::Disallowed,
                "unknown" => HopVerdict::Unknown,
                other => {
                    return Err(PyValueError::new_err(format!(
                        "unknown hop verdict `{other}`: expected `allowed`, `disallowed` or `unknown`"
                    )));
                }
            };
            let mut state = self.state();
            match state.action.take() {
                Some(Action::AskAboutHop(question)) => {
                    state.action = Some(question.answer(verdict));
                    Ok(())
                }
                other => {
                    state.action = other;
                    Err(PyValueError::new_err(
                        "no question about a redirect is pending: check `action` first",
                    ))
                }
            }
        })
    }

    /// The knowledge after the fetch. Raises `ValueError` if it has not ended.
    #[getter]
    fn knowledge(&self, py: Python<'_>) -> PyResult<Knowledge> {
        guarded(py, || Ok(Knowledge::of(self.ended()?.1)))
    }

    fn __repr__(&self) -> String {
        let step = match &self.state().action {
            Some(Action::Send(pending)) => format!("sends {}", pending.request().url),
            Some(Action::AskAboutHop(question)) => format!("asks about {}", question.url()),
            Some(Action::Done(attempt)) => attempt.last.outcome.code(),
            None => "panicked".to_owned(),
        };
        format!("<Fetch {}: {step}>", self.authority)
    }
}

/// Returns the bytes of a body, cut to the number that is used.
fn wanted(body: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let body = bytes(body)?;
    Ok(body[..body.len().min(BODY_BYTES_WANTED)].to_vec())
}

fn body_end(whole: bool) -> BodyEnd {
    if whole {
        BodyEnd::Whole
    } else {
        BodyEnd::CutAtLimit
    }
}

fn request<'py>(py: Python<'py>, pending: &PendingRequest) -> PyResult<Bound<'py, PyAny>> {
    let request = pending.request();
    let conditions: PyResult<Vec<_>> = request
        .conditions
        .iter()
        .map(|(name, value)| Ok((name.as_str(), text(py, value.as_bytes())?)))
        .collect();
    let conditions = PyTuple::new(py, conditions?)?;
    REQUEST.make(py, (request.url.as_str(), conditions))
}

fn hop_question<'py>(py: Python<'py>, question: &HopQuestion) -> PyResult<Bound<'py, PyAny>> {
    HOP_QUESTION.make(py, (question.url().as_str(),))
}

fn attempt<'py>(py: Python<'py>, attempt: &Attempt) -> PyResult<Bound<'py, PyAny>> {
    let hops: PyResult<Vec<_>> = attempt
        .hops
        .iter()
        .map(|hop| HOP.make(py, (hop.url.as_str(), hop.reply.map(Reply::code))))
        .collect();
    let warnings = attempt.warnings.iter().map(Warning::code);
    let outcome = attempt.last.outcome;
    let body = attempt.copy.as_ref();
    let parts = (
        outcome.code(),
        outcome.to_string(),
        attempt.last.at.unix_seconds(),
        outcome.is_about_the_site(),
        PyTuple::new(py, hops?)?,
        PyTuple::new(py, warnings)?,
        body.map(|copy| PyBytes::new(py, &copy.body)),
    );
    ATTEMPT.make(py, parts)
}
