//! Tests that each behaviour of the origin does on the wire what its entry says, with bare sockets.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod bombs;
mod conversation;
mod ftp;
mod http;
mod http2;
mod origin;
mod tls;
