//! `CheckDirectories`: the directories with published address ranges and names of addresses.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use verger_files::{RunFiles, legible_path, make_private_directory};

use super::checks_error::ChecksError;
use super::names_file::NamesFile;
use super::range_files::read_ranges;
use crate::identity::RequestChecks;

/// The directories that a user names, or else the default one.
#[derive(Clone, Debug)]
pub struct CheckDirectories {
    /// The directories that are named. The first is written to.
    pub named: Vec<PathBuf>,
    /// The default; `None` where there is no home directory.
    pub default: Option<PathBuf>,
}

impl CheckDirectories {
    /// Reads all of them. The names are those of the directory that is written to; none without one. What is left out
    /// of a directory is a warning.
    ///
    /// # Errors
    ///
    /// Where a directory or a document of it cannot be read.
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

    /// Adds them to the files of a run.
    pub fn add_to(&self, files: &mut RunFiles) {
        for directory in self.existing() {
            files.read_directory(directory);
        }
    }

    /// Returns the directory that is written to, and makes it where it is missing. Of one that is named, the one above
    /// it must be there: the name may be mistyped.
    ///
    /// # Errors
    ///
    /// Where there is none to make, or it cannot be made.
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

    /// Those that are named, or else the default, where it is there.
    fn existing(&self) -> impl Iterator<Item = &Path> {
        let default = self.default.iter().filter(|directory| directory.is_dir());
        let default = default.filter(|_| self.named.is_empty());
        self.named.iter().chain(default).map(PathBuf::as_path)
    }
}

/// There is no directory to write to.
#[derive(Debug, thiserror::Error)]
pub enum NoCheckDirectory {
    /// None is named, and there is no default.
    #[error(
        "there is no home directory to keep address ranges and names in: name a directory with --checks"
    )]
    Homeless,
    /// It cannot be made.
    #[error("the directory `{}` cannot be made: {}", legible_path(.0), .1)]
    NotMade(PathBuf, io::Error),
}
