//! `--store`: where what was seen is kept.

use std::env;
use std::error::Error;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use etcetera::BaseStrategy;
use verger_files::make_private_directory;
use verger_store::KeptStore;

use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{legible, legible_path};

/// Which file the store is.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArguments {
    /// The store, one file, or a database that several machines share, as `postgres://USER@HOST/DATABASE`
    /// [default: what `VERGER_STORE` names, or else store.db in your system's directory for such files:
    /// ~/.local/state/verger/store.db on Linux]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<PathBuf>,
}

impl StoreArguments {
    /// The store in that file.
    #[cfg(feature = "bulk")]
    pub(crate) fn of(path: PathBuf) -> Self {
        Self { store: Some(path) }
    }

    /// Where the store is, or would be.
    ///
    /// # Errors
    ///
    /// Where neither an option nor the environment names it and there is no home directory.
    pub(crate) fn path(&self) -> Result<PathBuf, StorePathError> {
        if let Some(path) = self.named() {
            return Ok(path);
        }
        let folder = state_directory().ok_or(StorePathError::Homeless)?;
        Ok(folder.join("store.db"))
    }

    /// The file that the option or the environment names.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        // An empty variable names no file.
        let variable = || env::var_os("VERGER_STORE").filter(|path| !path.is_empty());
        self.store.clone().or_else(|| Some(variable()?.into()))
    }

    /// Opens the store; makes it where there is none, and the directory of the default file. The
    /// directory of a file that is named must exist: its name may be mistyped.
    ///
    /// # Errors
    ///
    /// Where there is no directory for it, or the file is no store that can be opened.
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

    /// Opens the existing store.
    ///
    /// # Errors
    ///
    /// Where there is none, or the file is no store that can be opened.
    pub(crate) fn open_existing(&self) -> Result<KeptStore, Box<dyn Error>> {
        let path = self.path()?;
        if KeptStore::is_missing(&path) {
            return Err(StorePathError::Missing(path).into());
        }
        Ok(KeptStore::open(&path)?)
    }

    /// Opens the existing store read-only; it need not be writable.
    ///
    /// # Errors
    ///
    /// Where there is none, or the file is no store that can be read.
    pub(crate) fn read_existing(&self) -> Result<KeptStore, Box<dyn Error>> {
        let found = self.find()?;
        Ok(found.ok_or(StorePathError::Missing(self.path()?))?)
    }

    /// Opens the existing store read-only; `None` where there is none.
    ///
    /// # Errors
    ///
    /// Where the file is no store that can be read.
    pub(crate) fn find(&self) -> Result<Option<KeptStore>, Box<dyn Error>> {
        let path = self.path()?;
        let is_missing = KeptStore::is_missing(&path);
        let found = (!is_missing).then(|| KeptStore::open_read_only(&path));
        Ok(found.transpose()?)
    }

    /// Makes the store, or migrates it.
    ///
    /// # Errors
    ///
    /// As [`StoreArguments::open`].
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

    /// Whether an argument names the file.
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }
}

/// Returns the directory for the state of this program, where no option names another one; `None` where there
/// is no home directory.
pub(crate) fn state_directory() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("verger"))
}

/// Why there is no store to open.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StorePathError {
    /// No file is named, and there is no directory for one.
    #[error(
        "there is no home directory to keep a store in: name a file with --store or VERGER_STORE"
    )]
    Homeless,
    /// The directory of the default file cannot be made.
    #[error("the directory `{}` cannot be made: {}", legible_path(.0), .1)]
    Folder(PathBuf, io::Error),
    /// The directory of the file that is named does not exist.
    #[error(
        "there is no directory `{}` for the store: make it first, or name another file",
        legible_path(.0)
    )]
    NoDirectory(PathBuf),
    /// There is no such file.
    #[error(
        "there is no store `{}` yet: name another one with --store or VERGER_STORE",
        legible_path(.0)
    )]
    Missing(PathBuf),
}
