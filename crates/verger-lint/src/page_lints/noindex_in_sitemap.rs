use verger::Clause;
#[cfg(feature = "report")]
use verger_answer::PageReason;

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::PageExample;
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings};
use crate::severity::Severity;
#[cfg(feature = "report")]
use crate::text::quoted;

pub(crate) const LINT: Lint = Lint {
    code: "noindex-in-sitemap",
    severity: Severity::Warning,
    summary: "a sitemap lists a page that a directive keeps out of the index",
    explanation: "\
A sitemap asks search engines to index its pages, and `noindex` asks them not to. Search engines obey `noindex`, but
keep fetching the page, and their reports show it as a mistake. List only pages that should be found.",
    wrong: Example::of_page(PageExample {
        fields: &[("X-Robots-Tag", "noindex")],
        sitemap: Some("https://example.com/sitemap.xml"),
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        sitemap: Some("https://example.com/sitemap.xml"),
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("SM-1"), Clause::new("GM-13"), Clause::new("BM-2")],
    check: |_, _| {},
};

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let Some(sitemap) = page.subject.sitemap else {
        return;
    };
    if page.answer.reason != PageReason::Directive {
        return;
    }
    let (sitemap, crawler, because) = (
        quoted(sitemap.as_bytes()),
        &page.crawler,
        &page.answer.because,
    );
    let message =
        format!("the sitemap {sitemap} lists the page, but {crawler} does not index it: {because}");
    let help = "remove the URL from the sitemap. If search engines should show the page, remove the directive instead";
    found.add(None, message, help);
}
