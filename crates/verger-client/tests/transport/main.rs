//! The network transport against servers on loopback. Most send fixed bytes and implement no
//! protocol.
#![allow(clippy::unwrap_used)]

mod address_permits;
mod answers;
mod bodies;
mod failures;
mod ftp;
mod ftp_servers;
mod idle_connections;
mod loopback;
#[cfg(feature = "hickory")]
mod name_servers;
mod proxies;
mod refused_addresses;
mod scene;
mod secure;
