//! Adds the answer about a page to the answer about its URL.

use verger::Effect;
use verger_access::Timestamp;

use super::page_answer::{PageAccess, PageAnswer};
use super::page_facts::PageFacts;
use super::page_reader::page_reader;
use crate::check_answer::CheckAnswer;

impl CheckAnswer<'_> {
    /// Adds whether the crawler may index the page, with what is known about the page at a time.
    /// [`CheckAnswer::result`] stays the same.
    #[must_use]
    pub fn with_page(mut self, facts: &PageFacts, at: Timestamp) -> Self {
        let access = match self.result.effect() {
            Some(Effect::Allow) => PageAccess::Allowed,
            Some(Effect::Disallow) if !self.is_for_now() => PageAccess::Disallowed(self.because()),
            _ => PageAccess::Unknown(self.because()),
        };
        let reading = self.file.robots().reading();
        let reader = page_reader(self.crawler.resolved(), reading);
        self.page = Some(PageAnswer::new(&access, &reader, facts, at));
        self
    }
}
