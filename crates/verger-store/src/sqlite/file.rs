//! The file of a store on the disk: its permissions, and whether it has changed.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::unpoisoned_mutex::UnpoisonedMutex;

/// Held while a thread creates a file. Closing a file releases all POSIX locks that the process holds on it, so no
/// other thread may open it as a database meanwhile.
static CREATION: UnpoisonedMutex<()> = UnpoisonedMutex::new(());

/// Creates an empty file that only its owner may read, unless a file exists. `SQLite` gives the `-wal` and `-shm` files
/// the same permissions.
pub(crate) fn create(path: &Path) -> io::Result<()> {
    let _creation = CREATION.lock();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Returns the path with `end` appended, such as `-wal`.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// An open file, identified by its inode. Systems without inodes let no other program remove or rename an open file.
pub(crate) struct OpenFile {
    path: PathBuf,
    inode: u64,
}

impl OpenFile {
    /// Identifies the file that is at a path now.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let (path, file) = (path.to_owned(), fs::metadata(path)?);
        let (_, inode) = Inode::of(&file).device_and_number;
        Ok(Self { path, inode })
    }

    /// Returns whether the file is still at its path, as far as this can be determined.
    pub(crate) fn is_in_place(&self) -> bool {
        match Self::at(&self.path) {
            Ok(now) => now.inode == self.inode,
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}

/// File metadata that reveals a change: the length, the modification time, and the device, number and change time of
/// the inode. A program can reset the modification time, but not the change time.
///
/// A change goes unnoticed if it keeps the length, follows another change within one tick of the file system's clock (a
/// few milliseconds on Linux) and leaves no write-ahead log. The change counter in the file's header would not help:
/// with a write-ahead log it increases only if the first page changes. Reading it would also mean opening and closing
/// the file, which would release the locks of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    inode: Inode,
    wal: WalState,
}

/// The identity of a file, and the change time of its inode in seconds and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inode {
    device_and_number: (u64, u64),
    changed: (i64, i64),
}

impl Inode {
    #[cfg(unix)]
    fn of(file: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            device_and_number: (file.dev(), file.ino()),
            changed: (file.ctime(), file.ctime_nsec()),
        }
    }

    /// Other systems have no inodes to compare.
    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Self {
        Self {
            device_and_number: (0, 0),
            changed: (0, 0),
        }
    }
}

/// Whether a write-ahead log or rollback journal next to a file may have changes that the file lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalState {
    Empty,
    Written,
}

impl FileStamp {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let file = fs::metadata(path)?;
        let has_bytes = |end| fs::metadata(beside(path, end)).is_ok_and(|it| it.len() > 0);
        let is_written = has_bytes("-wal") || has_bytes("-journal");
        Ok(Self {
            bytes: file.len(),
            modified: file.modified().ok(),
            inode: Inode::of(&file),
            wal: if is_written {
                WalState::Written
            } else {
                WalState::Empty
            },
        })
    }

    pub(crate) fn wal_state(&self) -> WalState {
        self.wal
    }
}

/// Returns the URI with which `SQLite` opens a file as immutable: without locks, and without creating other files.
pub(crate) fn immutable_uri(path: &Path) -> String {
    let mut name = "file://".to_owned();
    let bytes = bytes_of(path);
    if !bytes.starts_with(b"/") {
        name.push('/');
    }
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                name.push(char::from(byte));
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name + "?immutable=1"
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_immutable_uri_names_the_path_from_the_root_and_escapes_its_bytes() {
        for (path, uri) in [
            ("/d/f.db", "file:///d/f.db?immutable=1"),
            ("/a b?#%", "file:///a%20b%3F%23%25?immutable=1"),
            ("C:/d/f.db", "file:///C:/d/f.db?immutable=1"),
            ("/é", "file:///%C3%A9?immutable=1"),
        ] {
            assert_eq!(immutable_uri(Path::new(path)), uri);
        }
    }

    #[test]
    fn a_log_counts_once_it_has_bytes() {
        let name = format!("verger-log-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, [7; 512]).unwrap();
        let state = || FileStamp::of(&path).unwrap().wal_state();
        assert_eq!(state(), WalState::Empty);
        for end in ["-wal", "-journal"] {
            let log = beside(&path, end);
            fs::write(&log, b"").unwrap();
            assert_eq!(state(), WalState::Empty, "{end}");
            fs::write(&log, b"1").unwrap();
            assert_eq!(state(), WalState::Written, "{end}");
            fs::remove_file(&log).unwrap();
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_that_is_replaced_by_one_of_the_same_age_and_length_has_another_stamp() {
        let folder = std::env::temp_dir();
        let name = |end| folder.join(format!("verger-stamp-{end}-{}", std::process::id()));
        let (path, other) = (name("a"), name("b"));
        let time = SystemTime::UNIX_EPOCH;
        for path in [&path, &other] {
            fs::write(path, [7; 512]).unwrap();
            let file = OpenOptions::new().write(true).open(path).unwrap();
            file.set_modified(time).unwrap();
        }
        let before = FileStamp::of(&path).unwrap();
        assert_eq!(FileStamp::of(&path).unwrap(), before);
        fs::rename(&other, &path).unwrap();
        let after = FileStamp::of(&path).unwrap();
        assert_eq!(
            (after.bytes, after.modified),
            (before.bytes, before.modified)
        );
        assert_ne!(after, before);
        fs::remove_file(&path).unwrap();
    }
}
