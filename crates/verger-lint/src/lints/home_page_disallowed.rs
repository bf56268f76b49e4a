use std::collections::BTreeMap;

use verger::{Clause, LineNumber, PolicyRule};
use verger_crawlers::KnownCrawler;

use crate::example::Example;
use crate::extent::{Readers, target};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{largest_among, listed_crawlers};

pub(super) const LINT: Lint = Lint {
    code: "home-page-disallowed",
    severity: Severity::Warning,
    summary: "search engines may not fetch the home page, although they may fetch other pages",
    explanation: "\
A rule disallows `/` for crawlers of search engines, while another allows some pages. The usual cause is a
pattern that ends with `$`, or an Allow list without `Allow: /$`. Add `Allow: /$` to allow only the home page. If
the rule is `/$`, remove it.
If a group names the crawler, only Googlebot, bingbot and DuckDuckBot are reported. The finding is a note if neither
Googlebot nor bingbot is concerned.",
    wrong: Example::of(b"User-agent: *\nDisallow: /\nAllow: /blog/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /\nAllow: /blog/\nAllow: /*.css\nAllow: /*.js$\nAllow: /*.js?\nAllow: /$\n"),
    clauses: &[Clause::new("R9309-2.2.2-4"), Clause::new("G-rule-7")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut by_line: BTreeMap<LineNumber, (bool, Vec<&KnownCrawler>)> = BTreeMap::new();
    for searching in file.searching() {
        let is_closed = searching.everything.is_some();
        if is_closed || searching.reported().is_empty() {
            continue;
        }
        if let Some(rule) = searching.disallowing(b"/") {
            let entry = by_line.entry(rule.line).or_insert((true, Vec::new()));
            entry.0 &= is_alone(searching, &rule);
            entry.1.extend(&searching.crawlers);
        }
    }
    for (record, (is_alone, crawlers)) in file.records_at(by_line) {
        let concerns_none_of_the_largest = largest_among(&crawlers) == 0;
        let names = listed_crawlers(crawlers, 4);
        let message = format!("search engines may not fetch the home page: {names}");
        let help = if is_alone && Subject::has_other_rule(&record) {
            "remove it: it closes the home page and nothing else"
        } else {
            "write `Allow: /$`, which opens the home page alone"
        };
        let draft = Draft::new(record.span(), message).help(help);
        found.add(draft.note_if(concerns_none_of_the_largest));
    }
}

/// Returns whether a rule is for the home page alone, and no other rule disallows it.
fn is_alone(searching: &Readers, rule: &PolicyRule<'_>) -> bool {
    let Some(home) = target(b"/", searching.dialect) else {
        return false;
    };
    let policy = &searching.policy;
    let mut others = policy.rules().zip(policy.rule_ids());
    let disallows_too = others.any(|(other, id)| {
        other.line != rule.line && !policy.only(Some(id)).decide(&home).is_allowed()
    });
    rule.pattern == b"/$" && !disallows_too
}
