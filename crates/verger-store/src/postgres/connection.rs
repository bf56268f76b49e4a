//! `Connection`: one connection to a database, and the version of the store in it.

use core::future::poll_fn;
use core::sync::atomic::Ordering;

use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::{AsyncMessage, Client, Row, Socket};

use crate::postgres::address::{Address, CONNECT_MAX};
use crate::postgres::database_failure::DatabaseFailure;
use crate::postgres::postgres_settings::PostgresRoute;
use crate::postgres::schema::SCHEMA_VERSION;
use crate::postgres::statement::Statement;
use crate::postgres::tls::{EncryptedSocket, Tls};

/// Awaits a connection, up to a deadline.
pub(crate) async fn in_time(
    connected: impl Future<Output = Result<Connection, DatabaseFailure>>,
) -> Result<Connection, DatabaseFailure> {
    let late = Err(DatabaseFailure::Late(CONNECT_MAX));
    timeout(CONNECT_MAX, connected).await.unwrap_or(late)
}

type Connected = (Client, tokio_postgres::Connection<Socket, EncryptedSocket>);

/// Connects to a host, starting with the one that answered last. If a host fails or is slow, the next one is tried in
/// parallel. The first connection is used.
async fn connected(address: &Address) -> Result<Connected, DatabaseFailure> {
    let hosts = address.hosts.len();
    let first = address.last_host.load(Ordering::Relaxed);
    let mut untried = (first..first + hosts).map(|place| place % hosts);
    let mut asked = JoinSet::new();
    let mut why = DatabaseFailure::Away("the host is missing".into());
    loop {
        let next = untried.next();
        if let Some(place) = next {
            let (config, tls) = (address.hosts[place].clone(), address.tls.clone());
            asked.spawn(async move { (place, config.connect(tls).await) });
        }
        let patience = match next {
            Some(_) if untried.len() > 0 => address.patience(),
            _ => CONNECT_MAX,
        };
        match timeout(patience, asked.join_next()).await {
            Ok(Some(Ok((place, Ok(connected))))) => {
                address.last_host.store(place, Ordering::Relaxed);
                return Ok(connected);
            }
            Ok(Some(Ok((_, Err(error))))) => why = error.into(),
            Ok(None) => return Err(why),
            // This host is slow: try the next one as well.
            Ok(Some(Err(_))) | Err(_) => {}
        }
    }
}

/// One connection. It closes when it is dropped, even if the server no longer answers.
pub(crate) struct Connection {
    client: Client,
    driver: JoinHandle<()>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connection {
    /// Connects without checking the store. `notified` is called with the payload of each notification.
    pub(crate) async fn to_server(
        address: &Address,
        mut notified: impl FnMut(&str) + Send + 'static,
    ) -> Result<Self, DatabaseFailure> {
        let (client, mut connection) = connected(address).await?;
        let driver = tokio::spawn(async move {
            // This task ends with the connection.
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await
            {
                if let AsyncMessage::Notification(notification) = message {
                    notified(notification.payload());
                }
            }
        });
        Ok(Self { client, driver })
    }

    /// Connects, and checks that the store has the version of this program.
    pub(crate) async fn to_store(
        address: &Address,
        notified: impl FnMut(&str) + Send + 'static,
    ) -> Result<Self, DatabaseFailure> {
        let connection = Self::to_server(address, notified).await?;
        if address.settings.route == PostgresRoute::Direct {
            // Limit queries that a caller has given up on. One could hold a lock, or get a lease that nobody uses.
            let locks = address.settings.deadline.as_millis().max(1);
            let steps = address.step_deadline().as_millis();
            let limits = format!(
                "set lock_timeout = {locks}; set statement_timeout = {steps}; \
                 set idle_in_transaction_session_timeout = {steps}; \
                 set default_transaction_isolation = 'read committed'"
            );
            connection.batch(&limits).await?;
        }
        match connection.store_version().await? {
            Some(SCHEMA_VERSION) => Ok(connection),
            other => Err(DatabaseFailure::Version(other)),
        }
    }

    pub(crate) async fn store_version(&self) -> Result<Option<i32>, DatabaseFailure> {
        let rows = self
            .rows(&Statement::new("select version from verger.version"))
            .await;
        let missing = [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME];
        match rows {
            Ok(rows) => Ok(rows.first().map(|row| row.get(0))),
            Err(DatabaseFailure::Refused(state, _)) if missing.contains(&state) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    pub(crate) async fn rows(&self, statement: &Statement) -> Result<Vec<Row>, DatabaseFailure> {
        let parameters = statement.parameters();
        Ok(self.client.query_typed(statement.text, &parameters).await?)
    }

    pub(crate) async fn batch(&self, text: &str) -> Result<(), DatabaseFailure> {
        Ok(self.client.batch_execute(text).await?)
    }

    /// Cancels the work of the server for a caller that has given up. A commit that waits for a standby has no time
    /// limit, and would occupy one of the server's connections.
    pub(crate) async fn cancel(&self, tls: Tls) {
        let _ = self.client.cancel_token().cancel_query(tls).await;
    }

    pub(crate) async fn closed(mut self) {
        let _ = (&mut self.driver).await;
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.client.is_closed()
    }
}
