use verger::Clause;
#[cfg(feature = "report")]
use verger_crawlers::Registry;

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, restricts, shown};
use crate::severity::Severity;

pub(crate) const LINT: Lint = Lint {
    code: "meta-outside-head",
    severity: Severity::Warning,
    summary: "a robots meta element is not in the head of the page",
    explanation: "\
Google also reads robots meta elements in the body, but other crawlers read only the head, as the draft recommends. The
head ends earlier than its end tag if it contains an element that belongs in the body, such as `<p>`, `<div>` or `<img>`.
Elements that a script or an editor inserts often end up in the body.",
    wrong: Example::of_page(PageExample {
        body: &[PageElement::Meta("robots", "noindex")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "noindex")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("RX-4-2"), Clause::new("GM-3"), Clause::new("GM-7")],
    check: |_, _| {},
};

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let outside = page
        .directives()
        .filter(|it| !it.is_in_head && restricts(it));
    // Google reads them (GM-7).
    let is_of_google = |agent: &str| {
        let known = Registry::bundled().by_name(agent);
        known.is_some_and(|it| it.operator() == "Google")
    };
    let outside = outside.filter(|it| !it.agent.as_deref().is_some_and(is_of_google));
    for directive in outside.filter(|it| page.is_for_crawlers(it)) {
        let message = format!(
            "{} is not in the head of the page, so crawlers other than Google's may not read it",
            shown(directive)
        );
        let help = "move the element into `<head>`, above any element that belongs in the body, such as `<p>`, `<div>` or `<img>`";
        found.add(place(directive), message, help);
    }
}
