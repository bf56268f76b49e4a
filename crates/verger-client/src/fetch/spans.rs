//! Spans and events of fetches. Without the feature `tracing` they are empty.

use verger_access::{Authority, Outcome, Request};

/// The span of a fetch or a request.
pub(crate) struct Span(#[cfg(feature = "tracing")] tracing::Span);

impl Span {
    pub(crate) fn of_fetch(authority: &Authority) -> Self {
        let _ = authority;
        Self(
            #[cfg(feature = "tracing")]
            tracing::debug_span!("fetch_robots_txt", %authority),
        )
    }

    pub(crate) fn of_request(request: &Request) -> Self {
        let _ = request;
        Self(
            #[cfg(feature = "tracing")]
            tracing::debug_span!("request", url = %request.url),
        )
    }

    /// Runs a future within the span.
    pub(crate) fn around<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        let Self(..) = &self;
        #[cfg(feature = "tracing")]
        let future = tracing::Instrument::instrument(future, self.0);
        future
    }
}

/// Records the outcome of a fetch.
pub(crate) fn fetched(authority: &Authority, outcome: Outcome) {
    #[cfg(feature = "tracing")]
    tracing::debug!(%authority, %outcome, "fetched robots.txt");
    let _ = (authority, outcome);
}
