use std::collections::BTreeSet;

use verger::{Clause, Crawler, Dialect, Effect, Policy, PolicyRule, Record, Star, TargetPath};
use verger_crawlers::{KnownCrawler, Purpose};

use crate::agent::{Agent, obeys};
use crate::example::Example;
use crate::extent::{RankedPolicy, matches_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{has_any, quoted};
use crate::witness::witness;

/// Maximum number of URLs to try in one file, because groups and `*` rules multiply.
const QUESTIONS_MAX: usize = 100_000;

pub(super) const LINT: Lint = Lint {
    code: "star-rules-not-inherited",
    severity: Severity::Warning,
    summary: "a named group allows URLs that the `*` group disallows",
    explanation: "\
A crawler obeys only the group that names it, and not the rules for `*`. So a group added for one crawler, such
as to set a Crawl-delay or to disallow one more directory, allows everything that the `*` group disallows. The
message shows such a URL. Repeat the rules of the `*` group that should also apply to this crawler.

The lint does not report a group if the `*` group disallows the home page, because the file then lists the
permitted crawlers. Nor does it if the group disallows nothing or (with exceptions) everything, or if all its
crawlers ignore `*` (AdsBot-Google). `group-without-rules` reports groups without a rule. The finding is a note
if the group repeats a rule of the `*` group, because its author then knows that this is necessary. It is also a
note if only rules that begin with `*` or `/*` are missing, if the group has `Allow: /` or an empty Disallow line, if a
platform wrote it, and for a crawler that is out of use, ignores robots.txt, sends
no requests under that name (Google-Extended), only makes cards for links (Twitterbot), has a task of its own
(Googlebot-News, archive.org_bot, crawlers for pictures) or is not in the registry. The lint tries at most 100,000 URLs in
one file, one for each rule of the `*` group and each named group, and compares at most 200,000 lines.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /shop/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /private/\nDisallow: /shop/\n"),
    clauses: &[Clause::new("R9309-2.2.1-10"), Clause::new("G-prec-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut selected = file.selected().all.iter();
    let Some(star) = selected.find(|it| file.agents[it.agent].is_star()) else {
        return;
    };
    let disallows = |rule: &PolicyRule<'_>| rule.effect == Effect::Disallow;
    let mut closed: Vec<(PolicyRule<'_>, Vec<u8>)> = (star.policy.rules().filter(disallows))
        .filter_map(|rule| Some((rule, witness(rule.pattern)?)))
        // `Disallow: //` is a slip, and no rule is missed for it.
        .filter(|(_, path)| path != b"//" && is_disallowed(&star.policy, path))
        .collect();
    // A URL that a site really has is the better example.
    closed.sort_by_key(|(rule, _)| begins_anywhere(rule));
    if !closed.is_empty() && !is_disallowed(&star.policy, b"/") {
        check_named(file, &closed, found);
    }
}

/// A separate function, because V8 would compile it with its caller for every file.
#[inline(never)]
fn check_named(file: &Subject<'_>, closed: &[(PolicyRule<'_>, Vec<u8>)], found: &mut Findings) {
    let patterns: BTreeSet<&[u8]> = closed.iter().map(|(rule, _)| rule.pattern).collect();
    let mut questions = 0;
    for selected in &file.selected().all {
        let (agent, policy) = (&file.agents[selected.agent], &selected.policy);
        if file.agents_of(agent.group).iter().any(Agent::is_star) || !restricts(policy) {
            continue;
        }
        let Some(agent) = most_concerned(file, agent, &selected.crawler) else {
            continue;
        };
        let opened = closed.iter().find(|(_, path)| {
            questions += 1;
            questions <= QUESTIONS_MAX && !is_disallowed(policy, path)
        });
        if let Some((rule, path)) = opened
            && let Some(record) = file.robots.record_at(rule.line)
        {
            let repeats = policy
                .rules()
                .any(|own| own.effect == Effect::Disallow && patterns.contains(own.pattern));
            let opens_all = agent.record.group().is_some_and(|group| {
                group.rules().any(|own| match own.effect() {
                    Effect::Allow => matches_everything(own.pattern()),
                    Effect::Disallow => own.pattern().is_empty(),
                })
            });
            let is_of_platform = file.platform_block(agent.record.span()).is_some();
            let is_meant = repeats || opens_all || begins_anywhere(rule) || is_of_platform;
            found.add(draft(agent, &record, path).note_if(is_meant));
        }
    }
}

/// Returns whether a rule begins with `*` or `/*`, so it names no directory.
fn begins_anywhere(rule: &PolicyRule<'_>) -> bool {
    matches!(rule.pattern, [b'*', ..] | [b'/', b'*', ..])
}

/// Returns whether a policy disallows something, but not everything. One without such a rule opens
/// the site on purpose or has its own finding. One that disallows everything lists what is allowed.
fn restricts(policy: &RankedPolicy) -> bool {
    let disallowed = policy.rules().filter(|it| it.effect == Effect::Disallow);
    let mut restricts = false;
    let opens = |pattern: &[u8]| {
        restricts |= !pattern.is_empty();
        !matches_everything(pattern)
    };
    let mut patterns = disallowed.map(|it| it.pattern);
    patterns.all(opens) && restricts
}

/// Returns the crawler of a group for which the finding matters most, the first if there are
/// several, or `None`.
fn most_concerned<'a>(
    file: &'a Subject<'a>,
    first: &'a Agent<'a>,
    crawler: &Crawler,
) -> Option<&'a Agent<'a>> {
    /// Maximum number of names of a group to check.
    const NAMES_MAX: usize = 50;
    let selection = file.index.selection(crawler);
    let is_selected = |agent: &&Agent<'_>| {
        let crawler = agent.crawler(Dialect::Rfc9309);
        crawler.is_some_and(|it| file.index.selection(&it) == selection)
    };
    let named = file.agents_of(first.group).iter().take(NAMES_MAX);
    let named = named.filter(|agent| agent.known.is_none_or(|it| it.star() == Star::Honoured));
    named
        .filter(is_selected)
        .min_by_key(|agent| !is_worth_a_warning(agent))
}

