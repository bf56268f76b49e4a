//! `dispatch`: admits a request, runs its route, and counts, names and logs the result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::Response;
use futures_util::FutureExt as _;
use http::header::{AUTHORIZATION, HOST, HeaderValue};
use http::{HeaderName, Request, Version};
use tokio::time::timeout;

use crate::call::Call;
use crate::metrics::Shed;
use crate::problem::Problem;
use crate::query::Query;
use crate::request_id::RequestIds;
use crate::route::{Access, Route};
use crate::service::Service;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The number of the client at the other end of a connection.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) u64);

#[derive(Clone)]
pub(crate) struct Dispatcher {
    pub(crate) service: Arc<Service>,
    pub(crate) ids: Arc<RequestIds>,
}

impl Dispatcher {
    /// Answers a request for the route at this index of the table.
    pub(crate) async fn dispatch(
        self,
        place: usize,
        route: &'static Route,
        request: Request<Body>,
    ) -> Response {
        let started = Instant::now();
        let id = self.ids.of(request.headers().get(&REQUEST_ID));
        let answered = self.admitted(route, request).await;
        let mut problem = None;
        let mut response = answered.unwrap_or_else(|why| {
            problem = Some(why.code);
            why.into_response()
        });
        let status = response.status().as_u16();
        let took = started.elapsed();
        self.service.metrics.count_request(place, status, took);
        log(route.name, &id, status, took, problem);
        response.headers_mut().insert(REQUEST_ID, id);
        response
    }

    /// Answers a request that matches no route: unknown path or method.
    pub(crate) fn without_route<B>(&self, request: &Request<B>, problem: Problem) -> Response {
        let id = self.ids.of(request.headers().get(&REQUEST_ID));
        let (status, code) = (problem.status().as_u16(), Some(problem.code));
        log("none", &id, status, Duration::ZERO, code);
        let mut response = problem.into_response();
        response.headers_mut().insert(REQUEST_ID, id);
        response
    }

    async fn admitted(
        &self,
        route: &'static Route,
        request: Request<Body>,
    ) -> Result<Response, Problem> {
        let service = &self.service;
        let (parts, body) = request.into_parts();
        let (mut place, mut client) = (None, 0);
        let peer = parts.extensions.get::<Peer>();
        let hosts = parts.headers.get_all(HOST).iter().count();
        if peer.is_some() && parts.version == Version::HTTP_11 && hosts != 1 {
            // RFC 9112, 3.2.
            return Err(Problem::bad(
                "host",
                "invalid request: send one Host header",
            ));
        }
        if route.access == Access::Token {
            let authorization = parts.headers.get(AUTHORIZATION);
            let authorization = authorization.map(HeaderValue::as_bytes);
            let tokens = &Arc::clone(&service.reloadable.borrow()).tokens;
            let holder = tokens.holder(authorization);
            let holder = holder.ok_or_else(Problem::unauthorized)?;
            client = holder.client.or(peer.map(|it| it.0)).unwrap_or_default();
            tokens.count(holder).map_err(|seconds| {
                service.metrics.count_shed(Shed::Rate);
                let detail = format!("too many requests from `{}`: retry later", holder.name);
                let status = http::StatusCode::TOO_MANY_REQUESTS;
                Problem::new(status, "rate", detail).retry_after(seconds)
            })?;
            let Ok(got) = Arc::clone(&service.requests).try_acquire_owned() else {
                return Err(service.shed(Shed::Requests, "too many requests in progress"));
            };
            place = Some(got);
        }
        // A route without parameters ignores the query, because Caddy sends `authz` the query of the original
        // request.
        let reads_query = route.query_names().next().is_some();
        let query = parts.uri.query().filter(|_| reads_query);
        let mut query = Query::read(query.unwrap_or_default(), route.query_names())?;
        query.asker.client = client;
        let call = Call {
            service: Arc::clone(service),
            query,
            uri: parts.uri,
            headers: parts.headers,
            body,
            place,
        };
        let mut answering = (route.handler)(call);
        // Answers from memory need no timer.
        if let Some(answered) = (&mut answering).now_or_never() {
            return answered;
        }
        let patience = Duration::from_secs(service.settings.timeout);
        let answered = timeout(patience, answering).await;
        answered.unwrap_or_else(|_| {
            service.metrics.count_shed(Shed::Time);
            let detail = "request timed out: try again later";
            Err(Problem::busy("out-of-time", detail))
        })
    }
}

/// Logs successful requests only if the filter enables them, and failures always.
fn log(route: &str, id: &HeaderValue, status: u16, took: Duration, problem: Option<&str>) {
    let id = id.to_str().unwrap_or_default();
    let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    if status >= 500 {
        tracing::warn!(route, id, status, microseconds, problem, "request");
    } else {
        tracing::debug!(route, id, status, microseconds, problem, "request");
    }
}
