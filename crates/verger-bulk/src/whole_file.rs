//! `WholeFile`: a file that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::unfinished_files::UnfinishedFile;

/// As many links are followed one after the other, as on Linux.
const LINKS_MAX: usize = 40;

/// A file that is written beside its place, under a hidden name that ends with `.verger-new`, and put there once it
/// is whole. Until then a file that was there is as it was. What is there and is no file, such as a FIFO or a device,
/// is written as it is.
pub(crate) struct WholeFile(Output);

enum Output {
    Beside {
        place: PathBuf,
        file: NamedTempFile,
        // After the file, which is removed first.
        begun: UnfinishedFile,
    },
    AsItIs(File),
}

impl WholeFile {
    /// Begins a file where the links at `path` end, with the permissions of the one that is there, or those that any
    /// new file has.
    ///
    /// # Errors
    ///
    /// Where a directory is there, or no file can be made beside it.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let (place, permissions) = match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                let problem = "it is a directory";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, problem));
            }
            Ok(there) if !there.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(Self(Output::AsItIs(file)));
            }
            Ok(there) => (fs::canonicalize(path)?, Some(there.permissions())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (end_of_links(path), None),
            Err(error) => return Err(error),
        };
        let (file, begun) = UnfinishedFile::begin(|| beside(&place, permissions))?;
        Ok(Self(Output::Beside { place, file, begun }))
    }

    /// Waits until the file is on the disk, and puts it in its place.
    ///
    /// # Errors
    ///
    /// Where that cannot be done.
    pub(crate) fn finish(self) -> io::Result<()> {
        let (place, file, begun) = match self.0 {
            Output::Beside { place, file, begun } => (place, file, begun),
            Output::AsItIs(mut file) => return file.flush(),
        };
        file.as_file().sync_all()?;
        begun.put_in_place(|| match file.persist(&place) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.error),
        })?;
        // Where a directory can be synchronised, the new name is on the disk, too.
        if let Ok(directory) = File::open(directory_of(&place)) {
            let _ = directory.sync_all();
        }
        Ok(())
    }

    /// The file itself: the errors of a [`NamedTempFile`] have its hidden name.
    fn file(&self) -> &File {
        match &self.0 {
            Output::Beside { file, .. } => file.as_file(),
            Output::AsItIs(file) => file,
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file().write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Makes a file beside a place; from the beginning no one may read it who may not read what is there.
fn beside(place: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name().unwrap_or_default());
    prefix.push(".");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(permissions) = &permissions {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        options.mode(permissions.mode() & 0o777);
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".verger-new");
    let file = builder.make_in(directory_of(place), |path| options.open(path))?;
    // What the process takes from all new files, the one that is there may have.
    #[cfg(unix)]
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    #[cfg(not(unix))]
    let _ = permissions;
    Ok(file)
}

/// Follows links to where nothing is.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = fs::read_link(&end) else {
            break;
        };
        end = directory_of(&end).join(target);
    }
    end
}

fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| *it != Path::new(""));
    directory.unwrap_or(Path::new("."))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn write(path: &Path, text: &str) -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn links_stay_and_what_they_name_is_replaced_whole() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("d")).unwrap();
        fs::write(at("d/there"), "before").unwrap();
        fs::hard_link(at("d/there"), at("kept")).unwrap();
        for (link, target) in [("one", "d/there"), ("two", "one"), ("three", "d/new")] {
            symlink(target, at(link)).unwrap();
        }
        for (link, end) in [("two", "d/there"), ("three", "d/new"), ("three", "d/new")] {
            write(&at(link), link).unwrap();
            assert_eq!(fs::read_to_string(at(end)).unwrap(), link);
            assert!(at(link).is_symlink() && at("one").is_symlink());
        }
        // The file that was there was not written to.
        assert_eq!(fs::read_to_string(at("kept")).unwrap(), "before");
        assert_eq!(at("d").read_dir().unwrap().count(), 2);
        symlink("round", at("round")).unwrap();
        assert!(write(&at("round"), "").is_err() && at("round").is_symlink());
    }

    #[test]
    fn a_file_keeps_its_permissions_and_those_of_a_new_one_are_usual() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        for permissions in [0o600, 0o666, 0o640, 0o400] {
            fs::write(at("there"), "before").unwrap();
            fs::set_permissions(at("there"), Permissions::from_mode(permissions)).unwrap();
            let begun = WholeFile::create(&at("there")).unwrap();
            assert_eq!(
                begun.file().metadata().unwrap().permissions().mode() & 0o777,
                permissions
            );
            begun.finish().unwrap();
            assert_eq!(mode(&at("there")), permissions);
            fs::remove_file(at("there")).unwrap();
        }
        write(&at("new"), "").unwrap();
        fs::write(at("usual"), "").unwrap();
        assert_eq!(mode(&at("new")), mode(&at("usual")));
    }

    #[test]
    fn a_directory_is_refused_before_there_is_any_work() {
        let directory = tempfile::tempdir().unwrap();
        let error = WholeFile::create(directory.path()).err().unwrap();
        assert_eq!(error.to_string(), "it is a directory");
    }

    #[test]
    fn errors_have_no_hidden_name() {
        let directory = tempfile::tempdir().unwrap();
        let error = WholeFile::create(&directory.path().join("absent/file")).err();
        let expected = io::Error::from_raw_os_error(2).to_string();
        assert_eq!(error.unwrap().to_string(), expected);
    }
}
