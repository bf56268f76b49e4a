use verger::Clause;
#[cfg(feature = "report")]
use verger_answer::{PageState, is_for_search};

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::PageExample;
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, restricts, shown};
use crate::severity::Severity;

pub(crate) const LINT: Lint = Lint {
    code: "directive-unseen",
    severity: Severity::Error,
    summary: "a crawler never sees a directive, because robots.txt disallows the page",
    explanation: "\
A crawler reads directives when it fetches a page. If robots.txt disallows the page, the crawler never sees its
`noindex`, and a search engine may still list the URL, without text, because other pages link to it. To keep a page
out of an index, let robots.txt allow it and keep the directive. Do not disallow the page later either, or its URL may
be listed again. A page that nobody else should read needs a login. Crawlers that are not for search are not reported,
because nothing is listed for them.",
    wrong: Example::of_page(PageExample {
        robots: "User-agent: *\nDisallow: /private\n",
        fields: &[("X-Robots-Tag", "noindex")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        fields: &[("X-Robots-Tag", "noindex")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-27"), Clause::new("GM-1"), Clause::new("BM-2")],
    check: |_, _| {},
};

/// Looks at disallowed pages whose response is known, such as one of the asker's own site.
#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let known = page.subject.answer.crawler.resolved().known();
    let is_reported = known.is_none_or(is_for_search);
    if page.answer.state != PageState::Unseen || !is_reported {
        return;
    }
    let rules = page.subject.facts.directives().rules_for(&page.reader);
    let restricting = rules.applied.iter().copied().find(|it| restricts(it));
    let Some(directive) = rules.noindex.or(restricting) else {
        return;
    };
    let (crawler, text) = (&page.crawler, shown(directive));
    let why = page.subject.answer.because();
    let message =
        format!("{crawler} never sees {text}, because robots.txt disallows the page ({why})");
    let aim = match rules.noindex {
        Some(_) => "keep the page out of search results".to_owned(),
        None => format!("make {crawler} obey {text}"),
    };
    let help = format!(
        "to {aim}, let robots.txt allow the page and keep {text}. {crawler} has to fetch the page to see it. If the only aim \
         is to save requests, remove {text} instead"
    );
    found.add(place(directive), message, help);
}
