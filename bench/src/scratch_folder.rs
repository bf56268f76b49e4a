//! A folder for the files of stores.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the files are, beside the program: temporary folders are often in memory, where nothing
/// waits for a disk. It is taken away at the end.
pub(crate) struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// A new one for what is called `name`.
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let beside = program.parent().unwrap_or(Path::new("."));
        let folder = beside.join(format!("verger-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    /// A path at which nothing is; what was there before is taken away.
    pub(crate) fn new_file(&self) -> PathBuf {
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            // On some systems one that is still open stays.
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
