//! Creates a reqwest client with a gate.

use std::sync::Arc;

use ::reqwest::redirect::Policy;
use ::reqwest::{Request, Response};
use async_trait::async_trait;
use http::Extensions;
use reqwest_middleware::{Middleware, Next};
use thiserror::Error;
use verger_client::{Client, Crawler, SettingsError};

use crate::denied::Denied;
use crate::gate::Gate;
use crate::gate_error::GateError;
use crate::reqwest::follow_redirects::FollowRedirects;
use crate::reqwest::reqwest_transport::ReqwestTransport;

/// Creates a client that checks robots.txt before each request and at each redirect, under the profile of RFC 9309
/// and with answers in memory. Its requests carry `user_agent`. All other settings come from `http`, except the
/// redirect policy, which [`FollowRedirects`] replaces.
///
/// Reqwest sends its default headers with every request: to other origins after redirects, and with requests for
/// robots.txt. So do not put credentials there. Set them on each request, or use
/// [`with_init`](reqwest_middleware::ClientBuilder::with_init) of the returned builder, which sets them when a request
/// begins:
///
/// ```no_run
/// # use verger_tower::{Crawler, ProductToken, reqwest::gated};
/// # fn set_up() -> Result<(), Box<dyn std::error::Error>> {
/// let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
/// let http = gated(reqwest::Client::builder(), "ExampleBot/1.0 (+https://example.com/bot)", crawler)?
///     .with_init(|request: reqwest_middleware::RequestBuilder| request.bearer_auth("token"))
///     .build();
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Returns an error if reqwest cannot be set up, or `user_agent` is not a valid header value.
pub fn gated(
    http: ::reqwest::ClientBuilder,
    user_agent: &str,
    crawler: Crawler,
) -> Result<reqwest_middleware::ClientBuilder, GatedError> {
    gated_with(http, user_agent, crawler, |gate| gate)
}

/// Works like [`gated()`], with the settings of the gate that `set` makes, such as [`Gate::least_delay`].
///
/// # Errors
///
/// Returns an error if reqwest cannot be set up, or `user_agent` is not a valid header value.
pub fn gated_with(
    http: ::reqwest::ClientBuilder,
    user_agent: &str,
    crawler: Crawler,
    set: impl FnOnce(Gate) -> Gate,
) -> Result<reqwest_middleware::ClientBuilder, GatedError> {
    let http = http.user_agent(user_agent).redirect(Policy::none());
    let http = http.build().map_err(GatedError::Reqwest)?;
    let robots = Client::over(Arc::new(ReqwestTransport::new(http.clone())));
    let robots = robots.crawler(crawler.clone()).build();
    let gate = Gate::new(robots.map_err(GatedError::Settings)?, crawler);
    let http = reqwest_middleware::ClientBuilder::new(http);
    Ok(http.with(FollowRedirects::default()).with(set(gate)))
}

/// Returns the reason if a gate denied the request.
#[must_use]
pub fn denied(error: &reqwest_middleware::Error) -> Option<&Denied> {
    let reqwest_middleware::Error::Middleware(error) = error else {
        return None;
    };
    match error.downcast_ref::<GateError>() {
        Some(GateError::Denied(denied)) => Some(denied),
        _ => None,
    }
}

#[async_trait]
impl Middleware for Gate {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let passed = self.pass(request.url().as_str()).await;
        passed.map_err(reqwest_middleware::Error::middleware)?;
        next.run(request, extensions).await
    }
}

/// Why a client with a gate cannot be created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GatedError {
    /// Reqwest cannot be set up.
    #[error(transparent)]
    Reqwest(::reqwest::Error),
    /// The client that fetches robots.txt files cannot be set up.
    #[error(transparent)]
    Settings(SettingsError),
}
