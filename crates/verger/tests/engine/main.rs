//! Tests of the engine from outside: the cases, the oracle, the laws and hostile input.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod cases;
mod diagnostics;
mod escape_start;
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
