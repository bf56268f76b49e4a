//! `FixFacts`: what all fixes make of a file, compared with what it was.

use std::collections::BTreeSet;

use verger::{Crawler, Dialect, GroupIndex, Policy, TargetPath};
use verger_compare::{Budget, Difference, PolicySet};
use verger_lint::{Fixing, Linted, Served, Severity, fixed};

/// What all fixes may make of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FixFact {
    NewlyDisallowed,
    NewlyAllowed,
    ClosesHome,
    /// No fix is in the rule that decided or decides, nor in its group.
    Unexplained,
    AddsFindings,
    EndsOtherwise,
}

impl FixFact {
    pub(super) const ALL: [Self; 6] = [
        Self::NewlyDisallowed,
        Self::NewlyAllowed,
        Self::ClosesHome,
        Self::Unexplained,
        Self::AddsFindings,
        Self::EndsOtherwise,
    ];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NewlyDisallowed => "some URL is newly disallowed for a crawler",
            Self::NewlyAllowed => "some URL is newly allowed for a crawler",
            Self::ClosesHome => "the home page is newly disallowed for a crawler",
            Self::Unexplained => "an answer changes that no fixed line decides",
            Self::AddsFindings => "there are more warnings and errors than before",
            Self::EndsOtherwise => "the last line end comes or goes",
        }
    }
}

/// What all fixes make of a file.
#[derive(Debug, Default)]
pub(super) struct FixFacts(BTreeSet<FixFact>);

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
        let mut facts = Self::default();
        facts.put(FixFact::AddsFindings, alarms(&after) > alarms(before));
        facts.put(FixFact::EndsOtherwise, ends(body) != ends(&fixed.body));
        for crawler in crawlers(before, &after) {
            facts.compare(before.index(), after.index(), &crawler);
        }
        Some(facts)
    }

    fn compare(&mut self, before: &GroupIndex, after: &GroupIndex, crawler: &Crawler) {
        let [old, new] = [before, after].map(|index| index.policy(crawler));
        let [was, is] = [&old, &new].map(PolicySet::new);
        let Ok(difference) = Difference::between(&was, &is, Budget::default()) else {
            return;
        };
        let disallowed = difference.newly_disallowed().witness();
        let allowed = difference.newly_allowed().witness();
        self.put(FixFact::NewlyDisallowed, disallowed.is_some());
        self.put(FixFact::NewlyAllowed, allowed.is_some());
        if let Some(home) = TargetPath::of_form(b"/", old.comparison()) {
            let is_closed = old.decide(&home).is_allowed() && !new.decide(&home).is_allowed();
            self.put(FixFact::ClosesHome, is_closed);
        }
        for witness in [disallowed, allowed].into_iter().flatten() {
            let lines = |index, policy: &Policy| deciding_lines(index, policy, witness.target());
            let is_unexplained = lines(before, &old) == lines(after, &new);
            self.put(FixFact::Unexplained, is_unexplained);
        }
    }

    fn put(&mut self, fact: FixFact, is_so: bool) {
        if is_so {
            self.0.insert(fact);
        }
    }

    pub(super) fn has(&self, fact: FixFact) -> bool {
        self.0.contains(&fact)
    }
}

/// The crawlers that either file names, and one that none does.
fn crawlers(before: &Linted, after: &Linted) -> Vec<Crawler> {
    let agents = [before, after].map(Linted::robots);
    let agents = agents.into_iter().flat_map(verger::RobotsTxt::groups);
    let lines = agents.flat_map(|group| group.records().collect::<Vec<_>>());
    let lines = lines.filter(|it| it.kind() == verger::RecordKind::UserAgent);
    let tokens = lines.map(|it| {
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
    let agents = group.iter().flat_map(verger::Group::records);
    let agents = agents.filter(|it| it.kind() == verger::RecordKind::UserAgent);
    let lines = rule.iter().map(|it| it.text().to_vec());
    lines.chain(agents.map(|it| it.text().to_vec())).collect()
}
