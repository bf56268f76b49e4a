//! `RunFiles`: what a run reads and what it writes, so that it replaces nothing that it reads.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::byte_text::legible_path;
use crate::output_place::{directory_of, end_of_links};
use crate::source::Source;
use crate::whole_file::try_beside;

/// The files of a run. Say what is read, then what is written, before there is any work.
#[derive(Debug, Default)]
pub struct RunFiles {
    reads_stdin: bool,
    read: BTreeSet<FileIdentity>,
    read_directories: BTreeSet<FileIdentity>,
    written: BTreeSet<FileIdentity>,
    /// Those of what is written that are there.
    replaced: BTreeSet<FileIdentity>,
    /// Directories in which files can be made.
    writable: BTreeSet<PathBuf>,
}

/// The files that a run replaces, to be compared with those whose names it finds in what it reads.
#[derive(Debug, Default)]
pub struct ReplacedFiles(BTreeSet<FileIdentity>);

impl ReplacedFiles {
    /// Compares a file that is read.
    ///
    /// # Errors
    ///
    /// Where it is one of them.
    pub fn read_file(&self, path: &Path) -> Result<(), RunFilesError> {
        // Most runs replace nothing, and need not ask about each file of a long list.
        if self.0.is_empty() {
            return Ok(());
        }
        match FileIdentity::of(path) {
            Some(identity) if self.0.contains(&identity) => {
                Err(RunFilesError::Read(path.to_owned()))
            }
            _ => Ok(()),
        }
    }
}

/// Which file it is, by whatever name. A device of characters, such as a terminal, is none that a write
/// changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileIdentity {
    /// The device, and the number on it.
    #[cfg(unix)]
    There(u64, u64),
    /// The place, of what is not there yet.
    Place(PathBuf),
}

impl RunFiles {
    /// Adds a file or standard input that is read.
    ///
    /// # Errors
    ///
    /// Where standard input is read already.
    pub fn read(&mut self, source: &Source) -> Result<(), RunFilesError> {
        match source {
            Source::File(path) => self.read_file(path),
            Source::Stdin if self.reads_stdin => return Err(RunFilesError::StdinTwice),
            Source::Stdin => {
                self.reads_stdin = true;
                self.read.extend(FileIdentity::of_stdin());
            }
        }
        Ok(())
    }

    /// Adds an input that is counted, which must not be counted twice.
    ///
    /// # Errors
    ///
    /// Where it is read already, by whatever name.
    pub fn read_once(&mut self, source: &Source) -> Result<(), RunFilesError> {
        let (identity, name) = match source {
            Source::File(path) => (FileIdentity::of(path), path.clone()),
            Source::Stdin if self.reads_stdin => return Err(RunFilesError::StdinTwice),
            Source::Stdin => (FileIdentity::of_stdin(), PathBuf::from("-")),
        };
        match identity {
            Some(identity) if self.read.contains(&identity) => Err(RunFilesError::ReadTwice(name)),
            _ => self.read(source),
        }
    }

    /// Adds rules that are read beside lists of URLs.
    ///
    /// # Errors
    ///
    /// Where standard input is read already.
    pub fn read_rules(&mut self, source: &Source) -> Result<(), RunFilesError> {
        let read = self.read(source);
        read.map_err(|_| RunFilesError::RulesFromStdin)
    }

    /// Adds a file that is read.
    pub fn read_file(&mut self, path: &Path) {
        self.read.extend(FileIdentity::of(path));
    }

