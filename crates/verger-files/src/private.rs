//! Directories that their owner alone may look into.

use std::fs;
use std::io;
use std::path::Path;

/// Makes a directory, and those above it, that its owner alone may look into; one that is there is left as it is.
///
/// # Errors
///
/// Where one cannot be made.
pub fn make_private_directory(path: &Path) -> io::Result<()> {
    let mut directory = fs::DirBuilder::new();
    directory.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directory, 0o700);
    directory.create(path)
}
