//! `ServiceTransport`: fetches robots.txt files through a tower service.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use http::HeaderValue;
use http_body::Body;
use tokio::time::Instant;
use tower_service::Service;
use verger_access::{Request, TransportFailure};
use verger_client::{Arrival, BoxFuture, Transport};

use crate::reply;

/// Fetches robots.txt files through a service that sends HTTP requests, for [`verger_client::Client::over`].
///
/// The service must not follow redirects, because the access method follows them and checks each hop. It must also
/// guard addresses if necessary: the address guard of Verger works only in Verger's own transport.
pub struct ServiceTransport<S, B> {
    service: Mutex<S>,
    user_agent: HeaderValue,
    classify: Box<Classify>,
    body: PhantomData<fn() -> B>,
}

type Classify = dyn Fn(&(dyn Error + 'static)) -> TransportFailure + Send + Sync;

impl<S, B> ServiceTransport<S, B> {
    /// Creates a transport over `service`. Each request for a robots.txt carries `user_agent`, which should be that of
    /// the requests for pages.
    pub fn new(service: S, user_agent: HeaderValue) -> Self {
        Self {
            service: Mutex::new(service),
            user_agent,
            classify: Box::new(|_| TransportFailure::Connect),
            body: PhantomData,
        }
    }

    /// Sets the function that classifies errors of the service. Default: [`TransportFailure::Connect`]. Profiles
    /// treat most failures alike.
    #[must_use]
    pub fn classify(
        mut self,
        classify: impl Fn(&(dyn Error + 'static)) -> TransportFailure + Send + Sync + 'static,
    ) -> Self {
        self.classify = Box::new(classify);
        self
    }
}

impl<S, B> fmt::Debug for ServiceTransport<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceTransport")
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}

impl<S, B, R> Transport for ServiceTransport<S, B>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone + Send,
    S::Future: Send,
    S::Error: Error + Send + 'static,
    B: Default + Send + 'static,
    R: Body + Send,
    R::Data: Send,
    R::Error: Error + Send,
{
    fn send<'a>(&'a self, request: &'a Request, deadline: Instant) -> BoxFuture<'a, Arrival> {
        Box::pin(async move {
            let mut service = {
                let service = self.service.lock();
                service.unwrap_or_else(PoisonError::into_inner).clone()
            };
            let mut sent = http::Request::new(B::default());
            match request.url.as_str().parse() {
                Ok(uri) => *sent.uri_mut() = uri,
                Err(error) => return reply::failed(TransportFailure::Protocol, &error),
            }
            *sent.headers_mut() = reply::headers(request, Some(&self.user_agent));
            if let Err(error) = poll_fn(|context| service.poll_ready(context)).await {
                return reply::failed((self.classify)(&error), &error);
            }
            match service.call(sent).await {
                Ok(response) => reply::read(response, deadline).await,
                Err(error) => reply::failed((self.classify)(&error), &error),
            }
        })
    }
}