    /// Adds a store that is read, with the files that the database keeps beside it.
    pub fn read_store(&mut self, path: &Path) {
        // Where it is a link, they are beside the file that it names.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut name = place.clone().into_os_string();
            name.push(end);
            self.read_file(Path::new(&name));
        }
    }

    /// Adds a directory all of whose files may be read.
    pub fn read_directory(&mut self, path: &Path) {
        self.read_directories.extend(FileIdentity::of(path));
    }

    /// Adds a directory, and those below it that have one of these files.
    pub fn read_directories(&mut self, path: &Path, files: &[PathBuf]) {
        self.read_directory(path);
        let below = files.iter().filter(|file| file.starts_with(path));
        for directory in below.filter_map(|file| file.parent()) {
            self.read_directory(directory);
        }
    }

    /// Adds a file that is written.
    ///
    /// # Errors
    ///
    /// Where it is read or written already, is a directory or in one that is read, or would be in one that is not
    /// there or in which no file can be made.
    pub fn write(&mut self, path: &Path) -> Result<(), RunFilesError> {
        if path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(RunFilesError::Directory(path.to_owned()));
        }
        if let Some(directory) = missing_directory(path) {
            return Err(RunFilesError::NoDirectory(path.to_owned(), directory));
        }
        let Some(identity) = FileIdentity::of(path) else {
            return Ok(());
        };
        if self.read.contains(&identity) {
            return Err(RunFilesError::Read(path.to_owned()));
        }
        if self.is_in_read_directory(path) {
            return Err(RunFilesError::InReadDirectory(path.to_owned()));
        }
        if path.exists() {
            self.replaced.insert(identity.clone());
        }
        if !self.written.insert(identity) {
            return Err(RunFilesError::WrittenTwice(path.to_owned()));
        }
        self.try_directory(path)
            .map_err(|error| RunFilesError::NotWritable(path.to_owned(), error.to_string()))
    }

    /// Adds a file that is written, where one is given.
    ///
    /// # Errors
    ///
    /// As [`RunFiles::write`].
    pub fn write_given(&mut self, path: Option<&Path>) -> Result<(), RunFilesError> {
        path.map_or(Ok(()), |path| self.write(path))
    }

    /// Shows whether a file can be made beside an output, which is written there first. A FIFO or a device is not.
    fn try_directory(&mut self, path: &Path) -> io::Result<()> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Ok(());
        }
        let place = end_of_links(path);
        let directory = directory_of(&place);
        if !self.writable.contains(directory) {
            try_beside(&place)?;
            self.writable.insert(directory.to_owned());
        }
        Ok(())
    }

    /// The files that the run replaces.
    #[must_use]
    pub fn replaced(self) -> ReplacedFiles {
        ReplacedFiles(self.replaced)
    }

    fn is_in_read_directory(&self, path: &Path) -> bool {
        let place = end_of_links(path);
        let identity = FileIdentity::of(directory_of(&place));
        identity.is_some_and(|identity| self.read_directories.contains(&identity))
    }
}

impl FileIdentity {
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(about) => Self::of_file(path, &about),
            Err(_) => Some(Self::of_place(path)),
        }
    }

    fn of_place(path: &Path) -> Self {
        let place = end_of_links(path);
        let directory = fs::canonicalize(directory_of(&place));
        Self::Place(match (directory, place.file_name()) {
            (Ok(directory), Some(name)) => directory.join(name),
            _ => std::path::absolute(&place).unwrap_or(place),
        })
    }

    #[cfg(unix)]
    fn of_file(_path: &Path, about: &Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let changes = !about.file_type().is_char_device();
        changes.then(|| Self::There(about.dev(), about.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path, _about: &Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Place)
    }

    /// The file or pipe that standard input is, where the system says it.
    fn of_stdin() -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd as _;
            let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
            let about = fs::File::from(stdin).metadata().ok()?;
            Self::of_file(Path::new("-"), &about)
        }
        #[cfg(not(unix))]
        None
    }
}

/// The directory that a new file would be in, where it is not there.
fn missing_directory(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let place = end_of_links(path);
    let directory = directory_of(&place);
    let is_missing = match fs::metadata(directory) {
        Ok(about) => !about.is_dir(),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    };
    let shown = directory.strip_prefix(".").unwrap_or(directory);
    is_missing.then(|| shown.to_owned())
}

/// Files that a run cannot read and write at once. Displays with the name that was given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunFilesError {
    /// Standard input would be read twice.
    #[error("`-` is given several times, and standard input can be read once")]
    StdinTwice,
    /// Standard input would be read twice, as URLs and as their rules.
    #[error("the URLs and their rules both come from standard input; give one as a file")]
    RulesFromStdin,
    /// It is read, too.
    #[error("`{}` is read and written: give another output", legible_path(.0))]
    Read(PathBuf),
    /// It is an input already.
    #[error("`{}` is an input already: give each input once", legible_path(.0))]
    ReadTwice(PathBuf),
    /// It is in a directory that is read.
    #[error("`{}` is in a directory that is read: give another output", legible_path(.0))]
    InReadDirectory(PathBuf),
    /// It is another output, too.
    #[error("`{}` is written twice: give another output", legible_path(.0))]
    WrittenTwice(PathBuf),
    /// It is a directory.
    #[error("`{}` is a directory: give a file", legible_path(.0))]
    Directory(PathBuf),
    /// The file, and where it would be.
    #[error("cannot write `{}`: there is no directory `{}`", legible_path(.0), legible_path(.1))]
    NoDirectory(PathBuf, PathBuf),
    /// The file, and what the system says.
    #[error("cannot write `{}`: {}", legible_path(.0), .1)]
    NotWritable(PathBuf, String),
}
