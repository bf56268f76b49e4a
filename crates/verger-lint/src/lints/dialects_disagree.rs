use std::collections::BTreeSet;

use verger::{
    Clause, Crawler, DiagnosticKind, Dialect, Effect, LineNumber, Policy, Record, RobotsTxt,
    TargetPath, Verdict,
};

use crate::agent::Agent;
use crate::example::Example;
use crate::extent::Policies;
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
    severity: Severity::Note,
    summary: "Google's library, or the draft of 1996 or 2019, gives a different answer for a URL from RFC 9309",
    explanation: "\
Crawlers follow different documents. For the first crawler of each group, the lint tries the home page and a URL
for each rule in all dialects, and reports the first URL for which a dialect and RFC 9309 give different
answers. A difference from Google's library is a warning, because many crawlers use it. `verger check --explain`
shows why the dialects differ. If another lint reports the cause, such as a misspelt key or a space in a path,
this lint does not. The draft of 1996 does not define `*` and `$` in paths, which more than half of all files
use. Differences with only this cause are not reported. The lint tries at most 20,000 URLs in one file, fewer if
thousands of rules have a `*`.",
    wrong: Example::of(b"User-agent: *\nDisallow: /a\nAllow: /a/b\n"),
    right: Example::of(b"User-agent: *\nAllow: /a/b\nDisallow: /a\n"),
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
    let explained = Explained::new(file, found);
    // The library has no limit for a file. Another lint reports long files.
    let is_cut = file
        .diagnostics
        .iter()
        .any(|it| it.kind == DiagnosticKind::BodyCut);
    let google = (!is_cut).then_some(Dialect::Google);
    for dialect in google
        .into_iter()
        .chain([Dialect::Draft2019, Dialect::Koster1996])
    {
        let other = verger::GroupIndex::new(RobotsTxt::parse(file.robots.body(), dialect));
        if let Some(draft) = difference(file, &other, dialect, &explained) {
            found.add(draft);
        }
    }
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
fn difference(
    file: &Subject<'_>,
    other: &verger::GroupIndex,
    dialect: Dialect,
    explained: &Explained,
) -> Option<Draft> {
    let mut own_policies = Policies::new(file.index);
    let mut other_policies = Policies::new(other);
    let (mut urls, mut pairs) = (0, 0);
    for (agent, crawler) in file.selections() {
        let crawler = if agent.is_star() {
            Crawler::unnamed()
        } else {
            crawler
        };
        // The library cuts names with digits and dots, which another lint reports.
        if dialect == Dialect::Google && agent.token.bytes().any(is_cut) {
            continue;
        }
        let Some(own) = own_policies.of(&crawler) else {
            continue;
        };
        let asked = if agent.is_star() { "*" } else { agent.token };
        let Ok(named) = Crawler::named(asked, dialect) else {
            continue;
        };
        let theirs = other_policies.of(&named);
        let wildcards = wildcards(&own) + theirs.as_ref().map_or(0, wildcards);
        let their_rules = theirs.iter().flat_map(Policy::rules);
        let rules = own.rules().chain(their_rules);
        let rules = rules.filter_map(|rule| witness(rule.pattern));
        for path in [b"/".to_vec()].into_iter().chain(rules) {
            urls += 1;
            pairs += wildcards;
            if urls > URLS_MAX || pairs > PAIRS_MAX {
                return None;
            }
            let pair = Pair {
                own: &own,
                theirs: theirs.as_ref(),
                dialect,
            };
            let differ = pair.differ(&path);
            let differ = differ.filter(|(verdict, _, line)| {
                let mut lines = [verdict.line(), *line].into_iter().flatten();
                !lines.any(|line| explained.has(file, line))
            });
            if let Some((verdict, answer, _)) = differ {
                return Some(draft(file, agent, dialect, &path, &verdict, answer));
            }
        }
    }
    None
}

/// Returns the number of rules with a `*`.
fn wildcards(policy: &Policy) -> usize {
    let with_star = policy.rules().filter(|rule| rule.pattern.contains(&b'*'));
    with_star.count()
}

/// Returns whether Google's library cuts the name.
fn is_cut(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}

/// The rules for one crawler in two dialects.
struct Pair<'p> {
    own: &'p Policy,
    theirs: Option<&'p Policy>,
    dialect: Dialect,
}

impl Pair<'_> {
    /// Returns the verdict by RFC 9309 and, if it differs, the other dialect's verdict and deciding
    /// line.
    fn differ(&self, path: &[u8]) -> Option<(Verdict, Effect, Option<LineNumber>)> {
        // In a path alone, the library reads two slashes as the start of a host.
        let url = [b"https://h.example", path].concat();
        let target = TargetPath::new(&url, Dialect::Rfc9309).ok()?;
        let verdict = self.own.decide(&target);
        let (answer, line) = match self.theirs {
            None => (Effect::Allow, None),
            Some(theirs) => {
                let target = TargetPath::as_sent(&url, self.dialect).ok()?;
                let verdict = theirs.decide(&target);
                (verdict.effect(), verdict.line())
            }
        };
        let is_usual = self.dialect == Dialect::Koster1996 && has_wildcards(self.own, &verdict);
        (verdict.effect() != answer && !is_usual).then_some((verdict, answer, line))
    }
}

/// Returns whether the deciding rule has a `*` or `$`, which the draft of 1996 reads literally.
fn has_wildcards(policy: &Policy, verdict: &Verdict) -> bool {
    let rule = verdict.rule().and_then(|id| policy.rule(id));
    rule.is_some_and(|rule| {
        rule.pattern.starts_with(b"/") && rule.pattern.iter().any(|it| b"*$".contains(it))
    })
}

fn draft(
    file: &Subject<'_>,
    agent: &Agent<'_>,
    dialect: Dialect,
    path: &[u8],
    verdict: &Verdict,
    answer: Effect,
) -> Draft {
    let reader = match dialect {
        Dialect::Google => "Google's library",
        Dialect::Draft2019 => "the draft of 2019",
        Dialect::Koster1996 => "the draft of 1996",
        Dialect::Rfc9309 => "RFC 9309",
    };
    let message = format!(
        "{} is {answer}ed for {} by {reader}, but {}ed by RFC 9309",
        quoted(path),
        quoted(agent.token.as_bytes()),
        verdict.effect()
    );
    let decides: Option<Record<'_>> = verdict.line().and_then(|it| file.robots.record_at(it));
    let severity = match dialect {
        Dialect::Google => Severity::Warning,
        _ => LINT.severity,
    };
    let place = decides.as_ref().map_or(agent.record.span(), Record::span);
    Draft::new(place, message).severity(severity).help(format!(
        "run `verger check --explain -d {dialect}` to see why"
    ))
}
