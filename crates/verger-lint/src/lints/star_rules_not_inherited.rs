//! `star-rules-not-inherited`: a named group that opens what the `*` group closes.

use verger::{Clause, Crawler, Dialect, Effect, Group, GroupMatch, Policy, Rule, TargetPath};

use crate::agent::Agent;
use crate::example::Example;
use crate::extent::Policies;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;
use crate::witness::witness;

/// How many questions are asked about one file, so that many groups under many `*` rules take no time
/// that grows with their product.
const QUESTIONS_MAX: usize = 100_000;

pub(super) const LINT: Lint = Lint {
    code: "star-rules-not-inherited",
    severity: Severity::Warning,
    summary: "a named group allows what the `*` group disallows",
    explanation: "\
A crawler that a group names obeys that group alone; the rules for `*` do not apply to it as well. A group
that was added for one crawler, for instance to give it a Crawl-delay or to disallow one more directory,
thereby opens everything that `*` closes. The message names a URL for which that is so. Repeat the rules
of the `*` group that are meant for this crawler too.

A group without a Disallow line that has a path, but with an Allow line or an empty Disallow, opens the
site on purpose and is not reported. A group for a crawler that is out of use, or not in the registry, is a note.
At most
100,000 URLs are tried in one file, one for each rule of the `*` group and each named group, and 200,000
lines are compared.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /shop/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /private/\nDisallow: /shop/\n"),
    clauses: &[Clause::new("R9309-2.2.1-10"), Clause::new("G-prec-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let star = Crawler::unnamed();
    let Some(star_groups) = file.robots.groups_for(&star) else {
        return;
    };
    let star_policy = file.robots.policy(&star);
    let closed: Vec<(Rule<'_>, Vec<u8>)> = star_groups
        .groups()
        .iter()
        .flat_map(Group::rules)
        .filter(|rule| rule.effect() == Effect::Disallow)
        .filter_map(|rule| Some((rule, witness(rule.pattern())?)))
        .filter(|(_, path)| is_disallowed(&star_policy, path))
        .collect();
    let mut policies = Policies::new(file.index);
    let mut questions = 0;
    for (agent, crawler) in file.selections() {
        let starred = star_groups.groups();
        let is_star_too = starred.binary_search_by_key(&agent.group, Group::index);
        if agent.is_star() || is_star_too.is_ok() {
            continue;
        }
        let groups = file.index.groups_for(&crawler);
        if !groups.is_some_and(|groups| restricts(&groups)) {
            continue;
        }
        let Some(policy) = policies.of(&crawler) else {
            continue;
        };
        let opened = closed.iter().find(|(_, path)| {
            questions += 1;
            questions <= QUESTIONS_MAX && !is_disallowed(&policy, path)
        });
        if let Some((rule, path)) = opened {
            found.add(draft(agent, rule, path));
        }
    }
}

/// Whether the groups of a crawler have a rule that disallows something, or no rule at all: else they
/// open the site on purpose.
fn restricts(groups: &GroupMatch<'_, '_>) -> bool {
    let mut has_rules = false;
    for rule in groups.groups().iter().flat_map(Group::rules) {
        has_rules = true;
        if rule.effect() == Effect::Disallow && !rule.pattern().is_empty() {
            return true;
        }
    }
    !has_rules
}

fn is_disallowed(policy: &Policy, path: &[u8]) -> bool {
    TargetPath::new(path, Dialect::Rfc9309).is_ok_and(|it| !policy.decide(&it).is_allowed())
}

fn draft(agent: &Agent<'_>, rule: &Rule<'_>, path: &[u8]) -> Draft {
    let severity = match agent.known {
        Some(known) if !known.is_retired() => LINT.severity,
        _ => Severity::Note,
    };
    let message = format!(
        "{} may fetch {}, which the `*` group disallows: a named group does not inherit its rules",
        quoted(agent.token.as_bytes()),
        quoted(path)
    );
    Draft::new(agent.record.span(), message)
        .label("obeys this group alone")
        .also(rule.span(), "does not apply to it")
        .help("repeat the rules of the `*` group that are meant for this crawler too")
        .severity(severity)
}
