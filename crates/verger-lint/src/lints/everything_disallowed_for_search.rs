use std::collections::BTreeMap;

use verger::{Clause, LineNumber, PolicyRule, RecordKind};
use verger_crawlers::KnownCrawler;

use crate::example::Example;
use crate::extent::Readers;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{are_largest, has_any, listed_crawlers};

pub(super) const LINT: Lint = Lint {
    code: "everything-disallowed-for-search",
    severity: Severity::Warning,
    summary: "search engines may not fetch anything",
    explanation: "\
A rule disallows every URL for crawlers that build a search index, and no rule allows one, or only the home page
(`Allow: /$`). That is correct for a staging site, but removes a production site from search results. The message
names the crawlers of the registry to which the rule applies.

If a group names the crawler, the rule is probably intended. The finding is then a note, and only about
Googlebot, bingbot and DuckDuckBot. It is also a note if `*` is disallowed but Googlebot or bingbot is not, if the
home page is allowed, and if the file says `search=no`.",
    wrong: Example::of(b"User-agent: *\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.2.2-4"), Clause::new("G-dis-1")],
    check,
};

/// How much of a site is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Closed {
    Everything,
    AllButHome,
}

/// Returns the rule that closes the site.
fn closing(searching: &Readers) -> Option<(PolicyRule<'_>, Closed)> {
    match searching.everything {
        Some(id) => Some((searching.policy.rule(id)?, Closed::Everything)),
        None => Some((searching.all_but_home()?, Closed::AllButHome)),
    }
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    // Each with whether some crawlers have no group of their own.
    let mut by_line: BTreeMap<(LineNumber, Closed), (bool, Vec<&KnownCrawler>)> = BTreeMap::new();
    for searching in file.searching() {
        let reported = searching.reported();
        let closing = closing(searching).filter(|_| !reported.is_empty());
        if let Some((rule, closed)) = closing {
            let (are_unnamed, crawlers) = by_line.entry((rule.line, closed)).or_default();
            *are_unnamed |= searching.are_unnamed();
            crawlers.extend(reported);
        }
    }
    let mut signals = file.robots.records_of(RecordKind::ContentSignal);
    let says_no_search = signals.any(|it| has_any(it.value(), &["search=no"]));
    for ((line, closed), (are_unnamed, crawlers)) in by_line {
        let Some(record) = file.robots.record_at(line) else {
            continue;
        };
        let is_meant = !are_unnamed || !are_largest(&crawlers) || says_no_search;
        let names = listed_crawlers(crawlers, 4);
        let (message, help) = match closed {
            Closed::Everything => (
                format!("search engines may fetch nothing: {names}"),
                "if the site should be found, disallow only the paths that crawlers must not fetch",
            ),
            Closed::AllButHome => (
                format!("search engines may fetch the home page and nothing else: {names}"),
                "if they should find other pages, disallow only the paths that they must not fetch",
            ),
        };
        let draft = Draft::new(record.span(), message).help(help);
        found.add(draft.note_if(is_meant || closed == Closed::AllButHome));
    }
}
