//! Removes unfinished files of processes that died. Such files are no longer locked.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// File name suffix of an unfinished file.
pub(crate) const ENDING: &str = ".verger-new";

/// Returns whether this is the name of an unfinished file.
#[must_use]
pub fn is_unfinished(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// Directories that this process has already cleaned. A run may write a hundred thousand files into
/// one directory.
static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes unfinished files of dead processes from a directory, once per process.
pub(crate) fn remove_once(directory: &Path) {
    let name = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if searched.insert(name) {
        drop(searched);
        remove(directory);
    }
}

/// Files that cannot be read or removed stay. They do not prevent writing the new file.
fn remove(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let is_named = is_unfinished(&entry.file_name().to_string_lossy());
        if is_named && entry.file_type().is_ok_and(|it| it.is_file()) {
            remove_unless_locked(&entry.path());
        }
    }
}

fn remove_unless_locked(path: &Path) {
    // Hold the lock during removal. A process that has just created this file then sees that it is
    // locked or gone.
    if let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}
