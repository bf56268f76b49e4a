use std::collections::BTreeSet;
use std::iter;

use verger::{Clause, Crawler, DiagnosticKind, Dialect, Effect, LineNumber, Record, Verdict};
use verger_crawlers::Registry;

use crate::agent::{Agent, obeys};
use crate::example::Example;
use crate::extent::{Policies, RankedPolicy, target};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;
use crate::witness::witness;

/// Maximum number of URLs to try in one file.
const URLS_MAX: usize = 20_000;

/// Maximum number of pairs of a URL and a rule with `*` per dialect. Each such rule takes time for
/// each URL.
const PAIRS_MAX: usize = 4_000_000;

pub(super) const LINT: Lint = Lint {
    code: "dialects-disagree",
    severity: Severity::Warning,
    summary: "Google's library gives a different answer for a URL from RFC 9309",
    explanation: "\
Google's crawlers, and many others, use Google's library. For `*` and the groups of Google's crawlers, the lint
tries the home page and a URL for each rule, and reports the first URL for which the library and RFC 9309 give
different answers. `verger check --explain` shows why they differ. If another lint reports the cause, such as a
misspelt key or a space in a path, this lint does not. `verger check -d koster1996` and `-d draft2019` answer by
the older drafts, which hardly any crawler follows. The lint tries at most 20,000 URLs in one file, fewer if
thousands of rules have a `*`.",
    wrong: Example::of(b"User-agent: *\nDisallow: /a/\nAllow: /a/index.html\n"),
    right: Example::of(b"User-agent: *\nDisallow: /a/\nAllow: /a/index.html\nAllow: /a/$\n"),
    clauses: &[Clause::new("V-16"), Clause::new("V-8"), Clause::new("K96-3.2.2-2")],
    check,
};

/// Lints that explain why dialects differ.
pub(super) const CAUSES: [&str; 16] = [
    "agent-is-header",
    "agent-list",
    "agent-names-no-crawler",
    "agent-with-digits",
    "agent-with-version",
    "agent-with-wildcard",
    "agent-with-words",
    "control-character",
    "group-swallows-group",
    "invisible-character",
    "line-too-long",
    "misspelt-key",
    "missing-colon",
    "repeated-group",
    "space-in-path",
    "two-records-on-one-line",
];

fn check(file: &Subject<'_>, found: &mut Findings) {
    // The library has no limit for a file. Another lint reports long files.
    let mut diagnostics = file.diagnostics.iter();
    if !diagnostics.any(|it| it.kind == DiagnosticKind::BodyCut) && may_differ(file) {
        let explained = Explained::new(file, found);
        found.extend(difference(file, &explained));
    }
}

/// Returns whether the library may read a rule or a name differently. It compares bytes, and treats
/// `index.html` as its directory.
fn may_differ(file: &Subject<'_>) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b'!'..=b'$' | b'&'..=b'~');
    let mut rules = file.robots.records().filter_map(|it| it.as_rule());
    !file.is_read_alike
        || file.diagnostics.iter().any(|it| {
            matches!(
                it.kind,
                DiagnosticKind::AgentCut { .. }
                    | DiagnosticKind::AgentListNotRead
                    | DiagnosticKind::AgentNamesNoCrawler
            )
        })
        || rules.any(|rule| {
            let pattern = rule.pattern();
            let has = |text: &[u8]| pattern.windows(text.len()).any(|it| it == text);
            !pattern.iter().all(is_plain) || has(b"/index.htm") || has(b"//")
        })
}

/// Lines and groups for which another lint explains the difference.
struct Explained {
    lines: BTreeSet<LineNumber>,
    groups: BTreeSet<usize>,
}

impl Explained {
    fn new(file: &Subject<'_>, found: &Findings) -> Self {
        let places = found.places_of(&CAUSES);
        let lines: BTreeSet<_> = places.map(|at| file.places.position(at).line).collect();
        // A line that one reader ignores may be a rule for another, or end a run of user-agent
        // lines.
        let is_rule = |line: &LineNumber| {
            let record = file.robots.record_at(*line);
            record.is_some_and(|it| it.kind().is_rule())
        };
        let groups = lines
            .iter()
            .filter(|line| !is_rule(line))
            .filter_map(|line| {
                let at = file
                    .agents
                    .partition_point(|agent| agent.record.line() <= *line);
                Some(file.agents.get(at.checked_sub(1)?)?.group)
            });
        Self {
            groups: groups.collect(),
            lines,
        }
    }

