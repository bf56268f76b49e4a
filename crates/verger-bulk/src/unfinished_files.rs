//! The files that this process has begun and not put in their place, so that none is left where it is ended.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the files that were begun and are not whole. From then on none is begun or put in its place: a
/// thread that does so waits, so call this only where the process ends, as after Ctrl-C.
pub fn remove_unfinished_files() {
    let files = unfinished();
    for path in &*files {
        // What cannot be removed stays; there is nowhere to report it.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}

/// A file that was begun; once this is dropped, it is not removed any more.
pub(crate) struct UnfinishedFile(PathBuf);

impl UnfinishedFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// Those of `begin`.
    pub(crate) fn begin(
        begin: impl FnOnce() -> io::Result<NamedTempFile>,
    ) -> io::Result<(NamedTempFile, Self)> {
        let mut files = unfinished();
        let file = begin()?;
        files.insert(file.path().to_owned());
        let unfinished = Self(file.path().to_owned());
        Ok((file, unfinished))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// Those of `put`.
    pub(crate) fn put_in_place(self, put: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let mut files = unfinished();
        put()?;
        files.remove(&self.0);
        Ok(())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
