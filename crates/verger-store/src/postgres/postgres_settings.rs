//! `PostgresSettings`: how a database is asked.

use core::time::Duration;

/// How a database is asked. The parameters of its URL count before these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PostgresSettings {
    /// The deadline of a call that a fetch or a decision waits for. Default: 250 ms; `verger_deadline_ms` in a URL. A
    /// step of a sweep, an import or a count has a hundred times as long, but never less than 30 s.
    pub deadline: Duration,
    /// The most connections at once, and one more that listens. Default: 8; `verger_connections` in a URL.
    pub connections_max: usize,
    /// Whether connections go to the database itself. Default: they do; `verger_pooler=1` in a URL says that they do not.
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
