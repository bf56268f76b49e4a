//! Lints about the directives of a page. `noindex-in-robots-txt` is about the same mistake in a robots.txt, and is among the
//! lints of files.

pub(crate) mod canonical_disallowed;
pub(crate) mod directive_for_excluded_crawler;
pub(crate) mod directive_unseen;
pub(crate) mod header_added_by_network;
pub(crate) mod header_and_meta_disagree;
pub(crate) mod meta_outside_head;
pub(crate) mod noindex_in_sitemap;
pub(crate) mod unavailable_after_passed;
pub(crate) mod unknown_directive;

#[cfg(feature = "report")]
use verger_access::Timestamp;
#[cfg(feature = "report")]
use verger_answer::{CheckAnswer, PageFacts, PageFinding};

#[cfg(feature = "report")]
use crate::lint::Lint;
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, PageSubject};

/// A lint and its check.
#[cfg(feature = "report")]
type PageCheck = (&'static Lint, fn(&Page<'_>, &mut PageFindings));

/// The checks in the order of the table of lints.
#[cfg(feature = "report")]
const CHECKS: [PageCheck; 9] = [
    (&directive_unseen::LINT, directive_unseen::check),
    (&noindex_in_sitemap::LINT, noindex_in_sitemap::check),
    (
        &header_and_meta_disagree::LINT,
        header_and_meta_disagree::check,
    ),
    (
        &directive_for_excluded_crawler::LINT,
        directive_for_excluded_crawler::check,
    ),
    (&unknown_directive::LINT, unknown_directive::check),
    (
        &unavailable_after_passed::LINT,
        unavailable_after_passed::check,
    ),
    (&canonical_disallowed::LINT, canonical_disallowed::check),
    (&meta_outside_head::LINT, meta_outside_head::check),
    (
        &header_added_by_network::LINT,
        header_added_by_network::check,
    ),
];

/// Adds whether the crawler may index the page, and the mistakes in its directives.
#[cfg(feature = "report")]
#[must_use]
pub fn with_linted_page<'s>(
    answer: CheckAnswer<'s>,
    facts: &PageFacts,
    at: Timestamp,
) -> CheckAnswer<'s> {
    let mut answer = answer.with_page(facts, at);
    let findings = lint_page(&PageSubject {
        answer: &answer,
        facts,
        at,
        sitemap: None,
    });
    if let Some(page) = &mut answer.page {
        page.findings = findings;
    }
    answer
}

/// Returns the mistakes in the directives of a page for one crawler, at most 50.
///
/// They are about the page as the crawler gets it, so an unseen page has findings only if its response
/// is known from elsewhere.
#[cfg(feature = "report")]
#[must_use]
pub fn lint_page(subject: &PageSubject<'_>) -> Vec<PageFinding> {
    let (first, _) = CHECKS[0];
    let mut found = PageFindings {
        all: Vec::new(),
        lint: first,
    };
    if let Some(page) = Page::new(subject) {
        for (lint, check) in CHECKS {
            found.lint = lint;
            check(&page, &mut found);
        }
    }
    found.all
}
