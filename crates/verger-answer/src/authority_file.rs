//! `AuthorityFile`: what is known about an authority, read for one crawler: answers any number of questions.

use std::io;
use std::sync::OnceLock;

use verger::{Effect, TargetPath, allocated_bytes};
use verger_access::{RequestedUrlError, Timestamp, requested_target};

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_parts::CheckParts;
use crate::checked_file::{CheckedFile, Readings};
use crate::crawlers::resolved::ResolvedCrawler;

/// What is known about an authority, read for one crawler.
#[derive(Debug)]
#[non_exhaustive]
pub struct AuthorityFile {
    /// What is known about the authority.
    pub lookup: AuthorityLookup,
    /// The body that was found, with the crawler alone.
    pub file: CheckedFile,
    parts: OnceLock<CheckParts>,
}

impl AuthorityFile {
    /// Parses what was found.
    #[must_use]
    pub fn new(lookup: AuthorityLookup, readings: &Readings, crawler: &ResolvedCrawler) -> Self {
        let crawlers = std::slice::from_ref(crawler);
        Self {
            file: CheckedFile::of_authority(&lookup, readings, crawlers),
            lookup,
            parts: OnceLock::new(),
        }
    }

    /// Whether what is known is valid at a time, and no fetch is due then.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        let answer = self.lookup.state.as_ref().map(|state| &state.answer);
        answer.is_some_and(|answer| now < answer.holds_until() && !answer.is_due(now))
    }

    /// The target of a URL in the reading of the file.
    ///
    /// # Errors
    ///
    /// Where the URL cannot be asked about.
    pub fn target<'u>(&self, url: &'u str) -> Result<TargetPath<'u>, RequestedUrlError> {
        requested_target(url.as_bytes(), *self.file.robots().reading())
    }

    /// As [`AuthorityFile::target`], for a URL whose authority is written as in one that has a target
    /// ([`WrittenAuthority`](verger_access::WrittenAuthority)).
    ///
    /// # Errors
    ///
    /// Where the URL has no target.
    pub fn target_alike<'u>(&self, url: &'u str) -> Result<TargetPath<'u>, RequestedUrlError> {
        let target = TargetPath::as_sent(url, *self.file.robots().reading());
        target.map_err(RequestedUrlError::Target)
    }

    /// Whether the URL with this target may be fetched; `None` where nothing is known.
    #[must_use]
    pub fn effect(&self, url: &str, target: &TargetPath<'_>) -> Option<Effect> {
        let answer = (self.file).answer_of_authority(0, url.as_bytes(), target, &self.lookup);
        answer.result.effect()
    }

    /// Appends the answer about the URL with this target: a line of `verger.check/1`, without a line end.
    ///
    /// # Errors
    ///
    /// None that is known: the answer has JSON.
    pub fn append_check(
        &self,
        output: &mut Vec<u8>,
        url: &str,
        target: &TargetPath<'_>,
    ) -> io::Result<()> {
        let answer = (self.file).answer_of_authority(0, url.as_bytes(), target, &self.lookup);
        let parts = if let Some(parts) = self.parts.get() {
            parts
        } else {
            let made = CheckParts::of(&self.file, 0, &self.lookup)?;
            self.parts.get_or_init(|| made)
        };
        parts.append_line(output, &answer)
    }

    /// How many bytes of the heap it takes, beside its own size, about: what a cache counts. The parts of answers
    /// are counted as if they were made.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let state = self.lookup.state.as_ref();
        let copy = state.and_then(|state| state.copy.as_ref());
        let copy = copy.map_or(0, |copy| allocated_bytes(copy.body.len()));
        self.file.heap_bytes() + copy + PARTS_BYTES
    }
}

/// About what the parts of answers take, and what is known about the authority beside its copy.
const PARTS_BYTES: usize = 3072;
