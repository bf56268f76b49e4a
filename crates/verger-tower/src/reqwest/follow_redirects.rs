//! `FollowRedirects`: sends each hop of a redirect through the middleware after it.

use ::reqwest::{Method, Request, Response, StatusCode, Url};
use async_trait::async_trait;
use http::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION,
    PROXY_AUTHORIZATION, TRANSFER_ENCODING, WWW_AUTHENTICATE,
};
use http::{Extensions, HeaderMap};
use reqwest_middleware::{Middleware, Next};
use thiserror::Error;

/// Maximum number of followed redirects, as in reqwest.
const HOPS_MAX: usize = 10;

/// Follows redirects by sending a request for each hop through the middleware after it. The redirect policy of reqwest
/// would bypass all middleware.
///
/// 301 and 302 turn a POST into a GET without a body, and 303 turns every request except HEAD into a GET. All other
/// requests are repeated (RFC 9110, 15.4). Credentials of the request do not follow to another origin, but the default
/// headers of reqwest do (see [`gated`](crate::reqwest::gated())). A redirect response is returned unchanged if the
/// request body is a stream, or if it does not lead to an http or https URL. A timeout applies to each hop.
#[derive(Clone, Debug)]
pub struct FollowRedirects {
    hops_max: usize,
}

impl FollowRedirects {
    /// Sets the maximum number of hops. Default: 10, as in reqwest.
    #[must_use]
    pub fn up_to(hops_max: usize) -> Self {
        Self { hops_max }
    }
}

impl Default for FollowRedirects {
    fn default() -> Self {
        Self::up_to(HOPS_MAX)
    }
}

/// There are more redirects than [`FollowRedirects`] follows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("more than {hops_max} redirects: the next one leads to {url}")]
pub struct TooManyRedirects {
    url: Url,
    hops_max: usize,
}

impl TooManyRedirects {
    /// Returns the URL of the next hop.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }
}

#[async_trait]
impl Middleware for FollowRedirects {
    async fn handle(
        &self,
        request: Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> reqwest_middleware::Result<Response> {
        let mut request = request;
        let mut hops = 0;
        loop {
            let repeated = request.try_clone();
            let response = next.clone().run(request, extensions).await?;
            let Some(target) = target(&response) else {
                return Ok(response);
            };
            let Some(repeated) = repeated else {
                return Ok(response);
            };
            if hops == self.hops_max {
                let hops_max = self.hops_max;
                let error = TooManyRedirects {
                    url: target,
                    hops_max,
                };
                return Err(reqwest_middleware::Error::middleware(error));
            }
            hops += 1;
            request = redirected(repeated, target, response.status());
        }
    }
}

fn target(response: &Response) -> Option<Url> {
    let redirects = [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::SEE_OTHER,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ];
    if !redirects.contains(&response.status()) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    let location = str::from_utf8(location.as_bytes()).ok()?;
    let mut target = response.url().join(location).ok()?;
    if target.fragment().is_none() {
        // RFC 9110, 10.2.2: the fragment of the request is inherited.
        target.set_fragment(response.url().fragment());
    }
    matches!(target.scheme(), "http" | "https").then_some(target)
}

fn redirected(mut request: Request, target: Url, status: StatusCode) -> Request {
    let becomes_get = match status {
        StatusCode::SEE_OTHER => *request.method() != Method::HEAD,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => *request.method() == Method::POST,
        _ => false,
    };
    if becomes_get {
        *request.method_mut() = Method::GET;
        *request.body_mut() = None;
        let of_body = [
            CONTENT_TYPE,
            CONTENT_LENGTH,
            CONTENT_ENCODING,
            TRANSFER_ENCODING,
        ];
        remove(request.headers_mut(), &of_body);
    }
    if request.url().origin() != target.origin() {
        let credentials = [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION, WWW_AUTHENTICATE];
        remove(request.headers_mut(), &credentials);
    }
    *request.url_mut() = target;
    request
}

fn remove(headers: &mut HeaderMap, names: &[http::HeaderName]) {
    for name in names {
        headers.remove(name);
    }
}
