//! A check without `--robots`: the authorities of a block of questions are looked up together.

use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

use verger::{Crawler, TargetPath};
use verger_access::{Profile, Timestamp};
use verger_answer::{AuthorityLookup, CheckedFile, Readings, ResolvedCrawler};
use verger_client::{Clock as _, Observer, SystemClock};

use super::answer_source::{AnswerSource, Refreshing, WebSource};
use super::answering::{CheckRendering, answer};
use super::block::Block;
use super::file_cache::{CachedFile, FileCache};
use super::question::{Question, QuestionError, Questions};
use super::when::When;
use crate::fetch_arguments::FetchArguments;
use crate::fetch_progress::FetchProgress;
use crate::notice;
use crate::outcome::{CommandResult, Outcome};

/// A check that asks authorities.
pub(super) struct WebCheck {
    source: AnswerSource,
    crawlers: Vec<ResolvedCrawler>,
    readings: Readings,
    files: FileCache,
}

impl WebCheck {
    /// A check about `crawlers` at the time that `when` says, under a profile, and explained in
    /// these readings.
    ///
    /// # Errors
    ///
    /// Where an option cannot be used, or the store cannot be opened.
    pub(super) fn new(
        arguments: &FetchArguments,
        (profile, readings): (Profile, Readings),
        when: When,
        crawlers: Vec<ResolvedCrawler>,
    ) -> Result<Self, Box<dyn Error>> {
        let source = match when {
            When::Now => web(arguments, profile, &crawlers, Refreshing::No)?,
            When::Refreshed => web(arguments, profile, &crawlers, Refreshing::Before(None))?,
            When::Offline => past(arguments, profile, SystemClock.now())?,
            When::At(time) => past(arguments, profile, time)?,
        };
        Ok(Self {
            source,
            crawlers,
            readings,
            files: FileCache::default(),
        })
    }

    /// Answers all questions, in their order.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read, or the output is closed.
    pub(super) fn run(
        &mut self,
        mut questions: Questions<'_>,
        rendering: &mut dyn CheckRendering,
    ) -> CommandResult {
        let mut outcome = Outcome::Success;
        loop {
            if questions.may_wait() {
                rendering.flush()?;
            }
            let mut block = Block::default();
            let read = block.read(&mut questions, self.readings.own());
            let is_last = block.is_empty();
            let found = block.look(&mut self.source, |authority| self.files.lookup(authority));
            for (question, authority) in block.into_questions() {
                let looked = authority.and_then(|authority| match found.get(&authority) {
                    Some(Ok(lookup)) => Ok(Rc::clone(lookup)),
                    Some(Err(why)) => Err(question.unanswered(why)),
                    None => Err(question.unanswered("its authority was not looked up")),
                });
                let answered = looked.and_then(|lookup| self.file_and_target(&question, &lookup));
                outcome = outcome.max(match answered {
                    Ok((kept, target)) => {
                        let lookup = Some(&*kept.lookup);
                        answer(&kept.file, lookup, &question, &target, rendering)?
                    }
                    Err(error) => {
                        rendering.flush()?;
                        notice::error(error);
                        Outcome::Unanswered
                    }
                });
                self.source.count_answer();
            }
            if read.is_err() || is_last {
                rendering.finish()?;
            } else {
                rendering.flush()?;
            }
            read?;
            if is_last {
                return Ok(outcome);
            }
        }
    }

    /// What answers a question, and what it asks about.
    fn file_and_target<'q>(
        &mut self,
        question: &'q Question<'_>,
        lookup: &Rc<AuthorityLookup>,
    ) -> Result<(Rc<CachedFile>, TargetPath<'q>), QuestionError> {
        let target = question.target(self.readings.own())?;
        let Self {
            crawlers, readings, ..
        } = self;
        let kept = self.files.file(lookup, |lookup| {
            CheckedFile::of_authority(lookup, readings, crawlers)
        });
        Ok((kept, target))
    }
}

fn web(
    arguments: &FetchArguments,
    profile: Profile,
    crawlers: &[ResolvedCrawler],
    refreshing: Refreshing,
) -> Result<AnswerSource, Box<dyn Error>> {
    let store = arguments.open_store()?.store;
    let progress = Arc::new(FetchProgress::start());
    // Whether a redirect may be followed is decided for the first crawler.
    let crawler = crawlers.first().map(|resolved| resolved.crawler().clone());
    let crawler = crawler.unwrap_or_else(Crawler::unnamed);
    let observer = Arc::clone(&progress) as Arc<dyn Observer>;
    let shared = Arc::clone(&store);
    let client = arguments.client(profile, shared, &crawler, observer)?;
    arguments.note_user_agent(crawlers.iter().map(ResolvedCrawler::crawler));
    Ok(AnswerSource::Web(WebSource {
        client,
        store,
        progress,
        refreshing,
    }))
}

fn past(
    arguments: &FetchArguments,
    profile: Profile,
    at: Timestamp,
) -> Result<AnswerSource, Box<dyn Error>> {
    if arguments.has_no_store() {
        return Err("--no-store fetches, and --offline and --at do not: give a store".into());
    }
    let store = arguments.store.find()?;
    if store.is_none() {
        let path = arguments.store.path()?;
        notice::note(format_args!(
            "there is no store `{}` yet, so nothing is known",
            path.display()
        ));
    }
    Ok(AnswerSource::Past {
        store: store.map(Box::new),
        profile: Box::new(profile),
        at,
    })
}
