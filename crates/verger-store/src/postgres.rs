//! The store in a `PostgreSQL` database, for several machines.
//!
//! `database_failure`, `address` (the URL and its settings), `tls`, `statement`, `connection` (one, with the version of its
//! schema), `pool` (at most so many), `runtime` (a thread that asks, and the deadline of each call), `wakes` (who waits for a
//! change), `schema`, `migrations`, then `rows`, `leases`, `puts`, `deliveries`, `sweeping`, `sizes`.
//! `postgres_store` combines them.

mod address;
mod connection;
mod database_failure;
mod deliveries;
mod leases;
mod migrations;
pub(crate) mod open_database_error;
mod pool;
pub(crate) mod postgres_settings;
pub(crate) mod postgres_store;
mod puts;
mod rows;
mod runtime;
mod schema;
mod sizes;
mod statement;
mod sweeping;
mod tls;
mod wakes;
