//! A key-value store in pure Rust, with one table of names and bodies, without history.

use std::fs;
use std::path::{Path, PathBuf};

use redb::{Database, ReadableDatabase as _, TableDefinition};
use verger_store::Observation;

use super::{Keeper, body, told};

const TABLE: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("robots");

pub(crate) struct Redb<'i> {
    database: Database,
    path: PathBuf,
    items: &'i [Observation],
}

impl<'i> Redb<'i> {
    pub(crate) fn new(path: &Path, items: &'i [Observation]) -> Result<Self, String> {
        Ok(Self {
            database: Database::create(path).map_err(told)?,
            path: path.to_owned(),
            items,
        })
    }
}

impl Keeper for Redb<'_> {
    fn prepare(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn put(&self, item: usize) -> Result<(), String> {
        self.put_all(&[item])
    }

    fn put_all(&self, items: &[usize]) -> Result<(), String> {
        // Durable by default.
        let transaction = self.database.begin_write().map_err(told)?;
        {
            let mut table = transaction.open_table(TABLE).map_err(told)?;
            for &item in items {
                let it = &self.items[item];
                let name = it.authority.to_string();
                table.insert(name.as_str(), body(it)).map_err(told)?;
            }
        }
        transaction.commit().map_err(told)
    }

    fn latest(&self, item: usize) -> Result<bool, String> {
        let transaction = self.database.begin_read().map_err(told)?;
        let table = transaction.open_table(TABLE).map_err(told)?;
        let name = self.items[item].authority.to_string();
        let found = table.get(name.as_str()).map_err(told)?;
        // Copies the bytes, as the others do.
        let bytes = found.map(|found| found.value().to_vec());
        Ok(std::hint::black_box(bytes).is_some())
    }

    fn acquire(&self, _item: usize) -> Option<Result<(), String>> {
        None
    }

    fn bytes(self: Box<Self>) -> Result<u64, String> {
        drop(self.database);
        Ok(fs::metadata(self.path).map_err(told)?.len())
    }
}
