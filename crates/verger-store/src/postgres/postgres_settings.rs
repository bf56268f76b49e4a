//! `PostgresSettings`: deadlines, connections and the clock of a store in a database.

use core::time::Duration;

/// How to query a database. Parameters of its URL take precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PostgresSettings {
    /// Deadline of a call that a fetch or a decision waits for. Default: 250 ms. URL parameter: `verger_deadline_ms`.
    /// A step of a sweep, an import or a count may take a hundred times as long, and at least 30 s.
    pub deadline: Duration,
    /// Maximum number of connections, not counting the one that listens. Default: 8. URL parameter:
    /// `verger_connections`.
    pub connections_max: usize,
    /// Whether connections go directly to the database (default) or to a pooler (URL parameter `verger_pooler=1`).
    pub route: PostgresRoute,
    /// The clock by which leases expire. Default: that of the database.
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
    /// The database itself. Connections keep their settings, and receive notifications of changes.
    Direct,
    /// A pooler that shares connections between transactions, such as `PgBouncer`. Callers that wait for another
    /// process poll, and the timeouts for statements and locks are those of the database role.
    Pooler,
}

/// The clock by which leases expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseClock {
    /// The clock of the database, because the clocks of the machines may differ. Times of callers are ignored.
    Database,
    /// The times of callers, as in every other store. Use it for histories in virtual time.
    Caller,
}
