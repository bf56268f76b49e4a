use std::io;
use std::sync::OnceLock;

use verger::{Effect, TargetPath, allocated_bytes};
use verger_access::{RequestedUrlError, Timestamp, requested_target};

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_parts::CheckParts;
use crate::check_result::CheckResult;
use crate::checked_file::{CheckedFile, Readings};
use verger_crawlers::ResolvedCrawler;

/// The robots.txt of an authority, prepared to answer many questions for one crawler.
#[derive(Debug)]
#[non_exhaustive]
pub struct AuthorityFile {
    /// The state of the authority.
    pub lookup: AuthorityLookup,
    /// The parsed body, with the rules for the crawler.
    pub file: CheckedFile,
    parts: OnceLock<CheckParts>,
}

impl AuthorityFile {
    /// Parses the body of a lookup.
    #[must_use]
    pub fn new(lookup: AuthorityLookup, readings: &Readings, crawler: &ResolvedCrawler) -> Self {
        let crawlers = std::slice::from_ref(crawler);
        Self {
            file: CheckedFile::from_authority(&lookup, readings, crawlers),
            lookup,
            parts: OnceLock::new(),
        }
    }

    /// Returns whether the state is still valid at `now` and no fetch is due.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        let answer = self.lookup.state.as_ref().map(|state| &state.answer);
        answer.is_some_and(|answer| now < answer.holds_until() && !answer.is_due(now))
    }

    /// Parses the target of a URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the URL is invalid.
    pub fn target<'u>(&self, url: &'u str) -> Result<TargetPath<'u>, RequestedUrlError> {
        requested_target(url.as_bytes(), *self.file.robots().reading())
    }

    /// Parses the target of a URL whose authority is spelled as in an already accepted URL
    /// ([`WrittenAuthority`](verger_access::WrittenAuthority)).
    ///
    /// # Errors
    ///
    /// Returns an error if the URL has no target.
    pub fn target_alike<'u>(&self, url: &'u str) -> Result<TargetPath<'u>, RequestedUrlError> {
        let target = TargetPath::as_sent(url, *self.file.robots().reading());
        target.map_err(RequestedUrlError::Target)
    }

    /// Decides whether a URL with this target may be fetched. Returns `None` if nothing is known.
    #[must_use]
    pub fn effect(&self, target: &TargetPath<'_>) -> Option<Effect> {
        let verdict = self.file.view(0, target).verdict;
        CheckResult::from_authority(&self.lookup, verdict).effect()
    }

    /// Appends the answer for a URL as a `verger.check/1` line, without a line end.
    ///
    /// # Errors
    ///
    /// Returns an error if serialization fails, which is not known to happen.
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

    /// Returns the approximate heap size in bytes, for caches. Includes the parts of answers even
    /// before they exist.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let state = self.lookup.state.as_ref();
        let copy = state.and_then(|state| state.copy.as_ref());
        let copy = copy.map_or(0, |copy| allocated_bytes(copy.body.len()));
        self.file.heap_bytes() + copy + PARTS_BYTES
    }
}

/// Approximate size in bytes of the parts of answers and of the state without its copy.
const PARTS_BYTES: usize = 3072;
