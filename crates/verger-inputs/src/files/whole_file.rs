//! `WholeFile`: a file that appears whole or not at all.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::kept::Kept;
use super::left_over::{self, ENDING};
use super::output_place::{Links, directory_of, end_of_links};

/// A file that takes its place once it is complete. Until then, an existing file stays unchanged.
/// An existing FIFO or device is written directly.
pub struct WholeFile {
    output: Output,
    /// Whether `finish` refuses to replace a file that exists by then.
    is_new: bool,
}

enum Output {
    /// The file has no name yet.
    Unnamed {
        place: PathBuf,
        kept: Option<Kept>,
        file: File,
    },
    /// The file is hidden next to its destination, and locked.
    Hidden {
        place: PathBuf,
        file: NamedTempFile<File>,
    },
    AsItIs(File),
}

impl fmt::Debug for WholeFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WholeFile").field(self.file()).finish()
    }
}

/// Writes a file, whole or not at all.
///
/// # Errors
///
/// Returns an error if the file cannot be written. An existing file is then unchanged.
pub fn write_whole(path: &Path, body: &[u8], links: Links) -> io::Result<()> {
    let mut file = WholeFile::create(path, links)?;
    file.write_all(body)?;
    file.finish()
}

/// Checks whether [`WholeFile::create`] can start a file at `place`, by starting one and dropping
/// it. Does not follow links.
///
/// # Errors
///
/// Returns an error if no file can be created there.
pub fn try_beside(place: &Path) -> io::Result<()> {
    begin(place.to_owned(), None).map(drop)
}

