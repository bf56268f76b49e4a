//! The file of a store on the disk: who may read it, and whether it was changed.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// One thread of this process makes a file at a time: closing a file ends all locks that the process
/// has on it, so none may be opened as a database while another thread makes it.
static MAKING: Mutex<()> = Mutex::new(());

/// Makes an empty file that its owner alone may read, unless there is one. `SQLite` gives the files
/// that it makes beside it the same permissions.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// What belongs to a file, by the end of its name.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// What a change of a file changes: its length, its times or, where it is replaced, its identity. A
/// program that sets the time of modification back does not set back when the inode was changed.
///
/// What it does not show is a change of the same length within one tick of the file system's clock
/// (on Linux a few milliseconds at most) after the change before it, where also no log is left. The
/// change counter in the file's head would not show it either: with a write-ahead log it goes up
/// only where the first page changes, and looking at it opens the file, whose closing ends the
/// locks that this process has on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    octets: u64,
    modified: Option<SystemTime>,
    inode: Inode,
    log: Log,
}

/// Which file it is, and when its inode was changed, in seconds and nanoseconds.
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

    /// Nothing is known of it.
    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Self {
        Self {
            device_and_number: (0, 0),
            changed: (0, 0),
        }
    }
}

/// What stands beside a file that is not in it yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    Empty,
    Written,
}

impl Stamp {
    /// How a file is now.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let file = fs::metadata(path)?;
        let has_octets = |end| fs::metadata(beside(path, end)).is_ok_and(|it| it.len() > 0);
        let is_written = has_octets("-wal") || has_octets("-journal");
        Ok(Self {
            octets: file.len(),
            modified: file.modified().ok(),
            inode: Inode::of(&file),
            log: if is_written { Log::Written } else { Log::Empty },
        })
    }

    pub(crate) fn log(&self) -> Log {
        self.log
    }
}

/// The name under which `SQLite` opens a file that does not change, without locks and without
/// files beside it.
pub(crate) fn unchanging(path: &Path) -> String {
    let mut name = "file://".to_owned();
    let octets = octets_of(path);
    if !octets.starts_with(b"/") {
        name.push('/');
    }
    for octet in octets {
        match octet {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                name.push(char::from(octet));
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{octet:02X}");
            }
        }
    }
    name + "?immutable=1"
}

#[cfg(unix)]
fn octets_of(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
fn octets_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

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
        let before = Stamp::of(&path).unwrap();
        assert_eq!(Stamp::of(&path).unwrap(), before);
        fs::rename(&other, &path).unwrap();
        let after = Stamp::of(&path).unwrap();
        assert_eq!(
            (after.octets, after.modified),
            (before.octets, before.modified)
        );
        assert_ne!(after, before);
        fs::remove_file(&path).unwrap();
    }
}
