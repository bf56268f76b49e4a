//! `RangeUpdate`: the address ranges that operators publish, fetched into a directory.

use std::fmt;
use std::path::Path;
use verger_answer::ReadError;

use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_answer::text::day_text;
use verger_files::{Links, write_whole};

use super::checks_error::{ChecksError, shown};
use super::range_files::{urls_by_name, written_at};
use crate::identity::RangeDocument;

/// Fetches the documents of address ranges into a directory.
#[derive(Clone, Copy, Debug)]
pub struct RangeUpdate<'a> {
    /// The directory for the documents.
    pub directory: &'a Path,
    /// The URL of a directory with copies of them, with `/` at its end; `None`: from each operator.
    pub from: Option<&'a str>,
}

/// Fetches documents, and gets the progress.
pub trait UpdateObserver {
    /// The bytes at a URL and when they were fetched, or in words why there are none.
    ///
    /// # Errors
    ///
    /// Where it cannot be fetched.
    fn fetch(&mut self, url: &str) -> Result<(Vec<u8>, Timestamp), ReadError>;

    /// A document could not be fetched or has no ranges, and the one before is kept.
    fn failed(&mut self, problem: &str);

    /// So many of all documents were fetched or failed.
    fn done(&mut self, done: usize, all: usize);
}

/// The result for the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedRanges {
    fetched: usize,
    failed: usize,
    directory: String,
}

impl RangeUpdate<'_> {
    /// Fetches each document, and writes it whole.
    ///
    /// # Errors
    ///
    /// Where one cannot be written.
    pub fn run(&self, observer: &mut impl UpdateObserver) -> Result<UpdatedRanges, ChecksError> {
        let urls = urls_by_name();
        let all = urls.len();
        let mut updated = UpdatedRanges {
            fetched: 0,
            failed: 0,
            directory: shown(self.directory),
        };
        observer.done(0, all);
        for (nth, (name, url)) in urls.into_iter().enumerate() {
            let asked = match self.from {
                None => url.to_owned(),
                Some(from) => format!("{from}{name}"),
            };
            let path = self.directory.join(name);
            let body = observer.fetch(&asked).and_then(|(body, at)| {
                let checked = RangeDocument::fetched(url, &body, at);
                checked
                    .map(|_| body)
                    .map_err(|error| error.to_string().into())
            });
            match body {
                Ok(body) => {
                    let written = write_whole(&path, &body, Links::Follow);
                    written.map_err(|error| ChecksError::write(&path, error))?;
                    updated.fetched += 1;
                }
                Err(problem) => {
                    let kept = match written_at(&path) {
                        Ok(time) => format!("; the one of {} is kept", day_text(time)),
                        Err(_) => String::new(),
                    };
                    observer.failed(&format!("{asked}: {problem}{kept}"));
                    updated.failed += 1;
                }
            }
            observer.done(nth + 1, all);
        }
        Ok(updated)
    }
}

impl UpdatedRanges {
    /// Whether every document was fetched.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.failed == 0
    }
}

impl fmt::Display for UpdatedRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let documents = CountOf(self.fetched as u64, "document", "documents");
        let directory = &self.directory;
        write!(f, "{documents} of address ranges fetched into {directory}")?;
        if self.failed > 0 {
            write!(f, ", {} not", self.failed)?;
        }
        Ok(())
    }
}
