//! Answers to arrays and to JSON Lines, which go out while the next are made.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use std::vec;

use axum::body::Body;
use bytes::Bytes;
use futures_util::future::join_all;
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::call::Call;
use crate::input_lines::{InputLine, InputLines, LINE_OCTETS_MAX};
use crate::problem::Problem;
use crate::routes::question::Question;
use crate::service::Service;
use crate::site_lookup::{SiteQuestion, WhereFull};

/// So many are answered side by side.
const BLOCK: usize = 32;

/// A body of pieces that are made one after another, each when the client has taken the one before.
pub(crate) fn body_of_steps<S, F>(state: S, step: impl FnMut(S) -> F + Send + 'static) -> Body
where
    S: Send + 'static,
    F: Future<Output = Option<(Bytes, S)>> + Send + 'static,
{
    let mut step = step;
    Body::from_stream(stream::unfold(state, move |state| {
        let next = step(state);
        async move {
            next.await
                .map(|(piece, state)| (Ok::<_, Infallible>(piece), state))
        }
    }))
}

/// The answers to an array of questions, and what is left of it.
struct Array {
    service: Arc<Service>,
    question: SiteQuestion,
    rest: vec::IntoIter<Question<'static>>,
    answered: u64,
    has_ended: bool,
    _places: (Option<OwnedSemaphorePermit>, OwnedSemaphorePermit),
}

/// The answers to an array, as an array.
pub(crate) fn array(
    service: Arc<Service>,
    question: SiteQuestion,
    questions: Vec<Question<'static>>,
    places: (Option<OwnedSemaphorePermit>, OwnedSemaphorePermit),
) -> Body {
    let state = Array {
        service,
        question: one_of_many(question),
        rest: questions.into_iter(),
        answered: 0,
        has_ended: false,
        _places: places,
    };
    body_of_steps(state, Array::step)
}

impl Array {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        if self.has_ended {
            return None;
        }
        let block: Vec<_> = self.rest.by_ref().take(BLOCK).collect();
        let Self {
            service, question, ..
        } = &self;
        let numbered = (self.answered + 1..).zip(&block);
        let answers =
            numbered.map(|(number, asked)| answer(service, question, number, Ok(asked.clone())));
        let answers = join_all(answers).await;
        let mut piece = String::new();
        for answer in answers {
            piece.push(if self.answered == 0 { '[' } else { ',' });
            piece.push_str(&answer);
            self.answered += 1;
        }
        if block.len() < BLOCK {
            piece.push_str(if self.answered == 0 { "[]" } else { "]" });
            self.has_ended = true;
        }
        Some((piece.into(), self))
    }
}

/// The answers to lines of JSON, and the rest of the body that has them.
struct Lines {
    service: Arc<Service>,
    question: SiteQuestion,
    input: InputLines,
    has_ended: bool,
    _place: Option<OwnedSemaphorePermit>,
}

/// The answers to JSON Lines, a line each in their order.
pub(crate) fn lines(call: Call, question: SiteQuestion) -> Body {
    let state = Lines {
        service: call.service,
        question: one_of_many(question),
        input: InputLines::of(call.body),
        has_ended: false,
        _place: call.place,
    };
    body_of_steps(state, Lines::step)
}

impl Lines {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        if self.has_ended {
            return None;
        }
        let block = match next_block(&self.service, &mut self.input, BLOCK).await {
            Ok(block) if block.is_empty() => return None,
            Ok(block) => block,
            Err(problem) => {
                self.has_ended = true;
                return Some(((problem.json() + "\n").into(), self));
            }
        };
        let Self {
            service, question, ..
        } = &self;
        let answers = block.iter().map(async |line| match line {
            InputLine::Octets(number, octets) => {
                answer(service, question, *number, serde_json::from_slice(octets)).await
            }
            InputLine::TooLong(number) => too_long().at_line(*number).json(),
        });
        let piece: String = join_all(answers)
            .await
            .into_iter()
            .fold(String::new(), |piece, answer| piece + &answer + "\n");
        Some((piece.into(), self))
    }
}

fn one_of_many(question: SiteQuestion) -> SiteQuestion {
    let where_full = WhereFull::Wait;
    SiteQuestion {
        where_full,
        ..question
    }
}

/// The next lines of a body; empty at its end.
///
/// # Errors
///
/// Where it cannot be read, or the client sends nothing for too long.
pub(crate) async fn next_block(
    service: &Service,
    input: &mut InputLines,
    lines_max: usize,
) -> Result<Vec<InputLine>, Problem> {
    let patience = Duration::from_secs(service.settings.timeout);
    match timeout(patience, input.block(lines_max)).await {
        Ok(block) => block.map_err(|error| Problem::bad("body", error.to_string())),
        Err(_) => Err(Problem::bad(
            "silence",
            "the client sent no line for too long",
        )),
    }
}

/// A line has too many octets to be read.
pub(crate) fn too_long() -> Problem {
    Problem::bad(
        "line",
        format!("the line has more than {LINE_OCTETS_MAX} bytes"),
    )
}

/// The answer to one of many questions: a line of `verger.check/1`, or the problem with its number.
async fn answer(
    service: &Arc<Service>,
    question: &SiteQuestion,
    number: u64,
    asked: serde_json::Result<Question<'_>>,
) -> String {
    let answered = match asked {
        Ok(asked) => {
            let patience = Duration::from_secs(service.settings.timeout);
            let answered = timeout(patience, asked.answer(service, question)).await;
            let late = |_| Problem::busy("out-of-time", "the site was not known in time");
            answered.map_err(late).flatten()
        }
        Err(error) => Err(Problem::bad("json", error.to_string())),
    };
    answered.unwrap_or_else(|problem| problem.at_line(number).json())
}
