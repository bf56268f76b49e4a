//! Files that ended processes left: they were to replace another file, and are not locked any more.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the name of a file ends with until it is in its place.
pub(crate) const ENDING: &str = ".verger-new";

/// Whether this is the name of a file that is not whole.
#[must_use]
pub fn is_unfinished(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// The directories in which this process has looked: a run may write a hundred thousand files into one.
static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes what processes that are gone left in a directory, once.
pub(crate) fn remove_once(directory: &Path) {
    let name = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if searched.insert(name) {
        drop(searched);
        remove(directory);
    }
}

/// What cannot be read or removed stays; the new file is written all the same.
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
    // The lock is held while the file is removed: a process that has just made it finds that it is locked, or gone.
    if let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}
