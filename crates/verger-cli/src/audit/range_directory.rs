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

use crate::octet_text::legible;

/// Reads the documents of directories. A file has the name that the URL of the document ends with, and
/// its time is when it was downloaded.
pub(super) fn checks(directories: &[PathBuf]) -> Result<RequestChecks, Box<dyn Error>> {
    let urls = urls_by_name();
    let mut checks = RequestChecks::default();
    for directory in directories {
        let entries =
            fs::read_dir(directory).map_err(|error| at(directory, Problem::Read(error)))?;
        for entry in entries {
            let path = entry
                .map_err(|error| at(directory, Problem::Read(error)))?
                .path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(url) = urls.get(&*name) else {
                return Err(at(&path, Problem::Name).into());
            };
            let document = document(url, &path).map_err(|problem| at(&path, problem))?;
            checks.add(&document);
        }
    }
    Ok(checks)
}

/// The URLs of all documents that the registry knows, by what they end with.
fn urls_by_name() -> BTreeMap<&'static str, &'static str> {
    let urls = Registry::bundled().iter().flat_map(KnownCrawler::ip_ranges);
    let named = urls.filter_map(|url| {
        let name = url.trim_end_matches('/').rsplit('/').next()?;
        Some((name, url.as_str()))
    });
    named.collect()
}

fn document(url: &str, path: &Path) -> Result<RangeDocument, Problem> {
    let body = fs::read(path).map_err(Problem::Read)?;
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    let since = modified.map_err(Problem::Read)?.duration_since(UNIX_EPOCH);
    let read_at = Timestamp::from_unix_seconds(since.unwrap_or_default().as_secs());
    RangeDocument::fetched(url, &body, read_at).map_err(Problem::Content)
}

fn at(path: &Path, problem: Problem) -> RangeFileError {
    let path = path.to_owned();
    RangeFileError { path, problem }
}

/// A file of ranges cannot be used.
#[derive(Debug)]
struct RangeFileError {
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
                "`{path}` has not the name of a document of address ranges; \
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
    }
}
