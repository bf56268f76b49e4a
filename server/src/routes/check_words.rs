//! Decisions about URLs in plain text: a URL a line in, a word a line out.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use verger::Crawler;
use verger_access::Stance;
use verger_client::{Client, ClientError, Decision};

use crate::call::{Call, TEXT, ok};
use crate::input_lines::{InputLine, InputLines};
use crate::problem::Problem;
use crate::routes::check_many::{body_of_steps, next_block, too_long};
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// URLs that are decided about in one call.
const BLOCK: usize = 1024;

/// What is left of the body, and who is asked.
struct Words {
    service: Arc<Service>,
    client: Client,
    crawler: Crawler,
    input: InputLines,
    has_ended: bool,
    _place: Option<OwnedSemaphorePermit>,
}

/// A line for each line that is not blank: `allow`, `disallow` or `defer`; or `error`, a tab and a sentence.
///
/// # Errors
///
/// Where the past is asked about, of which only JSON tells.
pub(crate) fn words(call: Call, question: &SiteQuestion) -> Result<Response, Problem> {
    if question.at.is_some() {
        let detail = "`at` does not go with plain text: send JSON";
        return Err(Problem::bad("parameter", detail));
    }
    let state = Words {
        client: call.service.client(question.profile)?.clone(),
        crawler: question.crawler()?.crawler().clone(),
        service: call.service,
        input: InputLines::of(call.body),
        has_ended: false,
        _place: call.place,
    };
    Ok(ok(TEXT, body_of_steps(state, Words::step)))
}

impl Words {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        if self.has_ended {
            return None;
        }
        let block = match next_block(&self.service, &mut self.input, BLOCK).await {
            Ok(block) if block.is_empty() => return None,
            Ok(block) => block,
            Err(problem) => {
                self.has_ended = true;
                return Some((format!("error\t{}\n", problem.detail()).into(), self));
            }
        };
        let urls: Vec<&str> = block.iter().map(url_of).collect();
        self.service.metrics.count_decisions(urls.len());
        let decisions = self.client.decide_many(&self.crawler, &urls).await;
        let mut piece = String::with_capacity(urls.len() * 9);
        for (line, decision) in block.iter().zip(decisions) {
            match line {
                InputLine::TooLong(_) => push_error(&mut piece, too_long().detail()),
                InputLine::Octets(..) => push_word(&mut piece, decision),
            }
        }
        Some((piece.into(), self))
    }
}

/// The URL of a line; empty where it is none in UTF-8, about which nothing can be decided.
fn url_of(line: &InputLine) -> &str {
    match line {
        InputLine::Octets(_, octets) => std::str::from_utf8(octets).unwrap_or_default(),
        InputLine::TooLong(_) => "",
    }
}

fn push_word(piece: &mut String, decision: Result<Decision, ClientError>) {
    let decision = match decision {
        Ok(decision) => decision,
        Err(error) => return push_error(piece, &error.to_string()),
    };
    piece.push_str(match (decision.is_allowed(), decision.answer().stance()) {
        (true, _) => "allow\n",
        (false, Stance::Defer) => "defer\n",
        (false, _) => "disallow\n",
    });
}

fn push_error(piece: &mut String, sentence: &str) {
    piece.push_str("error\t");
    let sentence = verger::legible(sentence.as_bytes());
    piece.push_str(&sentence.replace('\n', " "));
    piece.push('\n');
}