impl WholeFile {
    /// Starts a file at the end of the links at `path`. It inherits the permissions and owner of an
    /// existing file, or has those of any new file.
    ///
    /// # Errors
    ///
    /// Returns an error if the path is a directory, if `links` forbids a link on the way, or if the
    /// file cannot be created or given to the owner.
    pub fn create(path: &Path, links: Links) -> io::Result<Self> {
        let (place, kept) = match fs::metadata(path) {
            Ok(there) if there.is_dir() => {
                let problem = "it is a directory";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, problem));
            }
            Ok(there) if !there.is_file() => {
                links.check(path)?;
                let file = OpenOptions::new().write(true).open(path)?;
                let (output, is_new) = (Output::AsItIs(file), false);
                return Ok(Self { output, is_new });
            }
            Ok(there) => {
                links.check(path)?;
                (fs::canonicalize(path)?, Some(Kept::of(&there)))
            }
            // A dangling link could lead anywhere.
            Err(error) if error.kind() == io::ErrorKind::NotFound && links == Links::Follow => {
                (end_of_links(path), None)
            }
            Err(error) => return Err(error),
        };
        left_over::remove_once(directory_of(&place));
        let (output, is_new) = (begin(place, kept)?, false);
        Ok(Self { output, is_new })
    }

    /// Starts a file that only its owner can read. No file may exist at `path`, now or when it is
    /// finished.
    ///
    /// # Errors
    ///
    /// Returns an error with a short readable message if a file exists there or none can be
    /// created.
    pub fn create_new(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(in_words(io::ErrorKind::AlreadyExists.into()));
        }
        #[cfg(unix)]
        let kept = Some(Kept {
            permissions: std::os::unix::fs::PermissionsExt::from_mode(0o600),
            owner: None,
        });
        #[cfg(not(unix))]
        let kept = None;
        left_over::remove_once(directory_of(path));
        let output = begin(path.to_owned(), kept).map_err(in_words)?;
        let is_new = true;
        Ok(Self { output, is_new })
    }

    /// Syncs the file to disk and moves it into place.
    ///
    /// # Errors
    ///
    /// Returns an error if either step fails.
    pub fn finish(self) -> io::Result<()> {
        let (place, file) = match self.output {
            Output::Unnamed { place, kept, file } => {
                file.sync_all()?;
                let file = named(&place, kept, file)?;
                (place, file)
            }
            Output::Hidden { place, file } => {
                file.as_file().sync_all()?;
                (place, file)
            }
            Output::AsItIs(mut file) => return file.flush(),
        };
        if self.is_new {
            let persisted = file.persist_noclobber(&place);
            persisted.map_err(|error| in_words(error.error))?;
        } else {
            file.persist(&place).map_err(|error| error.error)?;
        }
        // Sync the new name to disk as well, if the system can sync a directory.
        if let Ok(directory) = File::open(directory_of(&place)) {
            let _ = directory.sync_all();
        }
        Ok(())
    }

    /// Returns the file itself. Errors of a [`NamedTempFile`] would expose its hidden name.
    fn file(&self) -> &File {
        match &self.output {
            Output::Unnamed { file, .. } | Output::AsItIs(file) => file,
            Output::Hidden { file, .. } => file.as_file(),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

fn in_words(error: io::Error) -> io::Error {
    let words = match error.kind() {
        io::ErrorKind::AlreadyExists => "it already exists",
        io::ErrorKind::NotFound => "there is no such directory",
        io::ErrorKind::PermissionDenied => "permission denied",
        _ => return error,
    };
    io::Error::new(error.kind(), words)
}

fn begin(place: PathBuf, kept: Option<Kept>) -> io::Result<Output> {
    if let Some(file) = unnamed(&place, kept.as_ref()) {
        // Lock the file before it has a name.
        let _ = file.try_lock();
        return Ok(Output::Unnamed { place, kept, file });
    }
    let file = hidden(&place, kept)?;
    Ok(Output::Hidden { place, file })
}

/// Creates an unnamed file in the directory of `place`. Returns `None` if the system does not
/// support that, or if it fails.
#[cfg(target_os = "linux")]
fn unnamed(place: &Path, kept: Option<&Kept>) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    use std::os::unix::fs::PermissionsExt as _;
    let mode = kept.map_or(0o666, |it| it.permissions.mode() & 0o777);
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = rustix::fs::open(directory_of(place), flags, Mode::from_raw_mode(mode)).ok()?;
    let file = File::from(file);
    // The process umask may have removed permissions that the existing file has.
    kept.map_or(Ok(()), |it| it.give(&file)).ok()?;
    Some(file)
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_place: &Path, _kept: Option<&Kept>) -> Option<File> {
    None
}

/// Links an unnamed file to a hidden name next to its destination, or copies it if that fails.
fn named(place: &Path, kept: Option<Kept>, mut file: File) -> io::Result<NamedTempFile<File>> {
    let linked = builder(place, |it| {
        it.make_in(directory_of(place), |path| {
            link(&file, path)?;
            file.try_clone()
        })
    });
    if linked.is_ok() {
        return linked;
    }
    let mut copy = hidden(place, kept)?;
    file.rewind()?;
    io::copy(&mut file, copy.as_file_mut())?;
    copy.as_file().sync_all()?;
    Ok(copy)
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let opened = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, opened, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Creates a hidden file next to its destination. From the start, only users who can read the
/// existing file can read the new one.
fn hidden(place: &Path, kept: Option<Kept>) -> io::Result<NamedTempFile<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if let Some(kept) = &kept {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        options.mode(kept.permissions.mode() & 0o777);
    }
    let file = builder(place, |it| {
        it.make_in(directory_of(place), |path| {
            let file = options.open(path)?;
            keep_locked(&file)?;
            Ok(file)
        })
    })?;
    #[cfg(unix)]
    if let Some(kept) = kept {
        kept.give(file.as_file())?;
    }
    #[cfg(not(unix))]
    let _ = kept;
    Ok(file)
}

/// Locks a new file. If another process took it for a leftover, fails as if the name were taken, so
/// that the caller tries another name. File systems without locks have no leftovers to remove
/// either.
fn keep_locked(file: &File) -> io::Result<()> {
    let locked = file.try_lock();
    #[cfg(unix)]
    let is_gone = std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) == 0;
    #[cfg(not(unix))]
    let is_gone = false;
    if is_gone || matches!(locked, Err(fs::TryLockError::WouldBlock)) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    Ok(())
}

