//! The hostile origin, asked by clients that know nothing but sockets: each behaviour does on the
//! wire what its entry says.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod bombs;
mod conversation;
mod ftp;
mod http;
mod http2;
mod origin;
mod tls;
