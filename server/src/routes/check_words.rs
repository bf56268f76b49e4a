//! Decisions about URLs in plain text: a URL a line in, a word a line out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use bytes::Bytes;
use futures_util::future::join_all;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::yield_now;
use tokio::time::timeout;
use verger::Crawler;
use verger_access::{Authority, Stance, WrittenAuthority};
use verger_client::{Client, ClientError, Decision};

use crate::call::{Call, TEXT, ok};
use crate::input_lines::InputLines;
use crate::problem::Problem;
use crate::routes::check_many::{body_of_steps, next_block, too_long};
use crate::service::Service;
use crate::site_lookup::SiteQuestion;

/// Lines that are read before their words go out.
const BLOCK: usize = 1024;

/// URLs that are decided about before other requests have the thread.
const TURN: usize = 256;

/// A decision, or a sentence: why there is none.
type Decided = Result<Decision, String>;

/// What is left of the body, and what decides.
struct Words {
    deciding: Deciding,
    input: InputLines,
    _place: Option<OwnedSemaphorePermit>,
}

/// What decides about URLs, for one crawler.
struct Deciding {
    service: Arc<Service>,
    client: Client,
    crawler: Crawler,
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
        deciding: Deciding {
            client: call.service.client(question.profile)?.clone(),
            crawler: question.crawler()?.crawler().clone(),
            service: call.service,
        },
        input: InputLines::of(call.body),
        _place: call.place,
    };
    Ok(ok(TEXT, body_of_steps(state, Words::step)))
}

impl Words {
    async fn step(mut self) -> Option<(Bytes, Self)> {
        let service = &self.deciding.service;
        let block = match next_block(service, &mut self.input, BLOCK).await {
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
        service.metrics.count_decisions(urls.len());
        let mut piece = String::with_capacity(urls.len() * 9);
        for ((_, line), decision) in block.lines().zip(self.deciding.decided(&urls).await) {
            match line {
                None => push_error(&mut piece, too_long().detail()),
                Some(_) => push_word(&mut piece, decision),
            }
        }
        Some((piece.into(), self))
    }
}

impl Deciding {
    /// Decides about URLs, in their order: about sites in memory at once, about the others each with a place among the questions
    /// that wait.
    async fn decided(&self, urls: &[&str]) -> Vec<Decided> {
        let (mut held, mut unknown) = (Vec::new(), BTreeMap::<Authority, Vec<usize>>::new());
        let mut last: Option<(WrittenAuthority<'_>, Option<Authority>)> = None;
        for (index, url) in urls.iter().enumerate() {
            let alike = last.as_ref().filter(|(written, _)| written.starts(url));
            let alike = alike.map(|(_, site)| site.clone());
            let site = alike.unwrap_or_else(|| {
                let site = self.unknown_site(url);
                last = WrittenAuthority::of(url).map(|written| (written, site.clone()));
                site
            });
            match site {
                Some(site) => unknown.entry(site).or_default().push(index),
                None => held.push(index),
            }
        }
        let mut decided: Vec<(usize, Decided)> = Vec::with_capacity(urls.len());
        for held in held.chunks(TURN) {
            let of_held: Vec<&str> = held.iter().map(|index| urls[*index]).collect();
            let decisions = self.client.decide_many(&self.crawler, &of_held).await;
            let decisions = decisions
                .into_iter()
                .map(|it| it.map_err(|error| error.to_string()));
            decided.extend(held.iter().copied().zip(decisions));
            yield_now().await;
        }
        let waited = unknown.into_values().map(async |indices| {
            let of_site: Vec<&str> = indices.iter().map(|index| urls[*index]).collect();
            let decisions = self.waited(&of_site).await;
            indices.into_iter().zip(decisions).collect::<Vec<_>>()
        });
        decided.extend(join_all(waited).await.into_iter().flatten());
        decided.sort_unstable_by_key(|(index, _)| *index);
        decided.into_iter().map(|(_, decided)| decided).collect()
    }

    /// The authority of a URL, where what is known of it is not in memory.
    fn unknown_site(&self, url: &str) -> Option<Authority> {
        if self.client.decide_from_memory(&self.crawler, url).is_some() {
            return None;
        }
        Authority::of(url).ok()
    }

    /// Decides about URLs of one site that is not in memory. Its time begins with its place.
    async fn waited(&self, urls: &[&str]) -> Vec<Decided> {
        let patience = Duration::from_secs(self.service.settings.timeout);
        let _of_many = self.service.many_waiting.acquire().await;
        let _place = self.service.waiting.acquire().await;
        let decided = timeout(patience, async {
            self.client.decide(&self.crawler, urls[0]).await?;
            Ok(self.client.decide_many(&self.crawler, urls).await)
        });
        let decided: Result<Vec<_>, ClientError> = match decided.await {
            Ok(decided) => decided,
            Err(_) => return vec![Err("the site was not known in time".to_owned()); urls.len()],
        };
        match decided {
            Ok(decided) => {
                let decided = decided.into_iter();
                decided
                    .map(|it| it.map_err(|error| error.to_string()))
                    .collect()
            }
            Err(error) => vec![Err(error.to_string()); urls.len()],
        }
    }
}

fn push_word(piece: &mut String, decision: Decided) {
    let decision = match decision {
        Ok(decision) => decision,
        Err(sentence) => return push_error(piece, &sentence),
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
