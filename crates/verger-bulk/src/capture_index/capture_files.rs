//! Finds the files of captures that arguments name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use verger_inputs::{InputError, Source};

/// Lists the Parquet files at these paths. A directory is searched recursively, in path order.
/// Skips subdirectories whose names start with a dot or an underscore, which by convention do not
/// belong to a table.
///
/// # Errors
///
/// Returns an error if a directory cannot be read or contains no such file.
pub fn capture_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, NoCaptures> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = files_below(path)?;
        if inside.is_empty() {
            return Err(NoCaptures::Empty(path.clone()));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

fn files_below(directory: &Path) -> Result<Vec<PathBuf>, NoCaptures> {
    let mut files = Vec::new();
    let mut directories = BTreeSet::from([directory.to_owned()]);
    let mut seen = BTreeSet::new();
    while let Some(directory) = directories.pop_first() {
        let unreadable =
            |error| NoCaptures::Unreadable(Source::File(directory.clone()).unreadable(error));
        if !seen.insert(fs::canonicalize(&directory).map_err(unreadable)?) {
            continue;
        }
        for entry in fs::read_dir(&directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            if path.is_dir() {
                if !entry.file_name().to_string_lossy().starts_with(['.', '_']) {
                    directories.insert(path);
                }
            } else if path.extension().is_some_and(|it| it == "parquet") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// A directory has no readable captures.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoCaptures {
    /// The directory has no Parquet file.
    #[error("there is no `.parquet` file in `{}`", .0.display())]
    Empty(PathBuf),
    /// The directory cannot be read.
    #[error(transparent)]
    Unreadable(InputError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_directories_below_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["b", "a/c.parquet", "_temporary", ".x"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let expected = [
            "_a.parquet",
            "a/c.parquet/part.parquet",
            "b/a.parquet",
            "c.parquet",
        ];
        let others = ["_temporary/a.parquet", ".x/a.parquet", "b/_SUCCESS"];
        for name in expected.into_iter().chain(others) {
            fs::write(root.join(name), "").unwrap();
        }
        let found = || capture_files(&[root.to_owned()]);
        assert_eq!(found().unwrap(), expected.map(|name| root.join(name)));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("b", root.join("link")).unwrap();
            std::os::unix::fs::symlink(root, root.join("b/again")).unwrap();
            assert_eq!(found().unwrap(), expected.map(|name| root.join(name)));
        }
        let named = capture_files(&[root.join(".x"), root.join("_temporary")]);
        assert_eq!(named.unwrap().len(), 2);
    }
}
