use verger::Clause;
#[cfg(feature = "report")]
use verger_answer::page_date;
#[cfg(feature = "report")]
use verger_extensions::DirectiveKind;

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, shown};
use crate::severity::Severity;

pub(crate) const LINT: Lint = Lint {
    code: "unavailable-after-passed",
    severity: Severity::Note,
    summary: "the date of an `unavailable_after` has passed",
    explanation: "\
After this date, Google no longer shows the page and rarely fetches it. That is the purpose of the directive, but
pages are often published again with an old date in a template. If the page is gone for good, status 404 or 410 says so
to all crawlers.",
    wrong: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "unavailable_after: 2020-09-21")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "unavailable_after: 2100-12-31")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-23")],
    check: |_, _| {},
};

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let dates = page
        .applied()
        .filter(|it| it.kind == DirectiveKind::UnavailableAfter);
    for directive in dates {
        let at = page.subject.at;
        if page_date(directive, at).is_some_and(|date| date < at) {
            let text = shown(directive);
            let message =
                format!("the date of {text} has passed, so search results no longer show the page");
            let help = "to show the page again, remove the directive or write a later date. If the page is gone, answer with \
                        status 404 or 410";
            found.add(place(directive), message, help);
        }
    }
}
