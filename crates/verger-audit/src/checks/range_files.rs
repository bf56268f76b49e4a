use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_crawlers::{KnownCrawler, Registry};
use verger_inputs::is_unfinished;

use super::checks_error::{ChecksError, shown};
use super::names_file;
use crate::identity::{RangeDocument, RequestChecks};

/// Reads the documents in a directory, and returns the names of other files. A file is named after
/// the last segment of its URL, and its modification time is the download time. Fails if a document
/// has no ranges.
pub(super) fn read_ranges(
    directory: &Path,
    checks: &mut RequestChecks,
) -> Result<Option<OtherFiles>, ChecksError> {
    let unreadable = |error| ChecksError::read(directory, error);
    let urls = urls_by_name();
    let mut others = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == names_file::NAME || is_unfinished(&name) {
            continue;
        }
        let Some(url) = urls.get(&*name) else {
            others.push(shown(&path));
            continue;
        };
        let read = || Ok((fs::read(&path)?, written_at(&path)?));
        let (body, read_at) = read().map_err(|error| ChecksError::read(&path, error))?;
        let document = RangeDocument::fetched(url, &body, read_at);
        checks.add(&document.map_err(|error| ChecksError::Content {
            path: shown(&path),
            error,
        })?);
    }
    let count = others.len() as u64;
    let first = others.into_iter().min();
    Ok(first.map(|first| OtherFiles { first, count }))
}

/// Files that are not documents, judging by their names.
#[derive(Clone, Debug)]
pub(super) struct OtherFiles {
    /// The first name, safe to print.
    first: String,
    count: u64,
}

impl fmt::Display for OtherFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.first)?;
        let are = match self.count - 1 {
            0 => "is",
            more => {
                write!(f, " and {}", CountOf(more, "other file", "other files"))?;
                "are"
            }
        };
        write!(
            f,
            " {are} ignored: a document of address ranges is named after the end of its URL, which `verger crawlers NAME` shows"
        )
    }
}

/// Returns the document URLs by their last segment.
pub(super) fn urls_by_name() -> BTreeMap<&'static str, &'static str> {
    let urls = Registry::bundled().iter().flat_map(KnownCrawler::ip_ranges);
    let named = urls.filter_map(|url| {
        let name = url.trim_end_matches('/').rsplit('/').next()?;
        Some((name, url.as_str()))
    });
    named.collect()
}

pub(super) fn written_at(path: &Path) -> io::Result<Timestamp> {
    let modified = fs::metadata(path)?.modified()?;
    let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Timestamp::from_unix_seconds(since.as_secs()))
}

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
