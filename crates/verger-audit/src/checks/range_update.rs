use std::fmt;
use std::path::Path;
use verger_answer::ReadError;

use verger_access::Timestamp;
use verger_answer::CountOf;
use verger_answer::text::day_text;
use verger_inputs::{Links, write_whole};

use super::checks_error::{ChecksError, shown};
use super::range_files::{urls_by_name, written_at};
use crate::identity::RangeDocument;

/// Downloads address range documents into a directory.
#[derive(Clone, Copy, Debug)]
pub struct RangeUpdate<'a> {
    /// The directory for the documents.
    pub directory: &'a Path,
    /// Base URL of copies of the documents, ending with `/`. If `None`, documents come from their
    /// operators.
    pub from: Option<&'a str>,
}

/// Fetches documents and receives progress.
pub trait UpdateObserver {
    /// Fetches a URL and returns the body and the time.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL cannot be fetched.
    fn fetch(&mut self, url: &str) -> Result<(Vec<u8>, Timestamp), ReadError>;

    /// A document could not be fetched or has no ranges. The previous version is kept.
    fn failed(&mut self, problem: &str);

    /// Reports how many of all documents are done, including failures.
    fn done(&mut self, done: usize, all: usize);
}

/// The result of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdatedRanges {
    fetched: usize,
    failed: usize,
    directory: String,
}

impl RangeUpdate<'_> {
    /// Downloads each document and writes it whole.
    ///
    /// # Errors
    ///
    /// Returns an error if a document cannot be written.
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
                        Ok(time) => format!("; the version of {} is kept", day_text(time)),
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
    /// Returns whether every document was fetched.
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
            write!(f, ", {} failed", self.failed)?;
        }
        Ok(())
    }
}
