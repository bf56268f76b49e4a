//! Tests of the access method: scenarios, tables and laws. Time is virtual.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod histories;
mod laws;
mod locations;
mod machine;
mod machine_driver;
mod origin;
mod outages;
mod policies;
mod recorded;
mod replay;
mod scenarios;
mod session;
mod session_world;
mod tables;
mod user_agents;
