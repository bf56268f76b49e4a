use verger::Clause;
#[cfg(feature = "report")]
use verger_answer::PageState;

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings};
use crate::severity::Severity;
#[cfg(feature = "report")]
use crate::text::quoted;

pub(crate) const LINT: Lint = Lint {
    code: "canonical-disallowed",
    severity: Severity::Warning,
    summary: "the canonical URL of a page is disallowed",
    explanation: "\
A `rel=\"canonical\"` link names the URL under which search engines should show the page. If robots.txt disallows that
URL, they cannot read it, and may ignore the link or list the URL without text. Name a URL that crawlers may fetch.
Only URLs of the same site are checked, because another site has its own robots.txt.",
    wrong: Example::of_page(PageExample {
        robots: "User-agent: *\nDisallow: /print\n",
        head: &[PageElement::Canonical("/print/page")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        robots: "User-agent: *\nDisallow: /print\n",
        head: &[PageElement::Canonical("/page")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-27")],
    check: |_, _| {},
};

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    if page.answer.state == PageState::Unseen {
        return;
    }
    let (answer, crawler) = (page.subject.answer, &page.crawler);
    let facts = page.subject.facts;
    let links = facts.links().iter();
    for link in links.filter(|it| it.rel == "canonical" && it.is_in_head) {
        let url = facts.url_on_site(link, answer.url);
        if let Some(url) = url
            && let Some(why) = answer.disallowed_by(None, url.as_bytes())
        {
            let url = quoted(url.as_bytes());
            let message = format!(
                "{crawler} cannot fetch the canonical URL {url}, because robots.txt disallows it ({why})"
            );
            let help = "name a URL that crawlers may fetch, or let robots.txt allow this one";
            found.add(Some((link.source, link.line)), message, help);
        }
    }
}
