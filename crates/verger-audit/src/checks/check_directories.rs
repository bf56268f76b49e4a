use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verger_inputs::{RunFiles, legible_path, make_private_directory};

use super::checks_error::ChecksError;
use super::names_file::NamesFile;
use super::range_files::read_ranges;
use crate::identity::RequestChecks;

/// The directories given by the user, or the default directory.
#[derive(Clone, Debug)]
pub struct CheckDirectories {
    /// The given directories. The first one is written to.
    pub named: Vec<PathBuf>,
    /// The default directory, or `None` without a home directory.
    pub default: Option<PathBuf>,
}

impl CheckDirectories {
    /// Reads all directories. Returns the names from the `written` directory. `warn` receives
    /// warnings about ignored files.
    ///
    /// # Errors
    ///
    /// Returns an error if a directory or a document in it cannot be read.
    pub fn read(
        &self,
        written: Option<&Path>,
        mut warn: impl FnMut(&dyn fmt::Display),
    ) -> Result<(RequestChecks, NamesFile), ChecksError> {
        let mut checks = RequestChecks::default();
        let mut own_names = NamesFile::default();
        for directory in self.existing() {
            if let Some(others) = read_ranges(directory, &mut checks)? {
                warn(&others);
            }
            let names = NamesFile::read(directory)?;
            names.add_to(&mut checks);
            if written == Some(directory) {
                own_names = names;
            }
        }
        Ok((checks, own_names))
    }

    /// Registers the directories as inputs of a run.
    pub fn add_to(&self, files: &mut RunFiles) {
        for directory in self.existing() {
            files.read_directory(directory);
        }
    }

    /// Returns the directory to write to, and creates it if needed. The parent of a given directory
    /// must exist, because the name may contain a typo.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no directory to create or it cannot be created.
    pub fn made(&self) -> Result<&Path, NoCheckDirectory> {
        let (directory, made) = match (self.named.first(), &self.default) {
            (Some(named), _) if named.is_dir() => return Ok(named),
            (Some(named), _) => (named, fs::create_dir(named)),
            (None, Some(default)) => (default, make_private_directory(default)),
            (None, None) => return Err(NoCheckDirectory::Homeless),
        };
        match made {
            Ok(()) => Ok(directory),
            Err(error) => Err(NoCheckDirectory::NotMade(directory.clone(), error)),
        }
    }

    fn existing(&self) -> impl Iterator<Item = &Path> {
        let default = self.default.iter().filter(|directory| directory.is_dir());
        let default = default.filter(|_| self.named.is_empty());
        self.named.iter().chain(default).map(PathBuf::as_path)
    }
}

/// There is no directory to write to.
#[derive(Debug, thiserror::Error)]
pub enum NoCheckDirectory {
    /// No directory is given, and there is no default.
    #[error(
        "there is no home directory for address ranges and host names: name a directory with `--checks`"
    )]
    Homeless,
    /// The directory cannot be created.
    #[error("cannot create the directory `{}`: {}", legible_path(.0), .1)]
    NotMade(PathBuf, io::Error),
}
