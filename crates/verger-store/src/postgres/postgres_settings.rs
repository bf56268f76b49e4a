//! `PostgresSettings`: how a database is asked.

use core::time::Duration;

/// How a database is asked. The parameters of its URL count before these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PostgresSettings {
    /// Deadline of a call that a fetch or a decision waits for. Default: 250 ms. URL parameter: `verger_deadline_ms`.
    /// A step of a sweep, an import or a count may take a hundred times as long, and at least 30 s.
    pub deadline: Duration,
    /// Maximum number of connections, without the one that listens. Default: 8. URL parameter: `verger_connections`.
    pub connections_max: usize,
    /// Whether connections go directly to the database (default) or to a pooler (URL parameter `verger_pooler=1`).
    pub route: PostgresRoute,
    /// By which clock leases expire. Default: by that of the database.
    pub lease_clock: LeaseClock,
}

impl Default for PostgresSettings {
    fn default() -> Self {
        Self {
            deadline: Duration::from_millis(250),
            connections_max: 8,
            route: PostgresRoute::Direct,
            lease_clock: LeaseClock::Database,
        }
    }
}

/// The kind of server that connections go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostgresRoute {
    /// The database. Connections keep settings, and hear of changes.
    Direct,
    /// A pooler that shares connections between transactions, such as `PgBouncer`: callers that wait for another process
    /// poll, and the limits of the server for statements and locks are those of its role.
    Pooler,
}

/// By which clock leases expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseClock {
    /// The clock of the database: those of the machines may differ. The times that callers give do not count.
    Database,
    /// The times that callers give, as in every other store: for histories in virtual time.
    Caller,
}
