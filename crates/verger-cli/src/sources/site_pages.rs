//! `SitePages`: pages of sites, fetched if robots.txt allows it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Once;

use verger_answer::{PacingBounds, PageFacts, ReadError};
use verger_client::SettingsError;
use verger_inputs::{FetchedPage, KeptPages, PageFetcher, SiteOwner};

use crate::arguments::fetch::Fetching;
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
        fetching: Rc<Fetching>,
        delays: PacingBounds,
        owner: SiteOwner,
        kept: KeptPages,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            fetcher: fetching.page_fetcher(delays)?,
            fetching,
            owner,
            kept: kept.into(),
            has_noted: Once::new(),
        })
    }

    /// Fetches a page. Prints a note about the first page that robots.txt disallows to Verger.
    pub(crate) fn facts(&self, url: &str) -> Result<PageFacts, ReadError> {
        if let Some(facts) = self.kept.borrow().facts(url) {
            return Ok(facts);
        }
        let page = self.fetching.page(&self.fetcher, url, self.owner);
        let page = page.map_err(|error| error.to_string())?;
        if let FetchedPage::Disallowed(denied) = &page {
            let what = format!("{denied} to Verger, so the page was not fetched");
            let help = "add `--own-site` if the site is yours";
            (self.has_noted).call_once(|| notice::note(Message::from(what).help(help)));
        }
        let record = match page.record(url, now()) {
            Ok(record) => record,
            Err(facts) => return Ok(facts),
        };
        let facts = record.facts();
        let kept = self.kept.borrow_mut().put(record);
        kept.map_err(|error| format!("the file of `--resume` cannot be written: {error}"))?;
        Ok(facts)
    }
}
