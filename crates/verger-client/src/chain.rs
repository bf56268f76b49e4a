//! One fetch: the access machine, driven over a transport.

use core::time::Duration;
use std::sync::Arc;

use http::HeaderMap;
use tokio::time::{Instant, timeout_at};
use verger_access::{
    Action, Authority, GoodCopy, HopVerdict, Profile, Response, Sending, TransportFailure, begin,
};

use crate::clock::Clock;
use crate::dialer::deadline_after;
use crate::fetch_limits::FetchLimits;
use crate::fetched::{Exchange, Fetched};
use crate::future::BoxFuture;
use crate::host_permits::HostPermits;
use crate::transport::{Arrival, HttpReply, Received, Transport};

/// What every fetch goes over.
pub(crate) struct Line {
    pub(crate) profile: Arc<Profile>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: FetchLimits,
    pub(crate) hosts: HostPermits,
}

/// A fetch that is under way.
struct Chain<'l> {
    line: &'l Line,
    /// How much of the deadline is left.
    left: Duration,
    exchanges: Vec<Exchange>,
    headers: HeaderMap,
}

impl Line {
    /// Fetches the robots.txt of `authority`, asking `hop` about URLs that redirects lead to.
    pub(crate) async fn fetch(
        &self,
        authority: &Authority,
        copy: Option<&GoodCopy>,
        hop: impl Fn(url::Url) -> BoxFuture<'static, HopVerdict>,
    ) -> Fetched {
        let mut chain = Chain {
            line: self,
            left: self.limits.deadline,
            exchanges: Vec::new(),
            headers: HeaderMap::new(),
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
                        headers: chain.headers,
                    };
                }
            };
        }
    }
}

impl Chain<'_> {
    async fn send<'p>(&mut self, sending: Sending<'p>) -> Action<'p> {
        // A URL that is sent to has an authority; without one there is nobody to be spared.
        let authority = Authority::of_url(&sending.request().url).ok();
        let _permit = match authority {
            Some(authority) => Some(self.line.hosts.enter(authority).await),
            None => None,
        };
        let begun = Instant::now();
        let deadline = deadline_after(self.left);
        let sent = self.line.transport.send(sending.request(), deadline);
        let arrival = timeout_at(deadline, sent).await;
        let duration = begun.elapsed();
        self.left = self.left.saturating_sub(duration);
        let Arrival { received, peer } = arrival.unwrap_or_else(|_| self.out_of_time());
        let detail = match &received {
            Received::Failure { detail, .. } => Some(detail.clone()),
            Received::Http(_) | Received::FtpFile { .. } | Received::FtpReply(_) => None,
        };
        self.exchanges.push(Exchange {
            peer,
            detail,
            duration,
        });
        self.hand_in(sending, received)
    }

    fn out_of_time(&self) -> Arrival {
        let deadline = self.line.limits.deadline;
        Arrival {
            received: Received::Failure {
                failure: TransportFailure::Timeout,
                detail: format!("the fetch as a whole took longer than {deadline:?}"),
            },
            peer: None,
        }
    }

    fn hand_in<'p>(&mut self, sending: Sending<'p>, received: Received) -> Action<'p> {
        let now = self.line.clock.now();
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
            Received::Failure { failure, .. } => sending.failure(failure, now),
        }
    }
}
