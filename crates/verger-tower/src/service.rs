//! The gate as a tower layer.

use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use crate::gate::Gate;
use crate::gate_error::GateError;

/// Puts a [`Gate`] before a service.
#[derive(Clone, Debug)]
pub struct GateLayer {
    gate: Gate,
}

impl Gate {
    /// Returns the tower layer that puts the gate before a service.
    #[must_use]
    pub fn layer(&self) -> GateLayer {
        GateLayer { gate: self.clone() }
    }
}

impl<S> Layer<S> for GateLayer {
    type Service = GateService<S>;

    fn layer(&self, inner: S) -> GateService<S> {
        let gate = self.gate.clone();
        GateService { gate, inner }
    }
}

/// A service behind a gate. A denied request does not reach it.
///
/// It is always ready, because a request waits for the inner service only after it has passed the gate. So a request
/// that waits for its robots.txt or for a delay holds no capacity, and the same service can fetch robots.txt files. The
/// URI of a request must be absolute, as clients send it.
#[derive(Clone, Debug)]
pub struct GateService<S> {
    gate: Gate,
    inner: S,
}

/// The future of a [`GateService`].
pub struct GateFuture<R, E>(Pin<Box<dyn Future<Output = Result<R, GateError<E>>> + Send>>);

impl<R, E> Future for GateFuture<R, E> {
    type Output = Result<R, GateError<E>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context)
    }
}

impl<R, E> fmt::Debug for GateFuture<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GateFuture").finish_non_exhaustive()
    }
}

impl<S, B, R> Service<Request<B>> for GateService<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Error + Send,
    B: Send + 'static,
    R: 'static,
{
    type Response = Response<R>;
    type Error = GateError<S::Error>;
    type Future = GateFuture<Response<R>, S::Error>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut inner = self.inner.clone();
        let gate = self.gate.clone();
        GateFuture(Box::pin(async move {
            let url = request.uri().to_string();
            let is_ready = poll_fn(|context| inner.poll_ready(context));
            gate.pass_when(&url, is_ready).await?;
            inner.call(request).await.map_err(GateError::Client)
        }))
    }
}
