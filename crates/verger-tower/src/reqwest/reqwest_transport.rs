//! `ReqwestTransport`: fetches robots.txt files through a reqwest client.

use ::reqwest::Client;
use tokio::time::Instant;
use verger_access::{Request, TransportFailure};
use verger_client::{Arrival, BoxFuture, Received, Transport};

use crate::reply;

/// Fetches robots.txt files through a reqwest client, for [`verger_client::Client::over`]. The requests carry the
/// `User-Agent` and the other default headers of that client.
///
/// Build the client with [`reqwest::redirect::Policy::none`], because the access method follows redirects itself and
/// checks each hop. A response that reqwest was redirected to counts as a failure.
#[derive(Clone, Debug)]
pub struct ReqwestTransport {
    http: Client,
}

impl ReqwestTransport {
    /// Creates a transport over `http`.
    #[must_use]
    pub fn new(http: Client) -> Self {
        Self { http }
    }
}

impl Transport for ReqwestTransport {
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            let sent = self.http.get(request.url.clone());
            let sent = sent.headers(reply::headers(request, None)).send().await;
            match sent {
                Ok(response) if *response.url() != request.url => Arrival::new(Received::Failure {
                    failure: TransportFailure::Protocol,
                    detail:
                        "the client followed a redirect: build it with redirect::Policy::none()"
                            .to_owned(),
                }),
                Ok(response) => {
                    let peer = response.remote_addr().map(|address| address.ip());
                    let arrival = reply::read(response.into(), deadline).await;
                    Arrival { peer, ..arrival }
                }
                Err(error) => reply::failed(failure_of(&error), &error),
            }
        })
    }
}

fn failure_of(error: &::reqwest::Error) -> TransportFailure {
    if error.is_timeout() {
        TransportFailure::Timeout
    } else if error.is_connect() {
        TransportFailure::Connect
    } else if error.is_decode() {
        TransportFailure::ContentEncoding
    } else if error.is_body() {
        TransportFailure::Truncated
    } else {
        TransportFailure::Protocol
    }
}
