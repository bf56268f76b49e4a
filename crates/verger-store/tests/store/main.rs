//! Tests of all stores against the guarantees of `Store`. Time is virtual.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod contract;
mod crash;
mod damage;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_clock;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_faults;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_kills;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_pooler;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_standby;
#[cfg(all(feature = "postgres", target_os = "linux"))]
mod database_tls;
mod export;
mod file;
mod histories;
mod in_force;
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
mod turns;
mod under;
mod versions;
