//! Everything the engine is held to from outside: the cases, the oracle, the laws, hostile input.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod cases;
mod diagnostics;
mod events;
mod forms;
mod hostile;
mod large_sets;
mod laws;
mod one_pass;
mod oracle;
mod subjects;
mod union;
mod views;
mod ways;
