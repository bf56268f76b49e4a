//! `FixFacts`: what all fixes make of a file, compared with what it was.

use std::collections::BTreeSet;

use verger::{Crawler, Dialect, GroupIndex, Policy, TargetPath};
use verger_compare::{Budget, Difference, PolicySet};
use verger_lint::{Fixing, Linted, Served, Severity, fixed};

/// What all fixes make of a file.
#[derive(Debug, Default)]
pub(super) struct FixFacts {
    /// A URL is newly disallowed, or newly allowed, for a crawler.
    pub(super) newly_disallowed: bool,
    pub(super) newly_allowed: bool,
    /// The home page is newly disallowed for a crawler.
    pub(super) closes_home: bool,
    /// An answer changes though no fix is in the rule that decided or decides, nor in its group.
    pub(super) is_unexplained: bool,
    /// There are more warnings and errors than before.
    pub(super) adds_findings: bool,
    /// The file ends with a line end, or does not, other than before.
    pub(super) ends_otherwise: bool,
}

/// How many crawlers of a file are compared.
const CRAWLERS_MAX: usize = 200;

impl FixFacts {
    /// `None` where there is nothing to fix.
    pub(super) fn new(before: &Linted) -> Option<Self> {
        let body = before.robots().body();
        let fixed = fixed(body, &Served::default(), Fixing::All, |_| true);
        if fixed.fixes == 0 {
            return None;
        }
        let after = Linted::new(&*fixed.body, &Served::default());
        let ends = |body: &[u8]| body.ends_with(b"\n") || body.ends_with(b"\r");
        let alarms = |file: &Linted| {
            let alarms = file.findings().iter();
            alarms.filter(|it| it.severity > Severity::Note).count()
        };
        let mut facts = Self {
            adds_findings: alarms(&after) > alarms(before),
            ends_otherwise: ends(body) != ends(&fixed.body),
            ..Self::default()
        };
        for crawler in crawlers(before, &after) {
            facts.compare(before.index(), after.index(), &crawler);
        }
        Some(facts)
    }

    fn compare(&mut self, before: &GroupIndex, after: &GroupIndex, crawler: &Crawler) {
        let [old, new] = [before, after].map(|index| index.policy(crawler));
        let [old_set, new_set] = [&old, &new].map(PolicySet::new);
        let Ok(difference) = Difference::between(&old_set, &new_set, Budget::default()) else {
            return;
        };
        let disallowed = difference.newly_disallowed().witness();
        let allowed = difference.newly_allowed().witness();
        self.newly_disallowed |= disallowed.is_some();
        self.newly_allowed |= allowed.is_some();
        if let Some(home) = TargetPath::of_form(b"/", old.comparison()) {
            self.closes_home |= old.decide(&home).is_allowed() && !new.decide(&home).is_allowed();
        }
        for witness in [disallowed, allowed].into_iter().flatten() {
            let lines = |index, policy: &Policy| deciding_lines(index, policy, witness.target());
            self.is_unexplained |= lines(before, &old) == lines(after, &new);
        }
    }
}

/// The crawlers that either file names, and one that none does.
fn crawlers(before: &Linted, after: &Linted) -> Vec<Crawler> {
    let agents = [before, after].map(Linted::robots);
    let agents = agents.into_iter().flat_map(|robots| robots.groups());
    let names = agents.flat_map(|group| group.records().collect::<Vec<_>>());
    let names = names.filter(|it| it.kind() == verger::RecordKind::UserAgent);
    let tokens = names.map(|it| {
        let value = it.value().to_ascii_lowercase();
        let is_of_token = |it: &u8| it.is_ascii_alphanumeric() || b"-_.".contains(it);
        let end = value.iter().position(|it| !is_of_token(it));
        String::from_utf8_lossy(&value[..end.unwrap_or(value.len())]).into_owned()
    });
    let tokens: BTreeSet<String> = tokens.collect();
    let named = tokens
        .iter()
        .filter_map(|it| Crawler::named(it, Dialect::Rfc9309).ok());
    [Crawler::unnamed()]
        .into_iter()
        .chain(named)
        .take(CRAWLERS_MAX)
        .collect()
}

/// The text of the rule that decides and of the user-agent lines of its group.
fn deciding_lines(index: &GroupIndex, policy: &Policy, target: &TargetPath<'_>) -> Vec<Vec<u8>> {
    let rule = policy.decide(target).line();
    let rule = rule.and_then(|line| index.robots().record_at(line));
    let group = rule.as_ref().and_then(verger::Record::group);
    let agents = group.iter().flat_map(|group| group.records());
    let agents = agents.filter(|it| it.kind() == verger::RecordKind::UserAgent);
    let lines = rule.iter().map(|it| it.text().to_vec());
    lines.chain(agents.map(|it| it.text().to_vec())).collect()
}
