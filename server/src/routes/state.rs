//! Routes about the server itself.

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::response::Response;

use crate::call::{Call, JSON, ok};
use crate::problem::Problem;

/// The committed description. A test compares it with a generated one.
const OPENAPI: &str = include_str!("../../openapi.json");

pub(crate) async fn healthz(_: Call) -> Result<Response, Problem> {
    Ok(ok("text/plain; charset=utf-8", "ok\n"))
}

/// Handles `GET /readyz`: requests may be sent here. A store outage does not matter, because the server then answers
/// from memory and fetches.
pub(crate) async fn readyz(call: Call) -> Result<Response, Problem> {
    if call.service.is_stopping.load(Ordering::Relaxed) {
        return Err(Problem::busy("stopping", "stopping: use another server"));
    }
    let is_up = !call.service.metrics.is_store_failing();
    let body = format!("{{\"ready\":true,\"store_up\":{is_up}}}");
    Ok(ok(JSON, body))
}

pub(crate) async fn openapi(_: Call) -> Result<Response, Problem> {
    Ok(ok(JSON, Body::from(OPENAPI)))
}

pub(crate) async fn metrics(call: Call) -> Result<Response, Problem> {
    let mut text = call.service.metrics.text(call.service.gauges());
    if let Some(watching) = &call.service.watching {
        watching.write_metrics(&mut text, &watching.rows());
    }
    Ok(ok("text/plain; version=0.0.4; charset=utf-8", text))
}
