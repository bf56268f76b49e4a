//! The access method, held from outside to scenarios and laws.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]
