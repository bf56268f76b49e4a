//! The server: each route without a socket, and over loopback what only sockets show.
#![allow(clippy::unwrap_used, missing_docs)]

mod api;
mod configuration;
#[cfg(target_os = "linux")]
mod fleet;
mod guards;
mod hook;
mod hostile;
mod indexing;
mod load;
mod mcp;
#[cfg(target_os = "linux")]
mod proxies;
mod routes;
mod site;
mod sites;
mod stdio;
mod watched;
