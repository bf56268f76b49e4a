use std::fs;
use std::path::{Path, PathBuf};

use super::input_format::{InputFormat, UrlInputError};

const FILES_MAX: usize = 100_000;

const DEPTH_MAX: usize = 32;

/// Returns the lists in a directory and its subdirectories, in path order: the files whose names
/// tell a format. Skips names that start with a dot or an underscore, which by convention do not
/// belong to a table.
///
/// # Errors
///
/// Returns an error if a directory cannot be read, has no list, has too many, or contains a link,
/// which may lead anywhere.
pub fn list_files(directory: &Path) -> Result<Vec<PathBuf>, UrlInputError> {
    let mut files = Vec::new();
    add_files(directory, 0, &mut files)?;
    if files.is_empty() {
        let problem =
            "it contains no list of URLs (.txt, .csv, .jsonl, .ndjson, .json, .cdxj or .parquet)";
        return Err(UrlInputError::of(&directory.to_string_lossy(), problem));
    }
    files.sort();
    Ok(files)
}

fn add_files(
    directory: &Path,
    depth: usize,
    files: &mut Vec<PathBuf>,
) -> Result<(), UrlInputError> {
    let fail = |path: &Path, problem: &dyn std::fmt::Display| {
        UrlInputError::of(&path.to_string_lossy(), problem)
    };
    if depth > DEPTH_MAX {
        return Err(fail(
            directory,
            &format_args!("it is more than {DEPTH_MAX} directories deep"),
        ));
    }
    let entries = fs::read_dir(directory).map_err(|error| fail(directory, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| fail(directory, &error))?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with(['.', '_']) {
            continue;
        }
        let kind = entry.file_type().map_err(|error| fail(&path, &error))?;
        if kind.is_dir() {
            add_files(&path, depth + 1, files)?;
        } else if InputFormat::said_by(&path).is_some() {
            if kind.is_symlink() {
                let problem =
                    "links in a directory are not followed: name the link as a separate list";
                return Err(fail(&path, &problem));
            }
            if kind.is_file() {
                files.push(path);
            }
        }
        if files.len() > FILES_MAX {
            return Err(fail(
                directory,
                &format_args!("it contains more than {FILES_MAX} lists"),
            ));
        }
    }
    Ok(())
}
