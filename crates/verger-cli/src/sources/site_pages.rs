//! `SitePages`: pages of sites, fetched if robots.txt allows it.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::Once;

use verger_answer::{PacingBounds, PageFacts, ReadError};
use verger_inputs::{FetchedPage, KeptPages, PageFetcher, SiteOwner};

use crate::arguments::fetch::{FetchArguments, Fetching};
use crate::arguments::time::now;
use crate::screen::message::Message;
use crate::screen::notice;

pub(crate) struct SitePages {
    fetching: Rc<Fetching>,
    fetcher: PageFetcher,
    owner: SiteOwner,
    /// Pages that are not fetched again.
    kept: RefCell<KeptPages>,
    has_noted: Once,
}

impl SitePages {
    pub(crate) fn new(
        (arguments, fetching): (&FetchArguments, &Rc<Fetching>),
        delays: PacingBounds,
        owner: SiteOwner,
        kept: KeptPages,
    ) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            fetcher: arguments.page_fetcher(fetching, delays)?,
            fetching: Rc::clone(fetching),
            owner,
            kept: kept.into(),
            has_noted: Once::new(),
        })
    }

    /// Fetches a page. Prints a note about the first page that a rule disallows to Verger.
    pub(crate) fn facts(&self, url: &str) -> Result<PageFacts, ReadError> {
        if let Some(facts) = self.kept.borrow().facts(url) {
            return Ok(facts);
        }
        let (fetching, page) = (&self.fetching, self.fetcher.fetch(url, self.owner));
        let page = fetching.progress.during(|| fetching.client.block_on(page));
        let page = page.map_err(|error| error.to_string())?;
        if let FetchedPage::Disallowed(denied) = &page
            && denied.decision().rule().is_some()
        {
            let what = format!("{denied} to Verger, so the page was not fetched");
            let help = "add `--own-site` if the site is yours";
            (self.has_noted).call_once(|| notice::note(Message::from(what).help(help)));
        }
        let record = match page.record(url, now()) {
            Ok(record) => record,
            Err(facts) => return Ok(*facts),
        };
        if let Err(error) = self.kept.borrow_mut().put(&record) {
            let what = format!("cannot write to the file of `--resume`: {error}");
            let help = "a later run fetches this page and all after it again";
            notice::warning(Message::from(what).help(help));
        }
        Ok(record.facts())
    }
}
