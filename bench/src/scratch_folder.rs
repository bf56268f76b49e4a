//! A directory for the files of stores.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory next to the program, because temporary directories are often in memory, where nothing waits for a
/// disk. It is deleted on drop.
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let beside = program.parent().unwrap_or(Path::new("."));
        let folder = beside.join(format!("verger-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    /// Deletes earlier files, and returns an unused path.
    pub(crate) fn new_file(&self) -> PathBuf {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            // On some systems an open file cannot be deleted.
            let _ = fs::remove_file(entry.path());
        }
        self.0.join("store")
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
