//! `--store`: the file or database with what was fetched before.

use std::env;
use std::error::Error;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::BaseStrategy;
use verger_inputs::make_private_directory;
use verger_store::KeptStore;

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{legible, legible_path};

/// The place of the store.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArguments {
    /// File or postgres:// URL of the store [default: your own]
    ///
    /// Several machines can share a database, `postgres://USER@HOST/DATABASE`. Without `--store` and
    /// `VERGER_STORE`, the store is store.db in your system's directory for application state, on Linux
    /// ~/.local/state/verger/store.db.
    #[arg(long, value_name = "FILE|URL")]
    store: Option<PathBuf>,
}

impl StoreArguments {
    #[cfg(feature = "bulk")]
    pub(crate) fn of(path: PathBuf) -> Self {
        Self { store: Some(path) }
    }

    /// Returns the place, whether or not there is a store.
    pub(crate) fn path(&self) -> Result<PathBuf, StorePathError> {
        if let Some(path) = self.named() {
            return Ok(path);
        }
        let folder = state_directory().ok_or(StorePathError::Homeless)?;
        Ok(folder.join("store.db"))
    }

    /// Returns the file that the option or the environment names.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        // An empty variable names no file.
        let variable = || env::var_os("VERGER_STORE").filter(|path| !path.is_empty());
        self.store.clone().or_else(|| Some(variable()?.into()))
    }

    /// Opens the store. Creates it if there is none, and the directory of the default file. The
    /// directory of a named file must exist, because the name may be mistyped.
    pub(crate) fn open(&self) -> Result<KeptStore, Box<dyn Error>> {
        let path = self.path()?;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.filter(|_| !KeptStore::is_url(&path));
        if let Some(folder) = folder {
            if self.named().is_none() {
                let made = make_private_directory(folder);
                made.map_err(|error| StorePathError::Folder(folder.to_owned(), error))?;
            } else if folder.try_exists().is_ok_and(|exists| !exists) {
                return Err(StorePathError::NoDirectory(folder.to_owned()).into());
            }
        }
        Ok(KeptStore::open(&path)?)
    }

    pub(crate) fn open_existing(&self) -> Result<KeptStore, Box<dyn Error>> {
        let path = self.path()?;
        if KeptStore::is_missing(&path) {
            return Err(StorePathError::Missing(path).into());
        }
        Ok(KeptStore::open(&path)?)
    }

    /// Opens the existing store read-only. It need not be writable.
    pub(crate) fn read_existing(&self) -> Result<KeptStore, Box<dyn Error>> {
        let found = self.find()?;
        Ok(found.ok_or(StorePathError::Missing(self.path()?))?)
    }

    /// Opens the existing store read-only, if there is one.
    pub(crate) fn find(&self) -> Result<Option<KeptStore>, Box<dyn Error>> {
        let path = self.path()?;
        let is_missing = KeptStore::is_missing(&path);
        let found = (!is_missing).then(|| KeptStore::open_read_only(&path));
        Ok(found.transpose()?)
    }

    /// Creates the store, or migrates it.
    pub(crate) fn init(&self) -> CommandResult {
        let url = self.path()?;
        let url = KeptStore::database_url(&url);
        let is_changed = url.map_or(Ok(false), KeptStore::init_database)?;
        let done = if is_changed { "made" } else { "ready" };
        writeln!(
            io::stdout(),
            "{done}: {}",
            legible(self.open()?.name().as_bytes())
        )?;
        Ok(Outcome::Success)
    }

    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }
}

/// Returns the default directory, or `None` if there is no home directory.
pub(crate) fn state_directory() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("verger"))
}

/// Why there is no store to open.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StorePathError {
    #[error("there is no home directory for a store: name a file with `--store` or `VERGER_STORE`")]
    Homeless,
    #[error("cannot create the directory `{}`: {}", legible_path(.0), .1)]
    Folder(PathBuf, io::Error),
    /// The directory of the file that is named does not exist.
    #[error(
        "there is no directory `{}` for the store: make it first, or name another file",
        legible_path(.0)
    )]
    NoDirectory(PathBuf),
    /// The file does not exist.
    #[error(
        "there is no store `{}` yet: name another one with `--store` or `VERGER_STORE`, or make it with `verger fetch`",
        legible_path(.0)
    )]
    Missing(PathBuf),
}
