//! Answers one question, for every crawler.

use std::io;

use verger::{Effect, TargetPath};
use verger_access::Timestamp;
use verger_answer::{
    AuthorityLookup, CheckAnswer, CheckedFile, CheckedFiles, PageFacts, PageReason, PageState,
};
use verger_inputs::{UrlQuestion, UrlQuestionError};
use verger_lint::with_linted_page;

use crate::outcome::Outcome;
use crate::screen::rendering::{Each, Rendering};

pub(super) trait CheckRendering: for<'a> Rendering<CheckAnswer<'a>> {
    /// Prints warnings about the file of the next answers, unless answers contain them.
    fn warn(&mut self, _: &CheckedFile, _: Option<&AuthorityLookup>) -> io::Result<()> {
        Ok(())
    }
}

/// Prints no warnings, because each answer in JSON has those about its file.
impl<W, F> CheckRendering for Each<W, F> where Self: for<'a> Rendering<CheckAnswer<'a>> {}

/// Returns the target of a question in the reading of each file.
pub(super) fn targets<'q>(
    files: &CheckedFiles,
    question: &'q UrlQuestion<'_>,
) -> Result<Vec<TargetPath<'q>>, UrlQuestionError> {
    let readings = files.files().iter().map(|file| *file.robots().reading());
    readings.map(|reading| question.target(reading)).collect()
}

/// Writes the answers of `files`, one for each crawler, to the question with these `targets`.
/// `lookup` describes the source of the file, unless the file was given. `page` is the page at this time, if it is
/// asked about.
pub(super) fn answer(
    files: &CheckedFiles,
    lookup: Option<&AuthorityLookup>,
    question: &UrlQuestion<'_>,
    targets: &[TargetPath<'_>],
    page: Option<(&PageFacts, Timestamp)>,
    rendering: &mut dyn CheckRendering,
) -> io::Result<Outcome> {
    rendering.warn(&files.files()[0], lookup)?;
    let mut outcome = Outcome::Success;
    for &(place, nth) in files.places() {
        let (file, target) = (&files.files()[place], &targets[place]);
        let url = question.url();
        let mut answer = match lookup {
            Some(lookup) => file.answer_of_authority(nth, url, target, lookup),
            None => file.answer(nth, url, target),
        };
        if let Some((facts, at)) = page {
            answer = with_linted_page(answer, facts, at);
        }
        outcome = outcome.max(outcome_of(&answer));
        rendering.answer(&answer)?;
    }
    Ok(outcome)
}

fn outcome_of(answer: &CheckAnswer<'_>) -> Outcome {
    let of_page = match answer.page.as_ref().map(|page| (page.state, page.reason)) {
        Some((PageState::NotIndexed, _)) => Outcome::Disallowed,
        // The outcome of an unknown robots.txt says why.
        Some((PageState::Unknown, reason)) if reason != PageReason::RobotsTxtUnknown => {
            Outcome::Unknown
        }
        _ => Outcome::Success,
    };
    of_page.max(match answer.result.effect() {
        None => Outcome::Unknown,
        Some(Effect::Allow) => Outcome::Success,
        Some(Effect::Disallow) if answer.is_for_now() => Outcome::Unreachable,
        Some(Effect::Disallow) => Outcome::Disallowed,
    })
}
