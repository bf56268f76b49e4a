//! Adds the answer about a page to the answer about its URL.

use verger::Effect;
use verger_access::{Timestamp, asked_target};
use verger_crawlers::ResolvedCrawler;
use verger_extensions::PageReader;

use super::page_answer::{PageAccess, PageAnswer};
use super::page_facts::PageFacts;
use super::page_reader::page_reader;
use crate::check_answer::CheckAnswer;
use crate::check_answer::because::because_of_rules;
use crate::check_result::CheckResult;

impl CheckAnswer<'_> {
    /// Adds whether the crawler may index the page, from `facts` and the time `at`.
    /// [`CheckAnswer::result`] stays the same.
    #[must_use]
    pub fn with_page(mut self, facts: &PageFacts, at: Timestamp) -> Self {
        let access = match self.result.effect() {
            Some(Effect::Allow) => PageAccess::Allowed,
            Some(Effect::Disallow) if !self.is_for_now() => PageAccess::Disallowed(self.because()),
            _ => PageAccess::Unknown(self.because()),
        };
        self.page = Some(PageAnswer::new(&access, &self.page_reader(None), facts, at));
        self
    }

    /// Returns the crawler as a reader of page directives. `other` replaces this crawler.
    #[must_use]
    pub fn page_reader(&self, other: Option<&ResolvedCrawler>) -> PageReader {
        let reading = *self.file.robots().reading();
        match other {
            None => page_reader(self.crawler.resolved(), reading),
            Some(other) => page_reader(other, other.reading(reading)),
        }
    }

    /// Describes the rule that disallows a URL of the same site. `other` replaces this crawler. The text
    /// is safe to show. `None` if the URL is allowed or is not a URL, or if no rules are in force.
    #[must_use]
    pub fn disallowed_by(&self, other: Option<&ResolvedCrawler>, url: &[u8]) -> Option<String> {
        let CheckResult::Rules(_) = self.result else {
            return None;
        };
        let robots = self.file.robots();
        let target = asked_target(url, *robots.reading()).ok()?;
        let verdict = match other {
            None => self.crawler.policy().decide(&target),
            Some(other) => {
                let crawler = other.in_reading(*robots.reading()).ok()?;
                robots.policy(&crawler).decide(&target)
            }
        };
        (!verdict.is_allowed()).then(|| because_of_rules(&verdict, robots))
    }
}
