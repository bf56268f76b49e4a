//! `Answers`: answers to many questions in order. Those in memory are immediate, the others run concurrently.

use std::collections::VecDeque;
use std::mem::{replace, take};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use tokio::time::timeout;
use verger_access::WrittenAuthority;
use verger_client::FetchShare;

use crate::metrics::Source;
use crate::problem::Problem;
use crate::routes::question::{Form, Question, answer};
use crate::service::Service;
use crate::site_file::SiteFile;
use crate::site_lookup::SiteQuestion;

pub(crate) struct Answers {
    service: Arc<Service>,
    question: SiteQuestion,
    pub(crate) form: Form,
    waiting: VecDeque<Waiting>,
    /// Finished output after the pending answers.
    made: Vec<u8>,
    /// The site of the last question answered from memory. Consecutive questions are often about one site.
    last: Option<LastSite>,
    /// Answers from memory not yet added to the metrics.
    uncounted: u64,
}

/// A pending question with its number, and the finished output before its answer.
struct Waiting {
    before: Vec<u8>,
    number: u64,
    asked: Question<'static>,
}

struct LastSite {
    agent: Option<String>,
    written: WrittenAuthority<'static>,
    site: Arc<SiteFile>,
}

impl Answers {
    /// Creates an empty list. `question` supplies the defaults of each question.
    pub(crate) fn new(service: Arc<Service>, (question, form): (SiteQuestion, Form)) -> Self {
        let mut question = question;
        question.asker.batch = service.fetches.new_batch();
        Self {
            service,
            form,
            question,
            waiting: VecDeque::new(),
            made: Vec::new(),
            last: None,
            uncounted: 0,
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.made.extend_from_slice(bytes);
    }

    pub(crate) fn push_problem(&mut self, number: u64, problem: Problem) {
        self.push(self.form.problem(&problem.at_line(number)).as_bytes());
    }

    /// Appends the answer to a question if it is in memory, or else a placeholder.
    pub(crate) fn ask(&mut self, number: u64, asked: Question<'_>) {
        match self.append_held(&asked) {
            Some(Ok(())) => self.uncounted += 1,
            Some(Err(problem)) => self.push_problem(number, problem),
            None => self.waiting.push_back(Waiting {
                before: take(&mut self.made),
                number,
                asked: asked.into_owned(),
            }),
        }
    }

    /// Appends the answer if it is in memory.
    fn append_held(&mut self, asked: &Question<'_>) -> Option<Result<(), Problem>> {
        let Question { url, agent } = asked;
        if let Some(last) = &self.last
            && last.agent.as_deref() == agent.as_deref()
            && last.written.starts(url)
        {
            let target = last.site.known.target_alike(url);
            return Some(self.form.append(&mut self.made, &last.site, url, target));
        }
        let site = match asked.own(&self.question) {
            Some(own) => own.held(&self.service, url)?,
            None => self.question.held(&self.service, url)?,
        };
        let target = site.known.target(url);
        let appended = self.form.append(&mut self.made, &site, url, target);
        if appended.is_ok() {
            self.last = WrittenAuthority::from_url(url).map(|written| LastSite {
                agent: agent.as_deref().map(str::to_owned),
                written: written.into_owned(),
                site,
            });
        }
        Some(appended)
    }

    /// Returns the next answers: finished ones, or else all pending ones and the output between them. Returns `None`
    /// at the end.
    pub(crate) async fn next_piece(&mut self) -> Option<Bytes> {
        // The file in memory may expire before the next question.
        self.last = None;
        let counted = take(&mut self.uncounted);
        self.service.metrics.count_answers(Source::Memory, counted);
        let front = self.waiting.front_mut();
        let made = front.map_or(&mut self.made, |front| &mut front.before);
        if !made.is_empty() {
            let next = Vec::with_capacity(made.len());
            return Some(replace(made, next).into());
        }
        let waiting = take(&mut self.waiting);
        let mut answers = Vec::with_capacity(waiting.len());
        for waiting in waiting {
            // Permits are taken one at a time, so that no batch fills the queue for them.
            let share = self.service.fetches.take(self.question.asker).await;
            let (service, question) = (Arc::clone(&self.service), self.question.clone());
            let answer = waited(service, (question, self.form), waiting, share);
            answers.push(tokio::spawn(answer));
        }
        let answers: Result<Vec<_>, _> = join_all(answers).await.into_iter().collect();
        let answers = answers.ok()?;
        (!answers.is_empty()).then(|| answers.concat().into())
    }
}

/// Returns the answer to a question that is not in memory, or a problem with its number.
async fn waited(
    service: Arc<Service>,
    (question, form): (SiteQuestion, Form),
    waiting: Waiting,
    share: Option<Arc<FetchShare>>,
) -> Vec<u8> {
    let (asked, mut line) = (waiting.asked, waiting.before);
    let mut question = asked.own(&question).unwrap_or(question);
    question.share = share;
    // The time starts with the permit.
    let patience = Duration::from_secs(service.settings.timeout);
    let answered = answer(&service, (&question, form), &asked.url);
    let late = |_| Problem::busy("out-of-time", "request timed out: the fetch took too long");
    let answered = timeout(patience, answered).await.map_err(late).flatten();
    line.extend(
        answered
            .unwrap_or_else(|problem| form.problem(&problem.at_line(waiting.number)).into_bytes()),
    );
    line
}
