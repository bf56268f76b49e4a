//! Decisions about URLs in plain text: a URL a line in, a word a line out.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;
use verger::Crawler;
use verger_access::Stance;
use verger_client::{Client, ClientError, Decision};

use crate::call::{Call, TEXT, ok};
use crate::input_lines::InputLines;
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
        _place: call.place,
    };
    Ok(ok(TEXT, body_of_steps(state, Words::step)))
}

impl Words {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        let block = match next_block(&self.service, &mut self.input, BLOCK).await {
            Ok(block) => block?,
            Err(problem) => {
                return Some((format!("error\t{}\n", problem.detail()).into(), self));
            }
        };
        // Empty where it is none in UTF-8, about which nothing can be decided.
        let lines = block.lines().map(|(_, line)| line.unwrap_or_default());
        let urls: Vec<&str> = lines
            .map(|it| str::from_utf8(it).unwrap_or_default())
            .collect();
        self.service.metrics.count_decisions(urls.len());
        let decisions = self.client.decide_many(&self.crawler, &urls).await;
        let mut piece = String::with_capacity(urls.len() * 9);
        for ((_, line), decision) in block.lines().zip(decisions) {
            match line {
                None => push_error(&mut piece, too_long().detail()),
                Some(_) => push_word(&mut piece, decision),
            }
        }
        Some((piece.into(), self))
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
