//! The address ranges that operators publish, downloaded into directories.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use verger_access::Timestamp;
use verger_audit::{RangeDocument, RangeDocumentError, RequestChecks};
use verger_crawlers::{KnownCrawler, Registry};
use verger_files::is_unfinished;

use super::names_file;
use crate::octet_text::legible;

/// Reads the documents of a directory. A file has the name that the URL of the document ends with, and
/// its time is when it was downloaded.
pub(super) fn read(directory: &Path, checks: &mut RequestChecks) -> Result<(), RangeFileError> {
    let unreadable = |error| at(directory, Problem::Read(error));
    let urls = urls_by_name();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == names_file::NAME || is_unfinished(&name) {
            continue;
        }
        let Some(url) = urls.get(&*name) else {
            return Err(at(&path, Problem::Name));
        };
        let document = document(url, &path).map_err(|problem| at(&path, problem))?;
        checks.add(&document);
    }
    Ok(())
}

/// The URLs of all documents that the registry knows, by what they end with.
pub(super) fn urls_by_name() -> BTreeMap<&'static str, &'static str> {
    let urls = Registry::bundled().iter().flat_map(KnownCrawler::ip_ranges);
    let named = urls.filter_map(|url| {
        let name = url.trim_end_matches('/').rsplit('/').next()?;
        Some((name, url.as_str()))
    });
    named.collect()
}

/// When a file was written.
pub(super) fn written_at(path: &Path) -> io::Result<Timestamp> {
    let modified = fs::metadata(path)?.modified()?;
    let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Timestamp::from_unix_seconds(since.as_secs()))
}

fn document(url: &str, path: &Path) -> Result<RangeDocument, Problem> {
    let body = fs::read(path).map_err(Problem::Read)?;
    let read_at = written_at(path).map_err(Problem::Read)?;
    RangeDocument::fetched(url, &body, read_at).map_err(Problem::Content)
}

fn at(path: &Path, problem: Problem) -> RangeFileError {
    let path = path.to_owned();
    RangeFileError { path, problem }
}

/// A file of ranges cannot be used.
#[derive(Debug)]
pub(super) struct RangeFileError {
    path: PathBuf,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Read(io::Error),
    Name,
    Content(RangeDocumentError),
}

impl fmt::Display for RangeFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = legible(self.path.to_string_lossy().as_bytes());
        match &self.problem {
            Problem::Read(error) => write!(f, "cannot read `{path}`: {error}"),
            Problem::Name => write!(
                f,
                "`{path}` is not named as a document of address ranges is; \
                 `verger crawlers NAME` shows their URLs"
            ),
            Problem::Content(error) => write!(f, "`{path}`: {error}"),
        }
    }
}

impl Error for RangeFileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_documents_have_one_name() {
        let crawlers = Registry::bundled().iter();
        let mut urls: Vec<&String> = crawlers.flat_map(KnownCrawler::ip_ranges).collect();
        urls.sort_unstable();
        urls.dedup();
        assert_eq!(urls_by_name().len(), urls.len());
        assert!(!urls_by_name().contains_key(names_file::NAME));
        let is_name = |name: &&str| {
            name.bytes()
                .all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
        };
        assert!(urls_by_name().keys().all(is_name));
    }
}
