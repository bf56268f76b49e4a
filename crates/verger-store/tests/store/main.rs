//! Tests of both stores against the guarantees of `Store`. Time is virtual.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod contract;
mod crash;
mod damage;
mod export;
mod file;
mod histories;
#[path = "../../../verger-access/tests/access/machine_driver.rs"]
mod machine_driver;
mod memory;
mod preview;
mod processes;
mod quotas;
mod read_only;
#[path = "../../../verger-access/tests/access/replay.rs"]
mod replay;
mod scene;
mod sweeps;
mod under;
mod versions;
