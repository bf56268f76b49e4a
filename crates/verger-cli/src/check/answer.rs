//! One answer, and what writes it.

use std::io;

use verger::Verdict;

use super::explanation::Explanation;
use super::question::Question;
use super::subject::Asked;

/// One answer.
pub(super) struct Answer<'s> {
    pub(super) asked: &'s Asked,
    pub(super) question: &'s Question<'s>,
    pub(super) verdict: Verdict<'s>,
    pub(super) explanation: Option<Explanation<'s>>,
}

/// Writes answers, in one format.
pub(super) trait Rendering {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()>;

    /// Sends out what was written so far.
    fn flush(&mut self) -> io::Result<()>;
}
