//! The server: each route without a socket, and over loopback what only sockets show.
#![allow(clippy::unwrap_used, missing_docs)]

#[cfg(target_os = "linux")]
mod alerts;
mod api;
mod configuration;
#[cfg(target_os = "linux")]
mod fleet;
mod guards;
mod hook;
mod hostile;
mod inbox;
mod indexing;
mod load;
mod mcp;
mod past_fetch;
#[cfg(target_os = "linux")]
mod proxies;
mod routes;
mod site;
mod sites;
mod stdio;
#[cfg(target_os = "linux")]
mod watch_fleet;
mod watched;
