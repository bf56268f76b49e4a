//! Tests of the responder, as a service without a port and through axum on loopback.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod loopback;
mod service;
