use verger::{Clause, RecordKind};
use verger_crawlers::CrawlDelay;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "crawl-delay-ignored",
    severity: Severity::Note,
    summary: "a named crawler ignores Crawl-delay, according to its operator",
    explanation: "\
Googlebot and others choose their own pace. To slow such a crawler down, answer with 429 or 503 for a while, or
use its operator's settings. If a group has many crawlers, the message names one of them.",
    wrong: Example::of(b"User-agent: Googlebot\nCrawl-delay: 10\nDisallow: /private\n"),
    right: Example::of(b"User-agent: bingbot\nCrawl-delay: 10\nDisallow: /private\n"),
    clauses: &[Clause::new("G-syn-3"), Clause::new("V-75")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records_of(RecordKind::CrawlDelay) {
        let Some(group) = record.group() else {
            continue;
        };
        // Limit the work, because a group may have many lines of both kinds.
        let mut agents = file.agents_of(group.index()).iter().take(100);
        let ignores = |known: &verger_crawlers::KnownCrawler| {
            known.crawl_delay() == Some(CrawlDelay::Ignored)
        };
        let Some(agent) = agents.find(|it| it.known.is_some_and(ignores)) else {
            continue;
        };
        let message = format!("{} ignores Crawl-delay", quoted(agent.token.as_bytes()));
        found.add(Draft::new(record.span(), message).also(agent.record.span(), "named here"));
    }
}
