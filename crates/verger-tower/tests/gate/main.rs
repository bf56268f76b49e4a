//! Tests of the gate with tower services and reqwest. Time is virtual when delays are kept.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod layer;
mod middleware;
mod site;
