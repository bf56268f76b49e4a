use std::collections::BTreeMap;

use verger::{Clause, Dialect, LineNumber, NamedBy, TargetPath};
use verger_crawlers::KnownCrawler;

use crate::example::Example;
use crate::extent::{Policies, disallows_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{WELL_KNOWN, listed_crawlers};

pub(super) const LINT: Lint = Lint {
    code: "home-page-disallowed",
    severity: Severity::Warning,
    summary: "search engines may not fetch the home page, although they may fetch other pages",
    explanation: "\
A rule disallows `/` for crawlers of search engines, while another allows some pages. The usual cause is a
pattern that ends with `$`, or an Allow list without `Allow: /$`. Add `Allow: /$` to allow only the home page.
If a group names the crawler, only Googlebot, bingbot and DuckDuckBot are reported.",
    wrong: Example::of(b"User-agent: *\nDisallow: /\nAllow: /blog/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /\nAllow: /blog/\nAllow: /$\n"),
    clauses: &[Clause::new("R9309-2.2.2-4"), Clause::new("G-rule-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Ok(home) = TargetPath::new("/", Dialect::Rfc9309) else {
        return;
    };
    let mut policies = Policies::new(file.index);
    let mut by_line: BTreeMap<LineNumber, Vec<&KnownCrawler>> = BTreeMap::new();
    for crawlers in &file.search_crawlers {
        let policy = crawlers.first().and_then(|it| policies.of(&it.crawler()));
        let Some(policy) = policy.filter(|it| disallows_everything(it).is_none()) else {
            continue;
        };
        let verdict = policy.decide(&home);
        if let Some(line) = verdict.line().filter(|_| !verdict.is_allowed()) {
            let named_by = policy.group().map(|it| it.named_by);
            let reported = crawlers.iter().filter(|it| {
                named_by == Some(NamedBy::Star) || WELL_KNOWN.contains(&it.own_token().as_str())
            });
            let mut reported = reported.peekable();
            if reported.peek().is_some() {
                by_line.entry(line).or_default().extend(reported);
            }
        }
    }
    for (line, crawlers) in by_line {
        if let Some(record) = file.robots.record_at(line) {
            let names = listed_crawlers(crawlers, 4);
            let message =
                format!("the home page is disallowed for crawlers of search engines: {names}");
            found.add(
                Draft::new(record.span(), message)
                    .help("write `Allow: /$` to allow only the home page"),
            );
        }
    }
}
