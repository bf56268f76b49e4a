use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use verger::{Clause, LineNumber, Record, RecordKind, RuleId};
use verger_compare::{Budget, PolicySet, RuleUse};

use crate::example::Example;
use crate::extent::{Selections, target};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{listed, quoted};
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "rule-never-decides",
    severity: Severity::Warning,
    summary: "a rule has no effect, because other rules take precedence wherever it matches",
    explanation: "\
The matching rule with the longest path decides, whatever the order in the file. If longer rules match every URL
that a rule matches, that rule has no effect. Often a `*` that should widen a rule makes it longer. The lint
proves this for all URLs, also in Google's library. The finding is a note if the other rules have the same effect. `duplicate-rule` and
`contradictory-rules` report rules with the same path. A rule that decides about its first URL needs no proof. One
may take at most 2,000 steps, or 100 after the first 1,000 proofs. Every 16 rules with `*` add one step to a decision. The lint reports nothing if the groups of
all crawlers have 200,000 lines in total.",
    wrong: Example::of(b"User-agent: *\nDisallow: /shop/*\nAllow: /shop/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /shop/\nAllow: /shop/help\n"),
    clauses: &[Clause::new("R9309-2.2.2-4")],
    check,
};

/// Maximum number of states to visit for one rule.
const BUDGET: Budget = Budget::from_states(2_000);

/// Number of rules after which each gets the small budget. A file may have thousands that are slow
/// to prove.
const RULES_OF_FULL_BUDGET: usize = 1_000;
const SMALL_BUDGET: Budget = Budget::from_states(100);

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut rules = file.robots.records().filter(|it| it.kind().is_rule());
    if rules.nth(1).is_some() {
        check_rules(file, found);
    }
}

/// A separate function, because V8 would compile it with its caller for every file.
#[inline(never)]
fn check_rules(file: &Subject<'_>, found: &mut Findings) {
    let uses = Uses::of(file.selected(), |_| true);
    let Some(overruled) = uses.map(|it| it.overruled).filter(|it| !it.is_empty()) else {
        return;
    };
    let is_overruled = |line| overruled.contains_key(&line);
    let Some(by_google) = Uses::of(file.selected_by_google(), is_overruled) else {
        return;
    };
    let keeps_a_rule = file.keeping_rules(|it| is_overruled(it.line()));
    for (line, others) in &overruled {
        let rule = file.robots.record_at(*line);
        if let Some(rule) = rule.filter(|_| !by_google.deciding.contains(line)) {
            let others = others.iter().filter_map(|it| file.robots.record_at(*it));
            let others: Vec<_> = others.collect();
            found.add(draft(&rule, &others, keeps_a_rule(&rule)));
        }
    }
}

/// How the rules of a file are used in one reading.
#[derive(Default)]
struct Uses {
    /// Lines of rules that decide for some crawler, or may.
    deciding: BTreeSet<LineNumber>,
    /// Lines of rules that never decide, each with the lines that take precedence for the first
    /// crawler.
    overruled: BTreeMap<LineNumber, Vec<LineNumber>>,
}

impl Uses {
    /// Searches for uses of the rules in some lines. Returns `None` if a crawler was left out, for
    /// which any rule may decide.
    fn of(selections: &Selections, is_asked: impl Fn(LineNumber) -> bool) -> Option<Self> {
        if !selections.is_complete {
            return None;
        }
        let mut uses = Self::default();
        let mut asked = 0;
        for selected in &selections.all {
            let policy = &selected.policy;
            let same = selected.same_patterns().iter();
            let overruled_by_same: BTreeSet<&RuleId> = same.flat_map(|it| &it[1..]).collect();
            let set = LazyCell::new(|| PolicySet::new(policy));
            let rules = policy.rule_ids().zip(policy.rules());
            // Other lints report equal rules.
            let rules =
                rules.filter(|(id, rule)| is_asked(rule.line) && !overruled_by_same.contains(id));
            for (id, rule) in rules {
                // Most rules decide about their first URL.
                let url = witness(rule.pattern).and_then(|path| target(&path, selections.dialect));
                if url.is_some_and(|url| policy.decide(&url).rule() == Some(id)) {
                    uses.deciding.insert(rule.line);
                    continue;
                }
                asked += 1;
                let budget = if asked <= RULES_OF_FULL_BUDGET {
                    BUDGET
                } else {
                    SMALL_BUDGET
                };
                let Some(RuleUse::NeverDecides { shadowed_by }) = RuleUse::new(&set, id, budget)
                else {
                    uses.deciding.insert(rule.line);
                    continue;
                };
                let lines = shadowed_by
                    .iter()
                    .filter_map(|it| Some(policy.rule(*it)?.line));
                let others = uses.overruled.entry(rule.line);
                let others = others.or_insert_with(|| lines.collect());
                // The rule matches nothing. Another lint reports rules about `/robots.txt`.
                if shadowed_by.is_empty() {
                    others.clear();
                }
            }
        }
        let deciding = &uses.deciding;
        uses.overruled
            .retain(|line, others| !others.is_empty() && !deciding.contains(line));
        Some(uses)
    }
}

fn draft(rule: &Record<'_>, others: &[Record<'_>], keeps_a_rule: bool) -> Draft {
    let are_alike = others.windows(2).all(|two| two[0].kind() == two[1].kind());
    let kind = others.first().filter(|_| are_alike).map(Record::kind);
    let done = match kind {
        Some(RecordKind::Allow) => "allowed",
        Some(_) => "disallowed",
        None => "decided",
    };
    let lines: Vec<String> = others.iter().map(|it| it.line().to_string()).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let lines = listed(lines.iter().map(String::as_str), 3);
    let message = format!(
        "{} has no effect: all that it matches is {done} by {word} {lines}",
        quoted(rule.value())
    );
    let draft = Draft::new(rule.span(), message)
        .together("these lines have no effect: longer paths take precedence wherever they match")
        .label("has no effect");
    let draft = others.iter().fold(draft, |draft, other| {
        draft.also(other.span(), "takes precedence where it matches")
    });
    if kind == Some(rule.kind()) {
        let draft = draft.severity(Severity::Note);
        return if keeps_a_rule {
            draft.help("remove it")
        } else {
            draft
        };
    }
    draft.help("if it should take precedence, make its path longer than theirs")
}
