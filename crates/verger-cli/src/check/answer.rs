//! One answer, and what writes it.

use std::io;

use super::explanation::Explanation;
use super::finding::Finding;
use super::lookup::Lookup;
use super::question::Question;
use super::subject::{Asked, Subject};

/// One answer.
pub(super) struct Answer<'s> {
    pub(super) subject: &'s Subject,
    /// Where the body is from; `None` where it was given.
    pub(super) lookup: Option<&'s Lookup>,
    pub(super) asked: &'s Asked,
    pub(super) question: &'s Question<'s>,
    pub(super) finding: Finding<'s>,
    /// Of a verdict on rules, where answers are explained.
    pub(super) explanation: Option<Explanation<'s>>,
}

/// Writes answers, in one format.
pub(super) trait Rendering {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()>;

    /// Sends out what was written so far.
    fn flush(&mut self) -> io::Result<()>;
}
