//! Files that a repository has beside a robots.txt: any author of the repository may have chosen what they are.
//!
//! In CI and in an editor they are read though no argument names them. So each is a regular file, which ends, and what
//! one of them names stays in its directory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use crate::byte_text::legible_path;
use crate::output_place::is_in_directory_of;

/// So many bytes are read of a file that is read whole: 256 MiB. Of a robots.txt 500 KiB are used.
pub const BYTES_MAX: u64 = 256 << 20;

/// Opens a regular file. A device, a FIFO or a link to one is refused before anything is read or waited for.
///
/// # Errors
///
/// Where there is no such file, or it is none that ends.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, nonblocking);
    }
    let file = options.open(path)?;
    // The file that is open is asked: another one may have its name by now.
    match file.metadata()? {
        there if there.is_file() => Ok(file),
        there if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("it is no regular file")),
    }
}

/// Reads a file that ends, and is not too long.
///
/// # Errors
///
/// Where it is too long, or cannot be read.
pub fn read_to_end(input: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        let why = format!("it has more than {} MiB", BYTES_MAX >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// The path of what `file` names, or of what is read beside it by that name.
///
/// # Errors
///
/// Where that is not in the directory of `file`: neither by its name nor at the end of a link.
pub fn beside(file: &Path, name: &(impl AsRef<Path> + ?Sized)) -> Result<PathBuf, Outside> {
    let name = name.as_ref();
    let path = file.with_file_name("").join(name);
    let mut components = name.components();
    let is_within = components.all(|it| matches!(it, Component::Normal(_) | Component::CurDir));
    // Where that cannot be said, there is nothing to read.
    if is_within && is_in_directory_of(file, &path).unwrap_or(true) {
        Ok(path)
    } else {
        Err(Outside {
            name: name.to_owned(),
            file: file.to_owned(),
        })
    }
}

/// What a file names is not in its directory.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` is outside of the directory of `{}`, and is not read: put it there, and no link in its place",
    legible_path(.name),
    legible_path(.file)
)]
pub struct Outside {
    name: PathBuf,
    file: PathBuf,
}
