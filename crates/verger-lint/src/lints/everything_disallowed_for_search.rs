use std::collections::BTreeMap;

use verger::{Clause, LineNumber, NamedBy, Policy};
use verger_crawlers::KnownCrawler;

use crate::example::Example;
use crate::extent::{Policies, disallows_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{WELL_KNOWN, listed_crawlers};

pub(super) const LINT: Lint = Lint {
    code: "everything-disallowed-for-search",
    severity: Severity::Warning,
    summary: "search engines may not fetch anything",
    explanation: "\
A rule disallows every URL for crawlers that build a search index, and no rule allows one. That is correct for a
staging site, but removes a production site from search results. The message names the crawlers of the registry
to which the rule applies.

If a group names the crawler, the rule is probably intended. The finding is then a note, and only about
Googlebot, bingbot and DuckDuckBot. It is also a note if `*` is disallowed but Googlebot is not.",
    wrong: Example::of(b"User-agent: *\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.2.2-4"), Clause::new("G-dis-1")],
    check,
};

/// Returns the line that disallows everything, and whether its group names the crawler.
fn line_of(policy: &Policy) -> Option<(LineNumber, NamedBy)> {
    let rule = policy.rule(disallows_everything(policy)?)?;
    Some((rule.line, policy.group()?.named_by))
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut policies = Policies::new(file.index);
    let mut by_line: BTreeMap<LineNumber, (NamedBy, Vec<&KnownCrawler>)> = BTreeMap::new();
    for crawlers in &file.search_crawlers {
        let policy = crawlers.first().and_then(|it| policies.of(&it.crawler()));
        let Some((line, named_by)) = policy.as_ref().and_then(line_of) else {
            continue;
        };
        let reported = crawlers.iter().copied();
        let reported = reported.filter(|it| {
            named_by == NamedBy::Star || WELL_KNOWN.contains(&it.own_token().as_str())
        });
        let reported: Vec<_> = reported.collect();
        if reported.is_empty() {
            continue;
        }
        let entry = by_line.entry(line).or_insert((named_by, Vec::new()));
        entry.1.extend(reported);
        if named_by == NamedBy::Star {
            entry.0 = NamedBy::Star;
        }
    }
    for (line, (named_by, crawlers)) in by_line {
        let Some(record) = file.robots.record_at(line) else {
            continue;
        };
        let severity = match named_by {
            NamedBy::Star if crawlers.iter().any(|it| it.name() == "googlebot") => LINT.severity,
            NamedBy::Star | NamedBy::Token => Severity::Note,
        };
        let message = format!(
            "every URL is disallowed for crawlers of search engines: {}",
            listed_crawlers(crawlers, 4)
        );
        let draft = Draft::new(record.span(), message)
            .help("unless this is a staging site, disallow only the paths that crawlers must not fetch")
            .severity(severity);
        found.add(draft);
    }
}
