use verger::{Clause, Crawler, Star};
use verger_crawlers::Registry;

use crate::agent::obeys;
use crate::example::Example;
use crate::extent::disallows_everything;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::listed_crawlers;

pub(super) const LINT: Lint = Lint {
    code: "crawler-ignores-star",
    severity: Severity::Note,
    summary: "the `*` group disallows everything, but some crawlers obey only groups that name them",
    explanation: "\
The operators of some crawlers, such as AdsBot-Google, say that they do not obey the `*` group. If that group
disallows everything, these crawlers still fetch everything unless a group names them. To include them, add
user-agent lines for them.",
    wrong: Example::of(b"User-agent: *\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.2.1-9"), Clause::new("V-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let star = file.robots.policy(&Crawler::unnamed());
    let rule = disallows_everything(&star).and_then(|id| file.record_of(&star, id));
    let Some(rule) = rule else {
        return;
    };
    let goes_on = Registry::bundled().iter().filter(|crawler| {
        crawler.star() == Star::Ignored
            && obeys(crawler)
            && file.index.groups_for(&crawler.crawler()).is_none()
    });
    let crawlers: Vec<_> = goes_on.collect();
    if !crawlers.is_empty() {
        let names = listed_crawlers(crawlers, 5);
        let message = format!("this does not apply to crawlers that ignore the `*` group: {names}");
        let help = "to include them, name them in user-agent lines of this group";
        found.add(Draft::new(rule.span(), message).help(help));
    }
}
