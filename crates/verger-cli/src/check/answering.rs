//! Answers one question, for every crawler.

use std::io;

use verger::TargetPath;

use super::answer::{Answer, Rendering};
use super::finding::Finding;
use super::lookup::Lookup;
use super::question::Question;
use super::subject::Subject;
use crate::outcome::Outcome;

/// Writes what `subject` says about a question, for every crawler; `lookup` says where its body is
/// from, if it was not given.
pub(super) fn answer(
    subject: &Subject,
    lookup: Option<&Lookup>,
    question: &Question<'_>,
    target: &TargetPath<'_>,
    rendering: &mut impl Rendering,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::Success;
    for nth in 0..subject.crawlers.len() {
        let side = subject.side(nth, target);
        let finding = Finding::of(lookup, side.verdict);
        let explanation = match finding {
            Finding::Rules(_) => subject.explanation(nth, question, &side),
            Finding::Stance { .. } | Finding::Unknown => None,
        };
        let answer = Answer {
            subject,
            lookup,
            asked: &subject.crawlers[nth],
            question,
            finding,
            explanation,
        };
        outcome = outcome.max(finding.outcome());
        rendering.answer(&answer)?;
    }
    Ok(outcome)
}
