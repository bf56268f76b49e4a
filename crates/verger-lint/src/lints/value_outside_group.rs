use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "value-outside-group",
    severity: Severity::Warning,
    summary: "a Crawl-delay, Request-rate, Visit-time, Content-Signal or Content-Usage line is in no group",
    explanation: "\
These lines apply to the crawlers of their group. Before the first user-agent line they have no effect. Move them
below the user-agent line of their group. Sitemap, License, Host and Clean-param lines apply to the whole file and
may appear anywhere.",
    wrong: Example::of(b"Crawl-delay: 10\nUser-agent: *\nDisallow: /search\n"),
    right: Example::of(b"User-agent: *\nCrawl-delay: 10\nDisallow: /search\n"),
    clauses: &[Clause::new("R9309-2.2.4-1"), Clause::new("V-75")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records().take_while(|it| it.group().is_none()) {
        let is_of_group = matches!(
            record.kind(),
            RecordKind::CrawlDelay
                | RecordKind::RequestRate
                | RecordKind::VisitTime
                | RecordKind::ContentSignal
                | RecordKind::ContentUsage
        );
        if is_of_group {
            let message = format!(
                "{} is in no group, so it applies to no crawler",
                quoted(record.key())
            );
            // A user-agent line before it would join the one after it.
            let help = if file.agents.is_empty() {
                "put a user-agent line before it"
            } else {
                "move it below the user-agent line of the group it is for"
            };
            found.add(Draft::new(record.span(), message).help(help));
        }
    }
}
