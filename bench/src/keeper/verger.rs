//! Verger's two stores.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_store::{Acquisition, History, Lease, MemoryStore, Observation, SqliteStore};

use super::{Keeper, NOW, told};

const MINUTE: Duration = Duration::from_secs(60);

pub(crate) struct Verger<'i> {
    store: Box<dyn History>,
    path: Option<PathBuf>,
    items: &'i [Observation],
    leases: Vec<Lease>,
}

pub(crate) fn in_memory(items: &[Observation]) -> Verger<'_> {
    Verger {
        store: Box::new(MemoryStore::new(usize::MAX)),
        path: None,
        items,
        leases: Vec::new(),
    }
}

pub(crate) fn in_file<'i>(path: &Path, items: &'i [Observation]) -> Result<Verger<'i>, String> {
    Ok(Verger {
        store: Box::new(SqliteStore::open(path).map_err(told)?),
        path: Some(path.to_owned()),
        items,
        leases: Vec::new(),
    })
}

impl Verger<'_> {
    fn lease(&self, item: usize) -> Result<Lease, String> {
        let authority = &self.items[item].authority;
        match self.store.acquire(authority, "bench", NOW, MINUTE) {
            Ok(Acquisition::Granted(lease)) => Ok(lease),
            Ok(Acquisition::HeldUntil { .. }) => Err(format!("{authority} is held")),
            Err(error) => Err(told(error)),
        }
    }
}

impl Keeper for Verger<'_> {
    fn prepare(&mut self) -> Result<(), String> {
        let items = 0..self.items.len();
        self.leases = items
            .map(|item| self.lease(item))
            .collect::<Result<_, _>>()?;
        Ok(())
    }

    fn put(&self, item: usize) -> Result<(), String> {
        let put = self.store.put(&self.items[item], &self.leases[item]);
        put.map(drop).map_err(told)
    }

    fn put_all(&self, items: &[usize]) -> Result<(), String> {
        let puts = items
            .iter()
            .map(|&item| (&self.items[item], &self.leases[item]));
        let answers = self.store.put_all(&puts.collect::<Vec<_>>());
        let mut answers = answers.map_err(told)?.into_iter();
        answers.try_for_each(|answer| answer.map(drop).map_err(told))
    }

    fn latest(&self, item: usize) -> Result<bool, String> {
        let standing = self
            .store
            .latest(&self.items[item].authority)
            .map_err(told)?;
        Ok(standing.is_some_and(|standing| standing.knowledge.copy.is_some()))
    }

    fn acquire(&self, item: usize) -> Option<Result<(), String>> {
        Some(self.lease(item).map(drop))
    }

    fn bytes(self: Box<Self>) -> Result<u64, String> {
        let stat = self.store.stat().map_err(told)?;
        let Some(path) = self.path else {
            return Ok(stat.bytes);
        };
        // Closing the last connection writes the log into the file.
        drop(self.store);
        Ok(fs::metadata(path).map_err(told)?.len())
    }
}