    /// Returns whether a deciding line is one of them, or in one of the groups.
    fn has(&self, file: &Subject<'_>, line: LineNumber) -> bool {
        let group = file.robots.record_at(line).and_then(|it| it.group());
        self.lines.contains(&line) || group.is_some_and(|it| self.groups.contains(&it.index()))
    }
}

/// Returns the first URL with a different answer that no other lint explains.
fn difference(file: &Subject<'_>, explained: &Explained) -> Option<Draft> {
    let mut policies = Policies::new(file.index_in(Dialect::Google));
    let (mut urls, mut pairs) = (0, 0);
    let obeys_star = is_star_read_by_google(file);
    for selected in &file.selected().all {
        let agent = &file.agents[selected.agent];
        // The library cuts names with digits and dots, which another lint reports.
        if agent.token.bytes().any(is_cut) || !is_read_by_google(file, agent, obeys_star) {
            continue;
        }
        let by_google = policies.of(&agent.crawler(Dialect::Google)?);
        let readings = [
            (Some(&selected.policy), Dialect::Rfc9309),
            (by_google.as_ref(), Dialect::Google),
        ];
        let both = readings.iter().filter_map(|it| it.0);
        let rules = || both.clone().flat_map(RankedPolicy::rules);
        let wildcards = rules().filter(|it| it.pattern.contains(&b'*')).count();
        let paths = rules().filter_map(|rule| witness(rule.pattern));
        for path in iter::once(b"/".to_vec()).chain(paths) {
            urls += 1;
            pairs += wildcards;
            if urls > URLS_MAX || pairs > PAIRS_MAX {
                return None;
            }
            // The file itself has its own lint.
            if path == b"/robots.txt" {
                continue;
            }
            let verdicts = readings.map(|(policy, dialect)| {
                let target = target(&path, dialect)?;
                Some(policy?.decide(&target))
            });
            let [effect, by_google] = verdicts.map(|it| it.map_or(Effect::Allow, |it| it.effect()));
            let mut lines = verdicts.iter().flatten().filter_map(Verdict::line);
            if effect != by_google && !lines.any(|line| explained.has(file, line)) {
                let line = verdicts.iter().flatten().find_map(Verdict::line);
                return Some(draft(file, agent, &path, by_google, line));
            }
        }
    }
    None
}

/// Returns whether a crawler that reads as Google's library does obeys the groups of `*`, because no
/// group names it.
fn is_star_read_by_google(file: &Subject<'_>) -> bool {
    let index = file.index_in(Dialect::Google);
    let of_star = index.selection(&Crawler::unnamed());
    let mut crawlers = Registry::bundled().iter();
    crawlers.any(|it| {
        let reads = it.dialect() == Dialect::Google && obeys(it);
        reads && index.selection(&it.crawler()) == of_star
    })
}

/// Returns whether such a crawler obeys the group of a line.
fn is_read_by_google(file: &Subject<'_>, agent: &Agent<'_>, obeys_star: bool) -> bool {
    let is_google_s = |it: &Agent<'_>| {
        let known = it.known.is_some_and(|it| it.dialect() == Dialect::Google);
        known || (obeys_star && it.is_star())
    };
    file.agents_of(agent.group).iter().any(is_google_s)
}

/// Returns whether Google's library cuts the name.
fn is_cut(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}

fn draft(
    file: &Subject<'_>,
    agent: &Agent<'_>,
    path: &[u8],
    by_google: Effect,
    line: Option<LineNumber>,
) -> Draft {
    let (google, others) = match by_google {
        Effect::Allow => ("allows", "disallow"),
        Effect::Disallow => ("disallows", "allow"),
    };
    let message = format!(
        "Google {google} {}, other crawlers {others} it: they read the rules for {} differently",
        quoted(path),
        quoted(agent.token.as_bytes()),
    );
    let decides: Option<Record<'_>> = line.and_then(|it| file.robots.record_at(it));
    let place = decides.as_ref().map_or(agent.record.span(), Record::span);
    Draft::new(place, message).help("run `verger check --explain` to see why")
}
