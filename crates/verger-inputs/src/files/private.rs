//! Directories that only their owner can read.

use std::fs;
use std::io;
use std::path::Path;

/// Creates a directory and its parents, readable by their owner only. Existing directories are left
/// unchanged.
///
/// # Errors
///
/// Returns an error if a directory cannot be created.
pub fn make_private_directory(path: &Path) -> io::Result<()> {
    let mut directory = fs::DirBuilder::new();
    directory.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directory, 0o700);
    directory.create(path)
}
