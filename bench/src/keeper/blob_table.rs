//! Typical crawler code: one `SQLite` table of names and bodies, without history.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use verger_store::Observation;

use super::{Keeper, body, told};

pub(crate) struct BlobTable<'i> {
    connection: Mutex<Connection>,
    path: PathBuf,
    items: &'i [Observation],
}

const INSERT: &str = "INSERT OR REPLACE INTO robots (authority, body) VALUES (?1, ?2)";

impl<'i> BlobTable<'i> {
    pub(crate) fn new(path: &Path, items: &'i [Observation]) -> Result<Self, String> {
        let connection = Connection::open(path).map_err(told)?;
        // As durable as Verger's store.
        let form = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                    CREATE TABLE robots (authority TEXT PRIMARY KEY, body BLOB NOT NULL)";
        connection.execute_batch(form).map_err(told)?;
        Ok(Self {
            connection: Mutex::new(connection),
            path: path.to_owned(),
            items,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, connection: &Connection, item: usize) -> Result<(), String> {
        let it = &self.items[item];
        let mut statement = connection.prepare_cached(INSERT).map_err(told)?;
        let inserted = statement.execute((it.authority.to_string(), body(it)));
        inserted.map(drop).map_err(told)
    }
}

impl Keeper for BlobTable<'_> {
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn put(&self, item: usize) -> Result<(), String> {
        self.insert(&self.lock(), item)
    }

    fn put_all(&self, items: &[usize]) -> Result<(), String> {
        let mut connection = self.lock();
        let transaction = connection.transaction().map_err(told)?;
        for &item in items {
            self.insert(&transaction, item)?;
        }
        transaction.commit().map_err(told)
    }

    fn latest(&self, item: usize) -> Result<bool, String> {
        let connection = self.lock();
        let select = "SELECT body FROM robots WHERE authority = ?1";
        let mut statement = connection.prepare_cached(select).map_err(told)?;
        let name = self.items[item].authority.to_string();
        let found = statement.query_row([name], |row| row.get::<_, Vec<u8>>(0));
        found.map(|_| true).map_err(told)
    }

    fn acquire(&self, _item: usize) -> Option<Result<(), String>> {
        None
    }

    fn bytes(self: Box<Self>) -> Result<u64, String> {
        drop(self.connection);
        Ok(fs::metadata(self.path).map_err(told)?.len())
    }
}
