//! Reads files of a repository next to its robots.txt. Any author of the repository may have put
//! them there.
//!
//! CI and editors read these files although no argument names them. So each must be a regular file,
//! which has an end, and files that they name must be in the same directory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use super::byte_text::legible_path;
use super::output_place::is_in_directory_of;

/// Maximum size of a file that is read whole, in bytes. Parsers use 500 KiB of a robots.txt.
pub const BYTES_MAX: u64 = 256 << 20;

/// Opens a regular file. Refuses a device, a FIFO, or a link to one before reading from it or
/// blocking on it.
///
/// # Errors
///
/// Returns an error if the file does not exist or is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking);
    }
    let file = options.open(path)?;
    // Check the open file, because its name may belong to another file by now.
    match file.metadata()? {
        there if there.is_file() => Ok(file),
        there if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("it is not a regular file")),
    }
}

/// Reads all of an input.
///
/// # Errors
///
/// Returns an error if the input is longer than [`BYTES_MAX`] or cannot be read.
pub fn read_to_end(input: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        let why = format!("it has more than {} MiB", BYTES_MAX >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Resolves a name relative to the directory of `file`.
///
/// # Errors
///
/// Returns an error if the name or the link behind it leads out of that directory.
pub fn beside(file: &Path, name: &(impl AsRef<Path> + ?Sized)) -> Result<PathBuf, Outside> {
    let name = name.as_ref();
    let path = file.with_file_name("").join(name);
    let mut components = name.components();
    let is_within = components.all(|it| matches!(it, Component::Normal(_) | Component::CurDir));
    // If the target cannot be resolved, it cannot be read either.
    if is_within && is_in_directory_of(file, &path).unwrap_or(true) {
        Ok(path)
    } else {
        Err(Outside {
            name: name.to_owned(),
            file: file.to_owned(),
        })
    }
}

/// A file name leads out of the directory of the file that mentions it.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is not read because it is outside the directory of `{}`: move it there, without a link",
    legible_path(.name),
    legible_path(.file)
)]
pub struct Outside {
    name: PathBuf,
    file: PathBuf,
}
