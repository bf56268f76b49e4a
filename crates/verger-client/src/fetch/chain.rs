//! Runs one fetch: drives the access machine over a transport.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;

use http::{HeaderMap, HeaderValue};
use tokio::time::{Instant, timeout_at};
use url::Url;
use verger::Crawler;
use verger_access::session::{Event, FetchLimits, Step};
use verger_access::{
    Action, Authority, GoodCopy, HopVerdict, Override, PendingRequest, Profile, Request, Response,
    Timestamp, TransportFailure, begin,
};
use verger_store::{HopFacts, Shortage};

use crate::clock::Clock;
use crate::fetch::fetched::{Exchange, Fetched};
use crate::fetch::flights::Flight;
use crate::fetch::overrides::Overrides;
use crate::fetch::site_headers::SiteHeaders;
use crate::fetch::spans::Span;
use crate::transport::{Arrival, HttpReply, Received, Transport};

pub(crate) struct FetchContext {
    pub(crate) profile: Arc<Profile>,
    pub(crate) crawler: Crawler,
    pub(crate) overrides: Overrides,
    pub(crate) site_headers: SiteHeaders,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: FetchLimits,
}

struct Chain<'l> {
    context: &'l FetchContext,
    flight: &'l Arc<Flight>,
    deadline: Instant,
    exchanges: Vec<Exchange>,
    headers: HeaderMap,
    is_not_sent: bool,
}

impl FetchContext {
    /// Fetches the robots.txt of the authority of `flight`. `hop` returns the verdicts about redirects.
    ///
    /// # Errors
    ///
    /// Returns an error if this machine runs out of a resource.
    pub(crate) async fn fetch<H: Future<Output = Result<HopVerdict, Shortage>>>(
        &self,
        flight: &Arc<Flight>,
        copy: Option<&GoodCopy>,
        deadline: Instant,
        hop: impl Fn(Url) -> H,
    ) -> Result<Fetched, Shortage> {
        let mut chain = Chain {
            context: self,
            flight,
            deadline,
            exchanges: Vec::new(),
            headers: HeaderMap::new(),
            is_not_sent: false,
        };
        let mut overridden_at = None;
        let mut action = begin(&flight.authority, Arc::clone(&self.profile), copy);
        loop {
            action = match action {
                Action::Send(pending) => {
                    let url = &pending.request().url;
                    if self.override_at(url).is_some() {
                        overridden_at = Some(url.clone());
                        pending.overridden(self.clock.now())
                    } else {
                        let span = Span::of_request(pending.request());
                        span.around(chain.send(pending)).await?
                    }
                }
                Action::AskAboutHop(question) => {
                    let verdict = match self.overrides.of_url(question.url()) {
                        // Judged before the request is sent.
                        Some(_) => HopVerdict::Unknown,
                        None => hop(question.url().clone()).await?,
                    };
                    question.answer(verdict)
                }
                Action::Done(attempt) => {
                    return Ok(Fetched {
                        attempt,
                        exchanges: chain.exchanges,
                        headers: copied(chain.headers),
                        overridden_at,
                        is_not_sent: chain.is_not_sent,
                    });
                }
            };
        }
    }

    /// Returns the override that ends a chain of redirects at `url`. An override answers for its own
    /// robots.txt. Another URL of its site is fetched if it allows that, and closes if not.
    pub(crate) fn override_at(&self, url: &Url) -> Option<Override> {
        let given = self.overrides.of_url(url)?;
        if Authority::from_robots_url(url.as_str()).is_some() {
            return Some(given);
        }
        let answer = given.answer(&self.profile, self.clock.now());
        let verdict = HopVerdict::new(&answer, &self.crawler, url);
        (verdict != HopVerdict::Allowed).then_some(Override::Closed)
    }
}

/// Copies the values. Received values are slices of the buffer of the whole head, and would keep
/// that buffer in memory as long as the report.
fn copied(mut headers: HeaderMap) -> HeaderMap {
    for value in headers.values_mut() {
        if let Ok(copied) = HeaderValue::from_bytes(value.as_bytes()) {
            *value = copied;
        }
    }
    headers
}

/// Returns the arrival for a request that a limit of this client held up. It is not a fact about
/// the site.
fn not_sent(detail: String) -> Arrival {
    Arrival::new(Received::NotSent { detail })
}