/// Calls `make` with a builder of hidden names next to the destination.
fn builder<T>(place: &Path, make: impl FnOnce(&Builder<'_, '_>) -> T) -> T {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name().unwrap_or_default());
    prefix.push(".");
    make(Builder::new().prefix(&prefix).suffix(ENDING))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

    fn write(path: &Path, text: &str) -> io::Result<()> {
        write_whole(path, text.as_bytes(), Links::Follow)
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
        // The existing file was not written to.
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
            let begun = WholeFile::create(&at("there"), Links::Follow).unwrap();
            assert_eq!(
                begun.file().metadata().unwrap().permissions().mode() & 0o777,
                permissions
            );
            begun.finish().unwrap();
            assert_eq!(mode(&at("there")), permissions);
            fs::remove_file(at("there")).unwrap();
        }
        // Only the superuser can give a file away.
        fs::write(at("there"), "before").unwrap();
        if chown(at("there"), Some(4_711), Some(4_712)).is_ok() {
            let begun = hidden(
                &at("there"),
                Some(Kept::of(&fs::metadata(at("there")).unwrap())),
            );
            write(&at("there"), "after").unwrap();
            for file in [
                fs::metadata(at("there")),
                begun.unwrap().as_file().metadata(),
            ] {
                let file = file.unwrap();
                assert_eq!([file.uid(), file.gid()], [4_711, 4_712]);
            }
        }
        write(&at("new"), "").unwrap();
        fs::write(at("usual"), "").unwrap();
        assert_eq!(mode(&at("new")), mode(&at("usual")));
    }

    #[test]
    fn a_new_file_is_private_appears_whole_and_replaces_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("new");
        let mut file = WholeFile::create_new(&place).unwrap();
        file.write_all(b"all of it").unwrap();
        assert!(!place.exists());
        let second = WholeFile::create_new(&place).unwrap();
        file.finish().unwrap();
        assert_eq!(mode(&place), 0o600);
        let refused = second.finish().unwrap_err();
        assert_eq!(refused.to_string(), "it already exists");
        assert_eq!(fs::read(&place).unwrap(), b"all of it");
        assert_eq!(directory.path().read_dir().unwrap().count(), 1);
        let refused = WholeFile::create_new(&place).unwrap_err();
        assert_eq!(refused.to_string(), "it already exists");
        let refused = WholeFile::create_new(&place.with_file_name("absent/new")).unwrap_err();
        assert_eq!(refused.to_string(), "there is no such directory");
    }

    #[test]
    fn a_directory_is_refused_before_there_is_any_work() {
        let directory = tempfile::tempdir().unwrap();
        let error = WholeFile::create(directory.path(), Links::Follow)
            .err()
            .unwrap();
        assert_eq!(error.to_string(), "it is a directory");
    }

    #[test]
    fn errors_have_no_hidden_name() {
        let directory = tempfile::tempdir().unwrap();
        let error = write(&directory.path().join("absent/file"), "").err();
        let expected = io::Error::from_raw_os_error(2).to_string();
        assert_eq!(error.unwrap().to_string(), expected);
    }

    #[test]
    fn what_is_locked_stays_and_what_else_was_left_behind_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let left = [
            "robots.txt.verger-new",
            "robots.txt.4711.verger-new",
            ".other.x7Qk2p.verger-new",
            ".live.x7Qk2p.verger-new",
        ];
        for name in left {
            fs::write(at(name), "half").unwrap();
        }
        let live = File::open(at(left[3])).unwrap();
        live.lock().unwrap();
        write(&at("robots.txt"), "whole").unwrap();
        let is_there = left.map(|name| at(name).exists());
        assert_eq!(is_there, [false, false, false, true]);
        assert_eq!(fs::read_to_string(at("robots.txt")).unwrap(), "whole");
    }

    #[test]
    fn a_hidden_file_is_locked_from_the_beginning_and_a_copy_is_whole() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("there");
        let begun = hidden(&place, None).unwrap();
        let other = File::open(begun.path()).unwrap();
        assert!(matches!(
            other.try_lock(),
            Err(fs::TryLockError::WouldBlock)
        ));
        drop(begun);
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        // A file whose name was deleted cannot be linked again, so it is copied.
        let mut source = hidden(&place, None).unwrap().into_file();
        source.write_all(b"all of it").unwrap();
        let named = named(&place, None, source).unwrap();
        assert_eq!(fs::read(named.path()).unwrap(), b"all of it");
    }

    #[test]
    fn a_link_out_of_the_directory_is_followed_on_demand_only() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::create_dir(at("d")).unwrap();
        for name in ["outside", "d/inside"] {
            fs::write(at(name), "before").unwrap();
        }
        symlink("../outside", at("d/out")).unwrap();
        symlink("inside", at("d/in")).unwrap();
        let write = |name, links| write_whole(&at(name), b"after", links);
        let error = write("d/out", Links::WithinDirectory).unwrap_err();
        assert!(error.to_string().contains("outside its directory"));
        assert_eq!(fs::read(at("outside")).unwrap(), b"before");
        write("d/in", Links::WithinDirectory).unwrap();
        assert_eq!(fs::read(at("d/inside")).unwrap(), b"after");
        write("d/out", Links::Follow).unwrap();
        assert_eq!(fs::read(at("outside")).unwrap(), b"after");
        assert!(at("d/out").is_symlink() && at("d/in").is_symlink());
    }
}
