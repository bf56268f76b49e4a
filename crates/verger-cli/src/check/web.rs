//! A check without `--robots`, which looks up the authorities of a block of questions together.

use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;

use verger::{Reading, TargetPath};
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::{
    AuthorityLookup, CheckedFile, CheckedFiles, Explaining, PacingBounds, ResolvedCrawler,
};
use verger_client::{AnswerSource, Asking};
use verger_extensions::ContentUse;
use verger_inputs::rulebook::{CachedFile, FileCache};
use verger_inputs::{UrlBlock, UrlQuestion, UrlQuestionError, UrlQuestions};
use verger_store::Store;

use super::answering::{CheckRendering, answer, targets};
use super::page::{PageArguments, Pages};
use super::when::When;
use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::outcome::{CommandResult, Outcome};
use crate::screen::byte_text::{legible, legible_path};
use crate::screen::message::Message;
use crate::screen::notice;

pub(crate) type WebSource = (AnswerSource, Option<Rc<Fetching>>);

pub(super) struct WebCheck {
    source: AnswerSource,
    /// `None` if nothing is fetched.
    fetching: Option<Rc<Fetching>>,
    pages: Pages,
    crawlers: Vec<ResolvedCrawler>,
    reading: Reading,
    explaining: Explaining,
    files: FileCache,
    has_noted_credentials: bool,
    /// The limits on delays, and the time that is asked about.
    delays: (PacingBounds, Timestamp),
    /// The only use of the content that answers state preferences about, or `None` for all.
    content_use: Option<ContentUse>,
}

impl WebCheck {
    pub(super) fn new(
        arguments: &FetchArguments,
        (profile, explaining): (Profile, Explaining),
        when: When,
        (crawlers, asked): (Vec<ResolvedCrawler>, Option<&Authority>),
        (delays, content_use): ((PacingBounds, Timestamp), Option<ContentUse>),
        page: &PageArguments,
    ) -> Result<Self, Box<dyn Error>> {
        let reading = profile.reading;
        let (source, fetching) = match when {
            When::Now => web(arguments, profile, &crawlers, asked, false)?,
            When::Refreshed => web(arguments, profile, &crawlers, asked, true)?,
            When::Offline | When::At(_) => past(arguments, profile, delays.1)?,
        };
        Ok(Self {
            pages: page.pages(arguments, fetching.as_ref(), delays.0)?,
            source,
            fetching,
            crawlers,
            reading,
            explaining,
            files: FileCache::default(),
            has_noted_credentials: false,
            delays,
            content_use,
        })
    }

    /// Answers in the order of the questions.
    pub(super) fn run(
        &mut self,
        mut questions: UrlQuestions<'_>,
        rendering: &mut dyn CheckRendering,
    ) -> CommandResult {
        let mut outcome = Outcome::Success;
        loop {
            if questions.may_wait() {
                rendering.flush()?;
            }
            let mut block = UrlBlock::default();
            let read = block.read(&mut questions, self.reading);
            let is_last = block.is_empty();
            let held = |authority: &Authority| self.files.lookup(authority);
            let found = self.source.find(block.authorities(), held);
            for (question, authority) in block.into_questions() {
                if question.had_credentials() && !self.has_noted_credentials {
                    self.has_noted_credentials = true;
                    notice::note_unsent(&legible(question.url()));
                }
                let looked = authority.and_then(|authority| match found.get(&authority) {
                    Some(Ok(lookup)) => Ok(Rc::clone(lookup)),
                    Some(Err(why)) => Err(question.unanswered(why.as_str())),
                    None => Err(question.unanswered("its site was not looked up")),
                });
                let answered = looked.and_then(|lookup| {
                    let page = self.pages.facts(&question)?;
                    let (kept, targets) = self.file_and_targets(&question, &lookup)?;
                    Ok((kept, targets, page))
                });
                outcome = outcome.max(match answered {
                    Ok((kept, targets, page)) => {
                        let lookup = Some(&*kept.lookup);
                        let page = page.as_deref().map(|facts| (facts, self.delays.1));
                        answer(&kept.files, lookup, &question, &targets, page, rendering)?
                    }
                    Err(error) => {
                        rendering.flush()?;
                        notice::error(Message::of_error(&error));
                        Outcome::Unanswered
                    }
                });
                if let Some(fetching) = &self.fetching {
                    fetching.progress.answered();
                }
                // The next page may have to wait for its turn.
                if let Pages::Fetched(_) = self.pages {
                    rendering.flush()?;
                }
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

    /// Returns the file that answers a question, and its target in each reading.
    fn file_and_targets<'q>(
        &mut self,
        question: &'q UrlQuestion<'_>,
        lookup: &Rc<AuthorityLookup>,
    ) -> Result<(Rc<CachedFile>, Vec<TargetPath<'q>>), UrlQuestionError> {
        let Self {
            crawlers,
            reading,
            explaining,
            delays: (bounds, at),
            content_use,
            ..
        } = self;
        let kept = self.files.file(lookup, |lookup| {
            CheckedFiles::new(*reading, *explaining, crawlers, |readings, of| {
                let file = CheckedFile::from_authority(lookup, readings, of);
                file.with_delays(*bounds, *at).with_use(*content_use)
            })
        });
        let targets = targets(&kept.files, question)?;
        Ok((kept, targets))
    }
}

/// Returns the source of answers that are fetched where due.
pub(crate) fn web(
    arguments: &FetchArguments,
    profile: Profile,
    crawlers: &[ResolvedCrawler],
    asked: Option<&Authority>,
    refreshed: bool,
) -> Result<WebSource, Box<dyn Error>> {
    let crawlers: Vec<_> = crawlers.iter().map(ResolvedCrawler::crawler).collect();
    let started = Rc::new(arguments.start(profile.clone(), &crawlers, asked)?);
    let store: Arc<dyn Store> = started.store.store.clone();
    let reporting = Rc::clone(&started);
    let report = move |sites: &[Authority], asking: Asking| reporting.report_many(sites, asking);
    let source = AnswerSource::web(profile, store, refreshed, Box::new(report));
    Ok((source, Some(started)))
}

/// Returns the source of answers from the store.
pub(crate) fn past(
    arguments: &FetchArguments,
    profile: Profile,
    at: Timestamp,
) -> Result<WebSource, Box<dyn Error>> {
    let store = arguments.find_store()?;
    if store.is_none() {
        let path = arguments.store.path()?;
        let note = Message::new(format_args!(
            "there is no store `{}` yet, so nothing is known",
            legible_path(&path)
        ));
        notice::note(note.help("name another one with `--store` or `VERGER_STORE`"));
    }
    let store = store.map(|store| store.shared() as Arc<dyn Store>);
    Ok((AnswerSource::past(profile, store, at), None))
}
