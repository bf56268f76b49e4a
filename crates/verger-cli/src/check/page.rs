//! `--page` and the options next to it: whether pages may be indexed.

use std::error::Error;
use std::ffi::OsString;
use std::io::Read as _;
use std::rc::Rc;

use clap::Args;
use verger_answer::{HEAD_BYTES_MAX, PacingBounds, PageFacts};
use verger_html::{Given, PAGE_BYTES_MAX, page_facts};
use verger_inputs::{InputError, KeptPages, SiteOwner, Source, UrlQuestion, UrlQuestionError};

use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::screen::message::Message;
use crate::sources::site_pages::SitePages;

/// Whether pages may be indexed.
#[derive(Args, Clone, Debug)]
pub(crate) struct PageArguments {
    /// Fetch the pages, and show whether they may be indexed
    ///
    /// Sends one GET for each URL under Verger's own name if robots.txt allows it, and follows no redirect. Reads the
    /// headers `X-Robots-Tag` and `Robots-Tag`, and the robots metas in the first MiB. Exit code 1 also means that a
    /// page is not indexed, and 3 that its state is unknown.
    #[arg(long, conflicts_with = "matrix")]
    page: bool,

    /// Fetch pages even if robots.txt disallows them to Verger, because the sites are yours
    #[arg(long, requires = "page", hide_short_help = true)]
    own_site: bool,

    /// Read the response head of the page from this file (`-` is standard input)
    ///
    /// A file as `curl -i --compressed` prints it. The HTML may follow the head. Without HTML, the state of an HTML page
    /// is unknown, unless a header decides.
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_WITH_FILES, hide_short_help = true)]
    page_head: Option<OsString>,

    /// Read the HTML of the page from this file (`-` is standard input)
    ///
    /// Without `--page-head`, this assumes status 200 and no headers.
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_WITH_FILES, hide_short_help = true)]
    page_file: Option<OsString>,
}

const NOT_WITH_FILES: [&str; 2] = ["page", "matrix"];

impl PageArguments {
    /// Returns the first option that is given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        self.page.then_some("--page").or_else(|| self.first_file())
    }

    fn first_file(&self) -> Option<&'static str> {
        let head = self.page_head.is_some().then_some("--page-head");
        head.or(self.page_file.is_some().then_some("--page-file"))
    }

    /// Returns the files, each with the option that reads it from standard input.
    pub(super) fn files(&self) -> [(&Option<OsString>, &'static str); 2] {
        [
            (&self.page_head, "--page-head -"),
            (&self.page_file, "--page-file -"),
        ]
    }

    /// Rejects options without an effect.
    pub(super) fn refuse_mixture(&self, fetches: bool, is_one_url: bool) -> Result<(), Message> {
        if self.page && !fetches {
            let what = "`--page` fetches pages, and with `--robots`, `--offline` and `--at` nothing is fetched";
            return Err(
                Message::new(what).help("give the page with `--page-head` or `--page-file`")
            );
        }
        match self.first_file() {
            Some(option) if !is_one_url => {
                let what = format!("`{option}` is one page, but there may be several URLs");
                Err(Message::from(what).help("give one URL as an argument"))
            }
            _ => Ok(()),
        }
    }

    /// Reads the page from files, if they are given.
    pub(super) fn given(&self) -> Result<Option<PageFacts>, Box<dyn Error>> {
        if self.first_file().is_none() {
            return Ok(None);
        }
        let head = start_of(self.page_head.as_ref())?;
        let html = start_of(self.page_file.as_ref())?;
        let [given_head, given_html] = [&head, &html].map(|it| it.as_deref().map(Given::Bytes));
        let facts = page_facts(given_head, given_html).map_err(|error| {
            let source = Source::from(self.page_head.clone().unwrap_or_default());
            let message = Message::new(format_args!("{source}: {error}"));
            message.help("save it with `curl -si --compressed URL > FILE`")
        })?;
        Ok(Some(facts))
    }

    /// Returns the pages that are asked about: fetched, read from files, or none.
    pub(super) fn pages(
        &self,
        arguments: &FetchArguments,
        fetching: Option<&Rc<Fetching>>,
        delays: PacingBounds,
    ) -> Result<Pages, Box<dyn Error>> {
        let Some(fetching) = fetching.filter(|_| self.page) else {
            return Ok(Pages::Given(self.given()?.map(Rc::new)));
        };
        let (owner, kept) = (SiteOwner::asks(self.own_site), KeptPages::default());
        let pages = SitePages::new((arguments, fetching), delays, owner, kept)?;
        Ok(Pages::Fetched(pages))
    }
}

/// Reads as much of a file as matters for a page.
fn start_of(file: Option<&OsString>) -> Result<Option<Vec<u8>>, InputError> {
    let Some(file) = file else { return Ok(None) };
    let source = Source::from(file.clone());
    let (mut start, bytes_max) = (Vec::new(), HEAD_BYTES_MAX + PAGE_BYTES_MAX + 1);
    let read = source
        .open()?
        .take(bytes_max as u64)
        .read_to_end(&mut start);
    read.map_err(|error| source.unreadable(error))?;
    Ok(Some(start))
}

/// The pages behind the URLs.
pub(super) enum Pages {
    /// The page of the only URL, or none.
    Given(Option<Rc<PageFacts>>),
    /// Each page is fetched.
    Fetched(SitePages),
}

impl Pages {
    /// Returns the page of a question. Fails if this machine cannot fetch it.
    pub(super) fn facts(
        &self,
        question: &UrlQuestion<'_>,
    ) -> Result<Option<Rc<PageFacts>>, UrlQuestionError> {
        match self {
            Self::Given(facts) => Ok(facts.clone()),
            Self::Fetched(pages) => {
                let url = String::from_utf8_lossy(question.url());
                let facts = pages.facts(&url);
                let facts = facts.map_err(|error| question.unanswered(error.as_str()));
                Ok(Some(Rc::new(facts?)))
            }
        }
    }
}
