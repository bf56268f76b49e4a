//! Fetches robots.txt files and decides: the access method carried out.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod clock;
mod future;
mod transport;

pub use clock::{Clock, SystemClock};
pub use future::BoxFuture;
pub use transport::{Arrival, HttpReply, Received, Transport};