/// Returns whether the crawler only makes cards for links, for which owners open more.
fn is_preview(known: &KnownCrawler) -> bool {
    let mut purposes = known.purposes().iter();
    purposes.all(|it| matches!(it, Purpose::Preview | Purpose::UserTriggered))
}

/// Crawlers with a task of their own, for which owners often write other rules on purpose.
const SPECIAL: [&str; 2] = ["archive-org-bot", "googlebot-news"];

/// Parts of the names of crawlers for pictures and videos, which have such a task.
const MEDIA: [&str; 2] = ["image", "video"];

/// Returns whether it matters much that a crawler ignores the `*` group.
fn is_worth_a_warning(agent: &Agent<'_>) -> bool {
    agent.known.is_some_and(|known| {
        let fetches = obeys(known) && !known.is_control_only();
        let is_special =
            SPECIAL.contains(&known.name()) || has_any(known.name().as_bytes(), &MEDIA);
        fetches && !is_preview(known) && !is_special
    })
}

fn is_disallowed(policy: &Policy, path: &[u8]) -> bool {
    TargetPath::new(path, Dialect::Rfc9309).is_ok_and(|it| !policy.decide(&it).is_allowed())
}

fn draft(agent: &Agent<'_>, rule: &Record<'_>, path: &[u8]) -> Draft {
    let name = quoted(agent.token.as_bytes());
    let message = format!(
        "{name} may fetch {}, which line {} closes to others: it obeys only the group that names it",
        quoted(path),
        rule.line()
    );
    Draft::new(agent.record.span(), message)
        .together("these crawlers may fetch what is closed to others: each obeys only the group that names it")
        .label("obeys only this group")
        .also(rule.span(), format!("does not apply to {name}"))
        .help("repeat here the rules of the `*` group that should also apply")
        .note_if(!is_worth_a_warning(agent))
}
