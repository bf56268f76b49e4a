//! Old results, put into a store as if they had been fetched then.

#[path = "../../../verger-store/tests/store/past.rs"]
mod in_a_store;

use std::path::Path;

use verger_store::SqliteStore;

pub(crate) use in_a_store::day;

/// Writes a history.
pub(crate) type Past = in_a_store::Past<SqliteStore>;

impl Past {
    pub(crate) fn of(site: &str, store: &Path) -> Self {
        std::fs::create_dir_all(store.parent().unwrap()).unwrap();
        Self::within(SqliteStore::open(store).unwrap(), site)
    }
}
