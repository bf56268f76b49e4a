//! The files of captures that arguments name.

use std::fs;
use std::path::PathBuf;

use verger_files::{InputError, Source};

/// Lists the Parquet files of captures at these paths; those of a directory in the order of their names.
///
/// # Errors
///
/// Where a directory cannot be read, or has no such file.
pub fn capture_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, NoCaptures> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable =
            |error| NoCaptures::Unreadable(Source::File(path.clone()).unreadable(error));
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|it| it == "parquet") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(NoCaptures::Empty(path.clone()));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// A directory has no captures that can be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCaptures {
    /// It has no Parquet file.
    #[error("there is no `.parquet` file in `{}`", .0.display())]
    Empty(PathBuf),
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(InputError),
}
