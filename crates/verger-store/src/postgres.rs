//! The store in a `PostgreSQL` database, for several machines.
//!
//! | module | content |
//! |---|---|
//! | `address` | the URL of the database and its parameters |
//! | `tls`, `connection`, `pool` | connections: encryption, one of them, a bounded number |
//! | `statement`, `database_failure` | a query, and why it failed |
//! | `runtime` | the thread that sends queries, and the deadline of each call |
//! | `wakes` | callers that wait for a change |
//! | `schema`, `migrations` | the tables and their versions |
//! | `rows`, `leases`, `puts`, `deliveries`, `turns`, `sweeping`, `sizes` | the queries |
//! | `postgres_store` | the store |

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
mod turns;
mod wakes;
