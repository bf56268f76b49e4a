//! `Pool`: the connections of a store, up to a limit.
//!
//! A caller takes an idle connection or waits for one. Meanwhile another connection is opened, one at a time, up to
//! the limit. Opening continues after the caller's deadline, so a slow handshake delays callers only once. If no
//! connection can be opened, callers wait for connections in use. If none is in use, they fail immediately. The next
//! attempt follows 250 ms later, which spreads the load on a database that has just come back.

use core::time::Duration;
use std::pin::pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_postgres::Row;

use crate::postgres::address::Address;
use crate::postgres::connection::{Connection, in_time};
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::statement::Statement;
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// Maximum pause after a failed attempt.
const PAUSE_MAX: Duration = Duration::from_millis(250);

pub(crate) struct Pool {
    pub(crate) address: Address,
    state: UnpoisonedMutex<PoolState>,
    changed: Notify,
}

#[derive(Default)]
struct PoolState {
    idle: Vec<Connection>,
    /// Number of connections: idle, in use, or being opened.
    open: usize,
    is_opening: bool,
    /// Why the last attempt to connect failed, and when the next one is due.
    refused: Option<(Instant, DatabaseFailure)>,
}

/// A connection in use. If it is [`Use::Answered`] when it is dropped, it returns to the pool. If not, it is closed,
/// and counts as open until the server has noticed, for at most 250 ms.
pub(crate) struct Pooled<'p> {
    pool: &'p Arc<Pool>,
    connection: Option<Connection>,
    state: Use,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Answered,
    /// A reply is outstanding, or the last one is unusable.
    Asked,
    /// Between `begin` and a successful `commit`. After a failed commit the connection is closed.
    Transaction,
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        let connection = self.connection.take().filter(Connection::is_open);
        match (connection, Handle::try_current()) {
            (Some(given_up), Ok(runtime)) if self.state != Use::Answered => {
                let pool = Arc::clone(self.pool);
                runtime.spawn(async move {
                    let cancel = given_up.cancel(pool.address.tls.clone());
                    let _ = timeout(PAUSE_MAX, cancel).await;
                    drop(given_up);
                    pool.returned(None);
                });
            }
            (connection, _) => {
                let kept = connection.filter(|_| self.state == Use::Answered);
                self.pool.returned(kept);
            }
        }
    }
}

impl Pooled<'_> {
    /// Executes a statement. If the caller stops waiting for the reply, the connection is not used again.
    pub(crate) async fn rows(
        &mut self,
        statement: &Statement,
    ) -> Result<Vec<Row>, DatabaseFailure> {
        if self.state == Use::Answered {
            self.state = Use::Asked;
        }
        let Some(connection) = &self.connection else {
            return Err(DatabaseFailure::Away("the connection is closed".into()));
        };
        let rows = connection.rows(statement).await;
        let is_answer = !matches!(&rows, Err(failure) if failure.is_ambiguous());
        if is_answer && self.state == Use::Asked {
            self.state = Use::Answered;
        }
        rows
    }

    /// Begins a transaction, which `commit` ends. In between, the connection does not return to the pool.
    pub(crate) async fn begin(&mut self) -> Result<(), DatabaseFailure> {
        self.state = Use::Transaction;
        self.rows(&Statement::new("begin")).await.map(drop)
    }

    pub(crate) async fn commit(&mut self) -> Result<(), DatabaseFailure> {
        self.rows(&Statement::new("commit")).await?;
        self.state = Use::Answered;
        Ok(())
    }
}

impl Pool {
    pub(crate) fn new(address: Address) -> Arc<Self> {
        Arc::new(Self {
            address,
            state: UnpoisonedMutex::default(),
            changed: Notify::new(),
        })
    }

    pub(crate) async fn rows(
        self: &Arc<Self>,
        statement: &Statement,
    ) -> Result<Vec<Row>, DatabaseFailure> {
        self.connection().await?.rows(statement).await
    }

    /// Executes a query that may be repeated. Repeats it once if the connection is broken, such as after a restart of
    /// the server.
    pub(crate) async fn read(
        self: &Arc<Self>,
        statement: &Statement,
    ) -> Result<Vec<Row>, DatabaseFailure> {
        let rows = self.rows(statement).await;
        match rows {
            Err(DatabaseFailure::Away(_)) => self.rows(statement).await,
            rows => rows,
        }
    }

    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Pooled<'_>, DatabaseFailure> {
        loop {
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(connection) = self.idle() {
                return Ok(Pooled {
                    pool: self,
                    connection: Some(connection),
                    state: Use::Answered,
                });
            }
            self.open_another();
            if let Some(refusal) = self.refusal() {
                return Err(refusal);
            }
            changed.await;
        }
    }

    fn idle(&self) -> Option<Connection> {
        let mut state = self.state.lock();
        while let Some(connection) = state.idle.pop() {
            if connection.is_open() {
                return Some(connection);
            }
            state.open -= 1;
        }
        None
    }

    /// Opens another connection in the background, if the limit permits.
    fn open_another(self: &Arc<Self>) {
        let mut state = self.state.lock();
        let now = Instant::now();
        if (state.refused.as_ref()).is_some_and(|(until, _)| now < *until) {
            return;
        }
        state.refused = None;
        if state.is_opening || state.open == self.address.settings.connections_max {
            return;
        }
        state.is_opening = true;
        state.open += 1;
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            let opened = in_time(Connection::to_store(&pool.address, |_| ())).await;
            let mut state = pool.state.lock();
            state.is_opening = false;
            let opened = opened.map_err(|failure| {
                let until = Instant::now() + PAUSE_MAX.min(pool.address.settings.deadline);
                state.refused = Some((until, failure));
            });
            drop(state);
            pool.returned(opened.ok());
        });
    }

    /// Returns the reason if waiting for a connection is pointless.
    fn refusal(&self) -> Option<DatabaseFailure> {
        let state = self.state.lock();
        let refusal = state.refused.as_ref().filter(|_| state.open == 0);
        refusal.map(|(_, failure)| failure.clone())
    }

    /// Takes a connection back, or `None` for one that was closed.
    fn returned(&self, connection: Option<Connection>) {
        let mut state = self.state.lock();
        match connection {
            Some(connection) => state.idle.push(connection),
            None => state.open -= 1,
        }
        drop(state);
        self.changed.notify_waiters();
    }
}
