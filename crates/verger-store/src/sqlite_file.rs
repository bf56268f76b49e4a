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

/// What a change of a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    octets: u64,
    modified: Option<SystemTime>,
    log: Log,
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
