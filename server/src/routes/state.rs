//! Routes about the server itself.

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::response::Response;

use crate::call::{Call, JSON, ok};
use crate::problem::Problem;

/// The description that is committed; a test makes it anew and compares.
const OPENAPI: &str = include_str!("../../openapi.json");

/// `GET /healthz`: the process answers.
pub(crate) async fn healthz(_: Call) -> Result<Response, Problem> {
    Ok(ok("text/plain; charset=utf-8", "ok\n"))
}

/// `GET /readyz`: requests may be sent here. Without its store the server answers from memory and fetches, so
/// that this makes it no less ready.
pub(crate) async fn readyz(call: Call) -> Result<Response, Problem> {
    if call.service.is_stopping.load(Ordering::Relaxed) {
        return Err(Problem::busy("stopping", "the server ends"));
    }
    let is_up = !call.service.metrics.is_store_failing();
    let body = format!("{{\"ready\":true,\"store_up\":{is_up}}}");
    Ok(ok(JSON, body))
}

/// `GET /v1/openapi.json`.
pub(crate) async fn openapi(_: Call) -> Result<Response, Problem> {
    Ok(ok(JSON, Body::from(OPENAPI)))
}

/// `GET /metrics`.
pub(crate) async fn metrics(call: Call) -> Result<Response, Problem> {
    let text = call.service.metrics.text(call.service.gauges());
    Ok(ok("text/plain; version=0.0.4; charset=utf-8", text))
}
