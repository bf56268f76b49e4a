//! `RunFiles`: tracks the inputs and outputs of a run, so that no output replaces an input.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::byte_text::legible_path;
use super::output_place::{directory_of, end_of_links};
use super::source::Source;
use super::whole_file::try_beside;

/// The files of a run. Register all inputs, then all outputs, before any work starts.
#[derive(Debug, Default)]
pub struct RunFiles {
    reads_stdin: bool,
    read: BTreeSet<FileIdentity>,
    read_directories: BTreeSet<FileIdentity>,
    written: BTreeSet<FileIdentity>,
    /// Outputs that exist already.
    replaced: BTreeSet<FileIdentity>,
    /// Directories known to be writable.
    writable: BTreeSet<PathBuf>,
}

/// The existing files that a run replaces. File names found in the input are checked against them.
#[derive(Debug, Default)]
pub struct ReplacedFiles(BTreeSet<FileIdentity>);

impl ReplacedFiles {
    /// Checks a file that is about to be read.
    ///
    /// # Errors
    ///
    /// Returns an error if the run replaces this file.
    pub fn read_file(&self, path: &Path) -> Result<(), RunFilesError> {
        // Most runs replace nothing. They need no system call for each file of a long list.
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

/// The identity of a file, independent of its name. Character devices such as terminals have none,
/// because writing does not change them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileIdentity {
    /// Device and inode number.
    #[cfg(unix)]
    There(u64, u64),
    /// The path of a file that does not exist yet.
    Place(PathBuf),
}

impl RunFiles {
    /// Adds a file or standard input as an input.
    ///
    /// # Errors
    ///
    /// Returns an error if standard input is an input already.
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

    /// Adds an input that must not be counted twice.
    ///
    /// # Errors
    ///
    /// Returns an error if it is an input already, under any name.
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

    /// Adds rules that are read along with lists of URLs.
    ///
    /// # Errors
    ///
    /// Returns an error if standard input is an input already.
    pub fn read_rules(&mut self, source: &Source) -> Result<(), RunFilesError> {
        let read = self.read(source);
        read.map_err(|_| RunFilesError::RulesFromStdin)
    }

    /// Adds an input file.
    pub fn read_file(&mut self, path: &Path) {
        self.read.extend(FileIdentity::of(path));
    }

    /// Adds a store as an input, including the files that its database keeps next to it.
    pub fn read_store(&mut self, path: &Path) {
        // If the path is a link, those files are next to its target.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut name = place.clone().into_os_string();
            name.push(end);
            self.read_file(Path::new(&name));
        }
    }

    /// Adds a directory whose files may all be read.
    pub fn read_directory(&mut self, path: &Path) {
        self.read_directories.extend(FileIdentity::of(path));
    }

    /// Adds a directory and its subdirectories that contain any of these files.
    pub fn read_directories(&mut self, path: &Path, files: &[PathBuf]) {
        self.read_directory(path);
        let below = files.iter().filter(|file| file.starts_with(path));
        for directory in below.filter_map(|file| file.parent()) {
            self.read_directory(directory);
        }
    }

    /// Adds an output file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is an input or output already, is a directory, is in a
    /// directory that is read, or if its directory does not exist or is not writable.
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

    /// Adds an output file, if there is one.
    ///
    /// # Errors
    ///
    /// See [`RunFiles::write`].
    pub fn write_given(&mut self, path: Option<&Path>) -> Result<(), RunFilesError> {
        path.map_or(Ok(()), |path| self.write(path))
    }

    /// Checks that a file can be created next to an output, since outputs are first written there.
    /// A FIFO or device is written directly.
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

    /// Returns the existing files that the run replaces.
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

    /// Returns the identity of standard input, if the system provides it.
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

/// Returns the directory of a new file if that directory does not exist.
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

/// A conflict between the inputs and outputs of a run. Displays the name as given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunFilesError {
    /// Standard input is given as two inputs.
    #[error("`-` is given more than once: standard input can be read only once")]
    StdinTwice,
    /// Standard input is given both as URLs and as their rules.
    #[error("the URLs and their rules both come from standard input: give one of them as a file")]
    RulesFromStdin,
    /// The output is also an input.
    #[error("`{}` is both input and output: choose another output", legible_path(.0))]
    Read(PathBuf),
    /// The input is given twice.
    #[error("`{}` is given as input more than once: give each input once", legible_path(.0))]
    ReadTwice(PathBuf),
    /// The output is in a directory that is read.
    #[error("`{}` is in an input directory: choose another output", legible_path(.0))]
    InReadDirectory(PathBuf),
    /// The output is given twice.
    #[error("`{}` is used for two outputs: choose another output", legible_path(.0))]
    WrittenTwice(PathBuf),
    /// The output is a directory.
    #[error("`{}` is a directory: give a file", legible_path(.0))]
    Directory(PathBuf),
    /// The directory of the output does not exist.
    #[error("cannot write `{}`: there is no directory `{}`", legible_path(.0), legible_path(.1))]
    NoDirectory(PathBuf, PathBuf),
    /// The output cannot be created. Contains the message of the system.
    #[error("cannot write `{}`: {}", legible_path(.0), .1)]
    NotWritable(PathBuf, String),
}
