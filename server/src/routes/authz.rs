//! `/v1/authz`: checks self-declared crawlers against the robots.txt of the site they request, for nginx, Caddy and
//! Traefik. This is not access control: requests that name no known crawler pass.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{HOST, HeaderValue, USER_AGENT};
use http::{HeaderMap, HeaderName, StatusCode};
use verger_access::Authority;
use verger_answer::{Explaining, ResolvedCrawler};

use crate::call::Call;
use crate::problem::Problem;
use crate::query::Query;
use crate::site_lookup::{Agent, SiteQuestion};

const CRAWLER: HeaderName = HeaderName::from_static("x-verger-crawler");

/// Handles `GET /v1/authz`: returns 204 or 403.
pub(crate) async fn authz(call: Call) -> Result<Response, Problem> {
    let url = asked_url(&call.headers)?;
    let authority = Authority::from_url(&url).map_err(Problem::because("url"))?;
    if !call.service.reloadable.borrow().sites.contains(&authority) {
        let detail = format!("unknown site {authority}: add it to --site");
        return Err(Problem::not_found("site", detail));
    }
    let header = call.headers.get(USER_AGENT);
    let header: String = header.map_or_else(String::new, |value| {
        value.as_bytes().iter().copied().map(char::from).collect()
    });
    // The client's own fetch of robots.txt may pass through this server.
    if Authority::from_robots_url(&url).is_some() {
        return Ok(passes(None));
    }
    let named = ResolvedCrawler::from_header(&header).ok();
    let Some(known) = named.and_then(|crawler| crawler.known()) else {
        return Ok(passes(None));
    };
    // Uses the registry name because clients can invent any number of headers.
    let crawler = ResolvedCrawler::from_known(known, known.name());
    let name = HeaderValue::try_from(known.name()).map_err(Problem::defect)?;
    let question = SiteQuestion {
        agent: Agent::Resolved(Arc::new(crawler)),
        ..Query::default().question(&call.service, Explaining::No)?
    };
    let site = question.of_url(&call.service, &url).await?;
    let target = site.known.target(&url).map_err(Problem::because("url"))?;
    match site.known.effect(&target) {
        Some(verger::Effect::Disallow) => {
            let detail = "disallowed by robots.txt: this crawler may not fetch this URL";
            let refused = Problem::new(StatusCode::FORBIDDEN, "disallowed", detail);
            Err(refused.with_header(CRAWLER, name))
        }
        Some(verger::Effect::Allow) | None => Ok(passes(Some(name))),
    }
}

fn passes(crawler: Option<HeaderValue>) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.extend(crawler.map(|name| (CRAWLER, name)));
    response
}

/// Returns the original URL: `X-Original-URL`, which nginx.conf sets, or else the URL in `X-Forwarded-Proto`,
/// `X-Forwarded-Host` and `X-Forwarded-Uri`, which Caddy and Traefik send. Bytes that are invalid in a URL are
/// percent-encoded because a request may contain them.
fn asked_url(headers: &HeaderMap) -> Result<String, Problem> {
    let text = |name: &str| {
        let bytes = headers.get(name)?.as_bytes();
        Some(percent_encoding::percent_encode(bytes, percent_encoding::CONTROLS).to_string())
    };
    let host = text("x-forwarded-host").or_else(|| text(HOST.as_str()));
    let forwarded = text("x-forwarded-proto")
        .zip(host)
        .zip(text("x-forwarded-uri"));
    let forwarded = forwarded.map(|((scheme, host), path)| format!("{scheme}://{host}{path}"));
    let url = match (text("x-original-url"), forwarded) {
        (Some(url), None) | (None, Some(url)) => url,
        // The web server sends a single URL. Its client has forged the other.
        (Some(_), Some(_)) => {
            let detail = "two URLs: remove X-Original-URL or X-Forwarded-Uri in the web server";
            return Err(Problem::bad("headers", detail));
        }
        (None, None) => {
            let detail = "missing URL: send X-Original-URL, or X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-Uri";
            return Err(Problem::bad("headers", detail));
        }
    };
    // A host such as `example.com#` would hide the path.
    let host = url
        .split_once("://")
        .map(|(_, rest)| rest.split('/').next());
    if host
        .flatten()
        .is_some_and(|host| host.contains(['\\', '?', '#']))
    {
        let detail = "invalid URL: the path must follow the host";
        return Err(Problem::bad("url", detail));
    }
    Ok(url)
}
