//! One fetch: the access machine, driven over a transport.

use std::pin::pin;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use tokio::time::{Instant, timeout_at};
use verger_access::{
    Action, Authority, GoodCopy, HopVerdict, PendingRequest, Profile, Request, Response,
    TransportFailure, begin,
};

use crate::clock::Clock;
use crate::fetch::fetch_limits::FetchLimits;
use crate::fetch::fetched::{Exchange, Fetched};
use crate::fetch::host_permits::{HostPermit, HostPermits};
use crate::future::BoxFuture;
use crate::transport::fetch_permit::{FetchPermit, PERMIT_OF_FETCH};
use crate::transport::{Arrival, HttpReply, Received, Transport};

/// What every fetch goes over.
pub(crate) struct FetchContext {
    pub(crate) profile: Arc<Profile>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: FetchLimits,
    pub(crate) hosts: HostPermits,
}

/// The right of a fetch to run, and until when.
#[derive(Clone)]
pub(crate) struct RunningFetch {
    pub(crate) permit: Arc<FetchPermit>,
    /// What is not there by then has failed.
    pub(crate) deadline: Instant,
}

/// A fetch that is under way.
struct Chain<'l> {
    context: &'l FetchContext,
    running: &'l RunningFetch,
    exchanges: Vec<Exchange>,
    headers: HeaderMap,
    is_not_sent: bool,
}

impl FetchContext {
    /// Fetches the robots.txt of `authority`, asking `hop` about URLs that redirects lead to.
    pub(crate) async fn fetch(
        &self,
        authority: &Authority,
        copy: Option<&GoodCopy>,
        running: &RunningFetch,
        hop: impl Fn(url::Url) -> BoxFuture<'static, HopVerdict>,
    ) -> Fetched {
        let mut chain = Chain {
            context: self,
            running,
            exchanges: Vec::new(),
            headers: HeaderMap::new(),
            is_not_sent: false,
        };
        let mut action = begin(authority, &self.profile, copy);
        loop {
            action = match action {
                Action::Send(sending) => chain.send(sending).await,
                Action::AskAboutHop(question) => {
                    let verdict = hop(question.url().clone()).await;
                    question.answer(verdict)
                }
                Action::Done(attempt) => {
                    return Fetched {
                        attempt,
                        exchanges: chain.exchanges,
                        headers: in_octets_of_its_own(chain.headers),
                        is_not_sent: chain.is_not_sent,
                    };
                }
            };
        }
    }
}

/// The same headers in octets of their own: those that were received are parts of all that was read
/// with them, which a report that is kept would hold in memory.
fn in_octets_of_its_own(mut headers: HeaderMap) -> HeaderMap {
    for value in headers.values_mut() {
        // What is a value is one wherever it lies.
        if let Ok(copied) = HeaderValue::from_bytes(value.as_bytes()) {
            *value = copied;
        }
    }
    headers
}

/// What came where a limit of this side stood in the way.
fn not_sent(detail: String) -> Arrival {
    Arrival {
        received: Received::NotSent { detail },
        peer: None,
    }
}

impl Chain<'_> {
    async fn send<'p>(&mut self, sending: PendingRequest<'p>) -> Action<'p> {
        let waited = Instant::now();
        let (arrival, duration) = match self.host_permit(sending.request()).await {
            Ok(_permit) => {
                let (begun, deadline) = (Instant::now(), self.running.deadline);
                let sent = self.context.transport.send(sending.request(), deadline);
                let permit = &self.running.permit;
                let mut sent = pin!(PERMIT_OF_FETCH.scope(Arc::clone(permit), sent));
                let arrival = timeout_at(deadline, sent.as_mut()).await;
                let late = |_| {
                    if permit.is_kept_waiting() {
                        not_sent("waiting for other connections took too long".to_owned())
                    } else {
                        self.late("the fetch as a whole took longer than")
                    }
                };
                (arrival.unwrap_or_else(late), begun.elapsed())
            }
            Err(arrival) => (arrival, waited.elapsed()),
        };
        let Arrival { received, peer } = arrival;
        let detail = match &received {
            Received::Failure { detail, .. } | Received::NotSent { detail } => Some(detail.clone()),
            Received::Http(_) | Received::FtpFile { .. } | Received::FtpReply(_) => None,
        };
        self.exchanges.push(Exchange {
            peer,
            detail,
            duration,
        });
        self.hand_in(sending, received)
    }

    /// The right to send one request to its host; `None` where no host is to be spared. While this
    /// waits, another fetch may run in its place.
    async fn host_permit(&self, request: &Request) -> Result<Option<HostPermit>, Arrival> {
        let hosts = &self.context.hosts;
        let Ok(authority) = Authority::of_url(&request.url) else {
            return Ok(None);
        };
        if let Some(permit) = hosts.try_enter(&authority) {
            return Ok(Some(permit));
        }
        let RunningFetch { permit, deadline } = self.running;
        let what = format!(
            "all {} requests at once to {authority} were taken for",
            hosts.each()
        );
        let entered = permit.lent_during(hosts.enter(authority));
        let entered = timeout_at(*deadline, entered).await;
        entered.map(Some).map_err(|_| self.late(&what))
    }

    /// What came where nothing did until the deadline; `what` lasted so long.
    fn late(&self, what: &str) -> Arrival {
        let deadline = self.context.limits.deadline;
        Arrival {
            received: Received::Failure {
                failure: TransportFailure::Timeout,
                detail: format!("{what} {deadline:?}"),
            },
            peer: None,
        }
    }

    fn hand_in<'p>(&mut self, sending: PendingRequest<'p>, received: Received) -> Action<'p> {
        let now = self.context.clock.now();
        self.headers = HeaderMap::new();
        match received {
            Received::Http(reply) => {
                let HttpReply {
                    status,
                    headers,
                    body,
                    body_end,
                } = reply;
                self.headers = headers;
                let response = Response {
                    status,
                    headers: &self.headers,
                    body,
                    body_end,
                };
                sending.response(response, now)
            }
            Received::FtpFile { body, body_end } => sending.ftp_file(body, body_end, now),
            Received::FtpReply(code) => sending.ftp_reply(code, now),
            Received::NotSent { .. } => {
                self.is_not_sent = true;
                sending.failure(TransportFailure::Timeout, now)
            }
            Received::Failure { failure, .. } => sending.failure(failure, now),
        }
    }
}
