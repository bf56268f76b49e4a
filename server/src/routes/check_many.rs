//! Answers to arrays and JSON Lines of questions, sent while later ones are computed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use std::vec;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::call::Places;
use crate::input_lines::{Block, InputLines, LINE_BYTES_MAX};
use crate::problem::Problem;
use crate::routes::answers::Answers;
use crate::routes::question::{Form, Question};
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// Maximum number of questions read before their answers are sent. A client that reads nothing makes the server hold
/// this many.
const BLOCK: usize = 128;

struct Many {
    service: Arc<Service>,
    answers: Answers,
    rest: Rest,
    _places: Places,
}

pub(crate) enum Rest {
    /// The rest of an array, and the number of questions before it.
    Array(vec::IntoIter<Question<'static>>, u64),
    Lines(InputLines),
    None,
}

/// Streams the answers as an array or as lines.
pub(crate) fn many(
    service: Arc<Service>,
    question: (SiteQuestion, Form),
    rest: Rest,
    places: Places,
) -> Body {
    let state = Many {
        answers: Answers::new(Arc::clone(&service), question),
        service,
        rest,
        _places: places,
    };
    // Each piece is computed after the client has accepted the one before.
    Body::from_stream(stream::unfold(state, Many::step).map(Ok::<_, Infallible>))
}

impl Many {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        loop {
            if let Some(piece) = self.answers.next_piece().await {
                return Some((piece, self));
            }
            match &mut self.rest {
                Rest::Array(rest, asked) => {
                    let mut turn = Turn::default();
                    for question in rest.by_ref().take(BLOCK) {
                        turn.takes(question.url.len()).await;
                        self.answers.push(if *asked == 0 { b"[" } else { b"," });
                        *asked += 1;
                        self.answers.ask(*asked, question);
                    }
                    if rest.len() == 0 {
                        self.answers.push(if *asked == 0 { b"[]" } else { b"]" });
                        self.rest = Rest::None;
                    }
                }
                Rest::Lines(input) => match next_block(&self.service, input).await {
                    Ok(Some(block)) => ask_lines(&mut self.answers, &block).await,
                    Ok(None) => self.rest = Rest::None,
                    Err(problem) => {
                        let line = self.answers.form.problem(&problem) + "\n";
                        self.answers.push(line.as_bytes());
                    }
                },
                Rest::None => return None,
            }
        }
    }
}

async fn ask_lines(answers: &mut Answers, block: &Block) {
    let mut turn = Turn::default();
    for (number, line) in block.lines() {
        turn.takes(line.map_or(0, <[u8]>::len)).await;
        let asked = match (line, answers.form) {
            (None, _) => Err(too_long()),
            (Some(bytes), Form::Json) => {
                serde_json::from_slice(bytes).map_err(Problem::why("json", "invalid JSON"))
            }
            (Some(bytes), Form::Word) => str::from_utf8(bytes)
                .map(|url| Question {
                    url: url.into(),
                    agent: None,
                })
                .map_err(Problem::why("line", "line is not UTF-8")),
        };
        match asked {
            Ok(asked) => answers.ask(number, asked),
            Err(problem) => answers.push_problem(number, problem),
        }
        answers.push(b"\n");
    }
}

/// Bytes of questions after which the task yields. Long URLs against a hostile file cost a thousand times the usual.
const TURN_BYTES: usize = 4096;

/// Bytes of questions since the task last yielded.
#[derive(Default)]
struct Turn(usize);

impl Turn {
    async fn takes(&mut self, bytes: usize) {
        self.0 += bytes;
        if self.0 > TURN_BYTES {
            self.0 = bytes;
            yield_now().await;
        }
    }
}

/// Returns the next lines that are not all blank, or `None` at the end of the body.
///
/// # Errors
///
/// Returns an error if the body cannot be read or the client sends nothing for too long. The body has then ended.
async fn next_block(service: &Service, input: &mut InputLines) -> Result<Option<Block>, Problem> {
    let patience = Duration::from_secs(service.settings.timeout);
    let next = async {
        loop {
            match input.block(BLOCK).await {
                Ok(Some(block)) if block.lines().next().is_none() => {}
                other => return other,
            }
        }
    };
    let problem = match timeout(patience, next).await {
        Ok(Ok(block)) => return Ok(block),
        Ok(Err(error)) => Problem::why("body", "cannot read the body")(error),
        Err(_) => Problem::bad("silence", "request timed out: no question arrived"),
    };
    input.end();
    Err(problem)
}

fn too_long() -> Problem {
    let detail = format!("line too long: the limit is {LINE_BYTES_MAX} bytes");
    Problem::bad("line", detail)
}