/// Returns whether the time of the whole fetch ended the request.
fn is_late(arrival: &Arrival, deadline: Instant) -> bool {
    let is_timeout = matches!(
        arrival.received,
        Received::Failure {
            failure: TransportFailure::Timeout,
            ..
        }
    );
    is_timeout && Instant::now() >= deadline
}

impl Chain<'_> {
    async fn send(&mut self, pending: PendingRequest) -> Result<Action, Shortage> {
        let (begun, deadline) = (Instant::now(), self.deadline);
        let begun_at = self.context.clock.now();
        let time_left = deadline.saturating_duration_since(begun);
        let site_headers = &self.context.site_headers;
        let request = site_headers.added_to(pending.request(), &self.flight.authority);
        let (arrival, duration) = match self.permit(&request).await {
            Ok(()) => {
                let sent_at = Instant::now();
                let has_waited_long = begun.elapsed() > time_left / 2;
                let sent = self.context.transport.send(&request, deadline);
                let mut sent = pin!(self.flight.sending(sent));
                let arrival = timeout_at(deadline, sent.as_mut()).await;
                let late = |_| {
                    if self.flight.is_kept_waiting() {
                        not_sent("waiting for other connections took too long".to_owned())
                    } else {
                        self.timeout()
                    }
                };
                let arrival = arrival.unwrap_or_else(late);
                let arrival = if has_waited_long && is_late(&arrival, deadline) {
                    not_sent("waiting for other requests took most of the time".to_owned())
                } else {
                    arrival
                };
                (arrival, sent_at.elapsed())
            }
            Err(arrival) => (arrival, begun.elapsed()),
        };
        let Arrival {
            received,
            peer,
            facts: seen,
        } = arrival;
        let now = self.context.clock.now();
        let mut facts = HopFacts::default();
        facts.sent_at = seen
            .sent
            .map(|sent| begun_at.after(sent.saturating_duration_since(begun)));
        facts.ended_at = Some(now);
        facts.peer = peer;
        facts.tls = seen.tls;
        // Any of the headers for a site may be secret.
        facts.request = seen.request.filter(|_| matches!(request, Cow::Borrowed(_)));
        facts.response = seen.response;
        let detail = match &received {
            Received::Failure { detail, .. } | Received::NotSent { detail } => Some(detail.clone()),
            Received::Http(_)
            | Received::FtpFile { .. }
            | Received::FtpReply(_)
            | Received::Shortage(_) => None,
        };
        self.exchanges.push(Exchange {
            peer,
            detail,
            duration,
            facts,
        });
        self.take(pending, received, now)
    }

    /// Waits for the permit to send a request to its host, if it has one.
    async fn permit(&self, request: &Request) -> Result<(), Arrival> {
        let host = Authority::from_parsed_url(&request.url).ok();
        let name = host.as_ref().map(ToString::to_string);
        match self.flight.next(Event::Requests(host)).await {
            Step::Refrain => Err(not_sent(format!(
                "waiting for one of {} requests at once to {} took too long",
                self.context.limits.requests_per_host_max.max(1),
                name.unwrap_or_default(),
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the arrival for a server that did not complete its reply before the deadline.
    fn timeout(&self) -> Arrival {
        let deadline = self.context.limits.deadline;
        Arrival::new(Received::Failure {
            failure: TransportFailure::Timeout,
            detail: format!("the fetch as a whole took longer than {deadline:?}"),
        })
    }

    fn take(
        &mut self,
        pending: PendingRequest,
        received: Received,
        now: Timestamp,
    ) -> Result<Action, Shortage> {
        self.headers = HeaderMap::new();
        Ok(match received {
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
                    body: body.into(),
                    body_end,
                };
                pending.response(response, now)
            }
            Received::FtpFile { body, body_end } => pending.ftp_file(body, body_end, now),
            Received::FtpReply(code) => pending.ftp_reply(code, now),
            Received::NotSent { .. } => {
                self.is_not_sent = true;
                pending.failure(TransportFailure::Timeout, now)
            }
            Received::Failure { failure, .. } => pending.failure(failure, now),
            Received::Shortage(shortage) => return Err(shortage),
        })
    }
}
