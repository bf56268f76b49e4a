//! `WholeFile`: a file that appears whole or not at all.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::unfinished_files::UnfinishedFile;

/// A file that is written beside its place, under a hidden name that ends with `.verger-new`, and put there once it
/// is whole. Until then a file that was there is as it was.
pub(crate) struct WholeFile {
    path: PathBuf,
    file: NamedTempFile,
    // After the file, which is removed first.
    begun: UnfinishedFile,
}

impl WholeFile {
    /// Begins a file, with the permissions that any new file has.
    ///
    /// # Errors
    ///
    /// Where no file can be made beside `path`.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".verger-new");
        #[cfg(unix)]
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(permissions);
        let (file, begun) = UnfinishedFile::begin(|| builder.tempfile_in(directory_of(path)))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            begun,
        })
    }

    /// Waits until the file is on the disk, and puts it in its place.
    ///
    /// # Errors
    ///
    /// Where that cannot be done.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { path, file, begun } = self;
        file.as_file().sync_all()?;
        begun.put_in_place(|| match file.persist(&path) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.error),
        })?;
        // Where a directory can be synchronised, the new name is on the disk, too.
        if let Ok(directory) = File::open(directory_of(&path)) {
            let _ = directory.sync_all();
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}
