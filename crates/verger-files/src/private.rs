//! Directories and files that their owner alone may read.

use std::fs::{self, File, OpenOptions};
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

/// Makes a file that its owner alone may read.
///
/// # Errors
///
/// In words, where there is one already, or it cannot be made.
pub fn create_private_file(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => "it exists already".to_owned(),
        io::ErrorKind::NotFound => "there is no such directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    })
}
