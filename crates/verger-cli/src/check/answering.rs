//! Answers one question, for every crawler.

use std::io;

use verger::{Effect, TargetPath};
use verger_answer::{AuthorityLookup, CheckAnswer, CheckedFile};

use super::question::Question;
use crate::outcome::Outcome;

/// Writes answers, in one format.
pub(super) trait Rendering {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()>;

    /// Writes out what is buffered.
    fn flush(&mut self) -> io::Result<()>;
}

/// Writes what `file` says about a question, for every crawler; `lookup` says where its body is
/// from, if it was not given.
pub(super) fn answer(
    file: &CheckedFile,
    lookup: Option<&AuthorityLookup>,
    question: &Question<'_>,
    target: &TargetPath<'_>,
    rendering: &mut impl Rendering,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::Success;
    for nth in 0..file.crawlers().len() {
        let url = question.url();
        let answer = match lookup {
            Some(lookup) => file.answer_of_authority(nth, url, target, lookup),
            None => file.answer(nth, url, target),
        };
        outcome = outcome.max(match answer.result.effect() {
            Some(Effect::Allow) => Outcome::Success,
            Some(Effect::Disallow) => Outcome::Disallowed,
            None => Outcome::Unknown,
        });
        rendering.answer(&answer)?;
    }
    Ok(outcome)
}
