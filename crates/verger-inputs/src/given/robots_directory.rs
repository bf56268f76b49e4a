//! `RobotsDirectory`: a directory with one robots.txt file per authority.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use verger_answer::ReadError;

use crate::files::source::{InputError, Source};

/// A directory of robots.txt files, named after their authorities.
#[derive(Clone, Debug)]
pub struct RobotsDirectory(PathBuf);

impl RobotsDirectory {
    /// Opens a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory does not exist or cannot be read.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        match fs::read_dir(path) {
            Ok(_) => Ok(Self(path.to_owned())),
            Err(error) => Err(Source::File(path.into()).unreadable(error)),
        }
    }

    /// Returns the body of an authority, or `None` if it has no file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists but cannot be read. Do not treat such a file as missing,
    /// because a missing file may allow everything.
    pub fn body(&self, authority: &str) -> Result<Option<Vec<u8>>, ReadError> {
        for name in file_names(authority) {
            let path = self.0.join(name);
            match fs::metadata(&path) {
                // A dangling link is an unreadable file, not a missing one.
                Err(error) if is_absence(error.kind()) && fs::symlink_metadata(&path).is_err() => {}
                Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => {
                    return Err(format!("`{}` is not a file", path.display()).into());
                }
                _ => return read(path).map(Some),
            }
        }
        Ok(None)
    }
}

/// Reads a body from a file. The error names the file.
pub(super) fn read(path: PathBuf) -> Result<Vec<u8>, ReadError> {
    let read = Source::File(path).read();
    read.map_err(|error| error.to_string().into())
}

/// A name that is too long for the file system cannot exist.
fn is_absence(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename
    )
}

/// Returns the possible file names for `authority`. The first existing file is used.
///
/// A host comes from a URL and may contain anything. Names consist of harmless bytes only, so they
/// cannot lead out of the directory.
fn file_names(authority: &str) -> impl Iterator<Item = String> {
    let full = percent_encoded(authority);
    let plain = ["https://", "http://"]
        .into_iter()
        .find_map(|scheme| authority.strip_prefix(scheme))
        .filter(|host_and_port| is_harmless(host_and_port))
        .map(str::to_owned);
    let names = [Some(full), plain].into_iter().flatten();
    names.flat_map(|name| [format!("{name}.txt"), name])
}

fn is_harmless(host_and_port: &str) -> bool {
    let is_harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:[]".contains(&byte);
    !host_and_port.starts_with('.') && host_and_port.bytes().all(is_harmless)
}

/// Percent-encodes like `encodeURIComponent`, but also escapes `!'()*`.
fn percent_encoded(authority: &str) -> String {
    let mut name = String::with_capacity(authority.len() + 8);
    for byte in authority.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            name.push(char::from(byte));
        } else {
            let _ = write!(name, "%{byte:02X}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn names(authority: &str, expected: &[&str]) {
        let names: Vec<_> = file_names(authority).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_file_is_named_after_its_authority_in_full_or_after_its_host() {
        names(
            "https://example.com",
            &[
                "https%3A%2F%2Fexample.com.txt",
                "https%3A%2F%2Fexample.com",
                "example.com.txt",
                "example.com",
            ],
        );
        names(
            "http://[::1]:8080",
            &[
                "http%3A%2F%2F%5B%3A%3A1%5D%3A8080.txt",
                "http%3A%2F%2F%5B%3A%3A1%5D%3A8080",
                "[::1]:8080.txt",
                "[::1]:8080",
            ],
        );
        names(
            "ftp://example.com",
            &["ftp%3A%2F%2Fexample.com.txt", "ftp%3A%2F%2Fexample.com"],
        );
    }

    #[test]
    fn no_name_leads_out_of_the_directory() {
        for host in ["..", ".hidden", "a b", "a\0", "é", "%2e%2e", "a/b", "a\\b"] {
            let authority = format!("https://{host}");
            for name in file_names(&authority) {
                assert!(name.starts_with("https%3A%2F%2F"), "{name}");
                assert!(!name.contains(['/', '\\', '\0', ' ']), "{name}");
            }
        }
    }
}
