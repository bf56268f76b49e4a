//! The gate before services of tower and before reqwest. Time is virtual where delays are kept.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod layer;
mod middleware;
mod site;
