#[cfg(feature = "report")]
use std::collections::BTreeSet;

use verger::Clause;
#[cfg(feature = "report")]
use verger_crawlers::{Registry, ResolvedCrawler};

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, restricts, shown};
use crate::severity::Severity;

pub(crate) const LINT: Lint = Lint {
    code: "directive-for-excluded-crawler",
    severity: Severity::Warning,
    summary: "a directive names a crawler that robots.txt keeps away from the page",
    explanation: "\
A directive for one crawler has no effect if robots.txt disallows the page for that crawler, because it never fetches
the page. Its search engine may still list the URL without text. Let robots.txt allow the page for that crawler, or
remove the directive.",
    wrong: Example::of_page(PageExample {
        robots: "User-agent: bingbot\nDisallow: /\n",
        head: &[PageElement::Meta("bingbot", "noindex")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        head: &[PageElement::Meta("bingbot", "noindex")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-27"), Clause::new("BM-2")],
    check: |_, _| {},
};

/// Maximum number of crawlers that robots.txt is asked about.
#[cfg(feature = "report")]
const CRAWLERS_MAX: usize = 20;

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let mut asked = BTreeSet::new();
    let named = page
        .directives()
        .filter(|it| restricts(it) && !page.reader.names(it));
    for directive in named {
        let agent = directive.agent.as_deref().unwrap_or_default();
        let Some(known) = Registry::bundled().by_name(agent) else {
            continue;
        };
        let crawler = ResolvedCrawler::from_known(known, agent);
        let reader = page.subject.answer.page_reader(Some(&crawler));
        if !reader.obeys(directive) {
            continue;
        }
        if asked.len() == CRAWLERS_MAX || !asked.insert(known.name()) {
            continue;
        }
        let name = known.own_token();
        if let Some(why) = page
            .subject
            .answer
            .disallowed_by(Some(&crawler), page.subject.answer.url)
        {
            let text = shown(directive);
            let message = format!(
                "{text} for {name} has no effect, because robots.txt disallows the page for {name} ({why})"
            );
            let help = format!(
                "to make {name} obey {text}, let robots.txt allow the page for {name}. If {name} should stay away, remove the \
                 directive"
            );
            found.add(place(directive), message, help);
        }
    }
}
