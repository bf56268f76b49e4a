//! `--store`: where what was seen is kept.

use std::env;
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use verger_store::SqliteStore;

/// Where what was seen is kept.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArguments {
    /// The file that keeps what was seen, when [default: `$VERGER_STORE`, or else verger/store.db in
    /// the state folder of the user]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

impl StoreArguments {
    /// The file.
    ///
    /// # Errors
    ///
    /// Where none is named and there is no state folder.
    pub(crate) fn path(&self) -> Result<PathBuf, NoStoreNamed> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let named = self.store.clone();
        let named = named.or_else(|| set("VERGER_STORE").map(PathBuf::from));
        let state = || set("XDG_STATE_HOME").map(PathBuf::from);
        let home = || set("HOME").map(|home| Path::new(&home).join(".local/state"));
        let usual = || Some(state().or_else(home)?.join("verger/store.db"));
        named.or_else(usual).ok_or(NoStoreNamed)
    }

    /// Whether a file was named on the command line.
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }

    /// Opens the store, and makes it and the state folder where there is none yet.
    ///
    /// # Errors
    ///
    /// Where that cannot be done.
    pub(crate) fn open_or_make(&self) -> Result<(SqliteStore, PathBuf), Box<dyn Error>> {
        let path = self.path()?;
        if !self.is_given()
            && let Some(folder) = path.parent()
        {
            fs::create_dir_all(folder).map_err(|error| {
                let folder = folder.to_owned();
                FolderError { folder, error }
            })?;
        }
        Ok((SqliteStore::open(&path)?, path))
    }

    /// Opens the store; `None` where there is none.
    ///
    /// # Errors
    ///
    /// Where there is one that cannot be opened.
    pub(crate) fn open_existing(&self) -> Result<Option<SqliteStore>, Box<dyn Error>> {
        let path = self.path()?;
        if !path.exists() {
            return Ok(None);
        }
        Ok(Some(SqliteStore::open(&path)?))
    }
}

/// Nothing says where the store is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoStoreNamed;

impl fmt::Display for NoStoreNamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no home folder is known to keep a store in; name a file with `--store`")
    }
}

impl Error for NoStoreNamed {}

/// The folder of the store cannot be made.
#[derive(Debug)]
struct FolderError {
    folder: PathBuf,
    error: io::Error,
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, error } = self;
        write!(f, "cannot make the folder `{}`: {error}", folder.display())
    }
}

impl Error for FolderError {}
