//! `Difference`: why another dialect has another answer.
//!
//! In the other dialect, the deciding rule may differ in its target, line, group or match. If none
//! of these differ, the order of the matching rules does.

use verger::{Dialect, LineNumber, OpenGroup, RobotsTxt};

use crate::explanation::dialect_view::{DialectView, Selector};
use crate::text::legible;

/// The reason why another dialect ("there") has another answer than the current one ("here").
///
/// `Display` writes a sentence about the other dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the fields are named, and each variant says what differs"
)]
pub enum Difference {
    /// The question is invalid there, with this error.
    CannotBeAsked(String),
    /// The target is exempt only here.
    OrdinaryPath(Dialect),
    /// The target is exempt only there.
    ExemptPath(Dialect),
    /// A different target is compared there.
    Target { there: String },
    /// The line is read differently, or only in one of the two.
    LineRead {
        line: LineNumber,
        here: String,
        there: String,
        dialect: Dialect,
    },
    /// The line is beyond the size limit there (or here).
    BodyCut { line: LineNumber, there: bool },
    /// The group applies in only one of the two, because its user-agent lines are read differently.
    AgentValue {
        line: LineNumber,
        applies_there: bool,
        dialect: Dialect,
    },
    /// Only the first of several groups applies there (or here).
    FirstGroupOnly { there: bool, dialect: Dialect },
    /// User-agent lines without a rule form a group in only one of the two.
    GroupWithoutRules { line: LineNumber, there: bool },
    /// The blank line ends the record there (or here).
    BlankLine { line: LineNumber, there: bool },
    /// The rule matches in only one of the two.
    Comparison {
        line: LineNumber,
        matches_there: bool,
        dialect: Dialect,
    },
    /// Both rules match, and the first match decides there (or here).
    FirstRule { line: LineNumber, there: bool },
    /// Both rules match, with different specificity. The numbers are the bytes counted there.
    Specificity {
        there: (LineNumber, u32),
        here: (LineNumber, u32),
        dialect: Dialect,
    },
    /// Some other reason. Only the deciding lines are given.
    DecidedBy { here: String, there: String },
}

impl Difference {
    /// Returns why `there` differs from `here`, or `None` if it does not.
    pub(crate) fn between(here: &DialectView<'_>, there: &DialectView<'_>) -> Option<Self> {
        if here.answers_like(there) {
            return None;
        }
        let asked_in = here.dialect();
        let pair = |with, without| Pair {
            with,
            without,
            asked_in,
        };
        Some(
            of_exemption(here, there)
                .or_else(|| of_target(here, there))
                .or_else(|| pair(there, here).of_deciding_rule())
                .or_else(|| pair(here, there).of_deciding_rule())
                .or_else(|| of_precedence(here, there))
                .unwrap_or_else(|| Self::DecidedBy {
                    here: here.decided_by(),
                    there: there.decided_by(),
                }),
        )
    }
}

fn of_exemption(here: &DialectView<'_>, there: &DialectView<'_>) -> Option<Difference> {
    match (here.is_exempt(), there.is_exempt()) {
        (true, false) => Some(Difference::OrdinaryPath(there.dialect())),
        (false, true) => Some(Difference::ExemptPath(there.dialect())),
        _ => None,
    }
}

fn of_target(here: &DialectView<'_>, there: &DialectView<'_>) -> Option<Difference> {
    (!here.asks_about_target_of(there)).then(|| Difference::Target {
        there: legible(there.target.as_bytes()),
    })
}

/// Explains a difference in precedence, when both rules match in both dialects.
fn of_precedence(here: &DialectView<'_>, there: &DialectView<'_>) -> Option<Difference> {
    let [line_here, other_line] = [here.rule_line()?, there.rule_line()?];
    if there.first_rule_decides() {
        let line = other_line;
        return Some(Difference::FirstRule { line, there: true });
    }
    if here.first_rule_decides() {
        let line = line_here;
        return Some(Difference::FirstRule { line, there: false });
    }
    Some(Difference::Specificity {
        there: (other_line, there.bytes_of(other_line)?),
        here: (line_here, there.bytes_of(line_here)?),
        dialect: peculiar(here, there),
    })
}

/// Returns the dialect with the peculiarity. RFC 9309 is the baseline.
fn peculiar(here: &DialectView<'_>, there: &DialectView<'_>) -> Dialect {
    match there.dialect() {
        Dialect::Rfc9309 => here.dialect(),
        other => other,
    }
}

/// Two views of a question. `without` may lack the rule or group that `with` has.
#[derive(Clone, Copy)]
struct Pair<'a, 's> {
    with: &'a DialectView<'s>,
    without: &'a DialectView<'s>,
    asked_in: Dialect,
}

impl Pair<'_, '_> {
    fn flipped(self) -> Self {
        Self {
            with: self.without,
            without: self.with,
            ..self
        }
    }

    /// Returns whether `with` is the other dialect.
    fn is_there(&self) -> bool {
        self.with.dialect() != self.asked_in
    }

    fn peculiar(&self) -> Dialect {
        if self.is_there() {
            peculiar(self.without, self.with)
        } else {
            peculiar(self.with, self.without)
        }
    }

    /// Explains why the deciding rule of one view does not decide in the other.
    fn of_deciding_rule(self) -> Option<Difference> {
        let line = self.with.rule_line()?;
        if let Some(read) = self.of_line(line) {
            return Some(read);
        }
        if !self.without.holds(line) {
            let group = self.with.group_around(line)?;
            return if self.without.group_around(line) == Some(group) {
                self.of_choice(group)
            } else {
                self.of_group_that_applies(line)
            };
        }
        (!self.without.matches(line)).then(|| Difference::Comparison {
            line,
            matches_there: self.is_there(),
            dialect: self.peculiar(),
        })
    }

    /// Explains different kinds of record on the line.
    fn of_line(self, line: LineNumber) -> Option<Difference> {
        let (with, without) = (self.with, self.without);
        if with.kind_at(line) == without.kind_at(line) {
            return None;
        }
        for (side, other) in [(with, without), (without, with)] {
            if side.is_cut_before(line, other) {
                let there = side.dialect() != self.asked_in;
                return Some(Difference::BodyCut { line, there });
            }
        }
        let mut sides = [with, without];
        if self.is_there() {
            sides.reverse();
        }
        let [here, there] = sides;
        let library = sides.iter().find(|side| side.reads_googles_keys());
        let library = library.map(|side| side.dialect());
        Some(Difference::LineRead {
            line,
            here: here.reads(line),
            there: there.reads(line),
            dialect: library.unwrap_or_else(|| self.peculiar()),
        })
    }

    /// Explains why the rule on `line` applies to the crawler in only one view.
    fn of_group_that_applies(self, line: LineNumber) -> Option<Difference> {
        let [own, others] = [self.with, self.without].map(DialectView::group_lines);
        let applies = |groups: &[LineNumber], group| groups.binary_search(&group).is_ok();
        let alike =
            |group, other| group == other || applies(&own, group) == applies(&others, other);
        let line = first_of_difference(self.with.robots, self.without.robots, line, alike)?;
        self.of_grouping(line)
    }

    /// Explains why the views put `line` into different groups.
    fn of_different_groups(self, line: LineNumber) -> Option<Difference> {
        let alike = |group, other| group == other;
        let line = first_of_difference(self.with.robots, self.without.robots, line, alike)?;
        self.of_grouping(line)
    }

    /// Explains different open groups after a line.
    fn of_grouping(self, line: LineNumber) -> Option<Difference> {
        self.of_line(line).or_else(|| {
            // Both read the line alike, so a blank line makes the difference.
            let ends_with = self.with.blank_line_ends_the_record();
            let ends_without = self.without.blank_line_ends_the_record();
            (ends_with || ends_without).then_some(Difference::BlankLine {
                line,
                there: ends_with == self.is_there(),
            })
        })
    }

    /// Explains why a group that both views have applies in only one.
    fn of_choice(self, group: LineNumber) -> Option<Difference> {
        let (selector, other_selector) = (self.with.selector(), self.without.selector());
        let chosen = self.without.group_lines();
        if other_selector < selector {
            // A selector that takes precedence selects other groups there.
            let mut chosen = chosen.into_iter();
            return chosen.find_map(|line| self.flipped().of_selector(line, other_selector));
        }
        self.of_selector(group, selector).or_else(|| {
            let first = *chosen.first()?;
            let first_is_missed = !self.with.group_lines().contains(&first);
            let missed = first_is_missed.then(|| self.flipped().of_selector(first, other_selector));
            missed.flatten().or(Some(Difference::FirstGroupOnly {
                there: !self.is_there(),
                dialect: self.without.dialect(),
            }))
        })
    }

    /// Explains why `selector` selects the group in only one view. Returns `None` if it does in
    /// both.
    fn of_selector(self, line: LineNumber, selector: Selector) -> Option<Difference> {
        let group = self.with.group_at(line)?;
        let Some(other) = self.without.group_at(line) else {
            return self.of_different_groups(line);
        };
        if !other.is_record() {
            // Either the group has no rules, or they went elsewhere.
            return match group.rules().next() {
                Some(rule) => self.of_different_groups(rule.line()),
                None => Some(Difference::GroupWithoutRules {
                    line,
                    there: self.is_there(),
                }),
            };
        }
        if self.with.selecting_line(&other, selector).is_some() {
            return None;
        }
        let selecting = self.with.selecting_line(&group, selector)?;
        if !other.user_agents().any(|agent| agent.line() == selecting) {
            let read = self.of_line(selecting);
            return read.or_else(|| self.of_different_groups(selecting));
        }
        Some(Difference::AgentValue {
            line,
            applies_there: self.is_there(),
            dialect: self.peculiar(),
        })
    }
}

/// Returns the first line of the last stretch, up to and including `until`, in which two readings
/// have different open groups. Returns `None` if their open groups are `alike` after `until`.
///
/// Readings may differ and agree again. Only the last stretch affects the group of a line.
fn first_of_difference(
    one: &RobotsTxt,
    other: &RobotsTxt,
    until: LineNumber,
    alike: impl Fn(LineNumber, LineNumber) -> bool,
) -> Option<LineNumber> {
    let agree = |one: Option<OpenGroup>, other: Option<OpenGroup>| match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => one.has_rule == other.has_rule && alike(one.line, other.line),
        _ => false,
    };
    let (mut lines, mut other_lines) = (one.lines(), other.lines());
    let (mut open, mut other_open) = (None, None);
    let mut first = None;
    for number in (1..=until.get()).filter_map(LineNumber::new) {
        // A reading that ends earlier keeps its last group open.
        open = lines.next().map_or(open, |line| line.open_group());
        other_open = other_lines
            .next()
            .map_or(other_open, |line| line.open_group());
        first = if agree(open, other_open) {
            None
        } else {
            first.or(Some(number))
        };
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Crawler, LineKind, RobotsTxt};
    use verger_access::requested_target;
    use verger_testkit::generate::{self, Rng};

    /// Calls `check` for every two dialects with different answers.
    fn for_each_difference(
        body: &[u8],
        agent: &str,
        url: &[u8],
        mut check: impl FnMut(&DialectView<'_>, &DialectView<'_>, &Difference),
    ) {
        let asked: Vec<_> = Dialect::ALL
            .iter()
            .copied()
            .filter_map(|dialect| {
                let robots = RobotsTxt::parse(body, dialect);
                let crawler = Crawler::named(agent, dialect).ok()?;
                let target = requested_target(url, dialect).ok()?;
                Some((robots.policy(&crawler), robots, crawler, target))
            })
            .collect();
        let sides: Vec<_> = asked
            .iter()
            .map(|(policy, robots, crawler, target)| DialectView {
                robots,
                crawler,
                target,
                verdict: policy.decide(target),
            })
            .collect();
        for here in &sides {
            for there in &sides {
                if let Some(difference) = Difference::between(here, there) {
                    check(here, there, &difference);
                }
            }
        }
    }

    /// Returns a target as sent: each byte that is not visible ASCII is escaped.
    fn sent(target: &[u8]) -> String {
        let bytes = target.iter().map(|byte| match byte {
            b'!'..=b'~' => char::from(*byte).to_string(),
            _ => format!("%{byte:02X}"),
        });
        bytes.collect()
    }

    /// Returns whether the stated difference is true.
    fn is_true(here: &DialectView<'_>, there: &DialectView<'_>, difference: &Difference) -> bool {
        match *difference {
            Difference::CannotBeAsked(_) | Difference::DecidedBy { .. } => false,
            Difference::OrdinaryPath(_) => here.is_exempt(),
            Difference::ExemptPath(_) => there.is_exempt(),
            Difference::Target { .. } => {
                sent(here.target.as_bytes()) != sent(there.target.as_bytes())
            }
            Difference::LineRead {
                line,
                here: ref read,
                there: ref other,
                ..
            } => read != other && here.kind_at(line) != there.kind_at(line),
            Difference::BodyCut { line, there: cut } => {
                let (cut, whole) = if cut { (there, here) } else { (here, there) };
                cut.robots.record_at(line).is_none() && whole.robots.record_at(line).is_some()
            }
            Difference::AgentValue {
                line,
                applies_there,
                ..
            } => {
                let (yes, no) = if applies_there {
                    (there, here)
                } else {
                    (here, there)
                };
                let (named, other) = (yes.group_at(line).unwrap(), no.group_at(line).unwrap());
                let selector = yes.selector();
                yes.selecting_line(&named, selector).is_some()
                    && no.selecting_line(&other, selector).is_none()
            }
            Difference::FirstGroupOnly {
                there: first_only, ..
            } => {
                let (first, all) = if first_only {
                    (there, here)
                } else {
                    (here, there)
                };
                first.group_lines().len() == 1 && all.group_lines().len() > 1
            }
            Difference::GroupWithoutRules { line, .. } => {
                let groups = [here, there].map(|side| side.group_at(line).unwrap());
                groups.iter().all(|group| !group.has_rules())
            }
            Difference::BlankLine { line, .. } => {
                let mut lines = here.robots.lines();
                lines.any(|it| it.number() == line && matches!(it.kind(), LineKind::Blank))
            }
            Difference::Comparison {
                line,
                matches_there,
                ..
            } => {
                here.holds(line)
                    && there.holds(line)
                    && (here.matches(line), there.matches(line)) == (!matches_there, matches_there)
            }
            Difference::FirstRule { .. } | Difference::Specificity { .. } => {
                let lines = [here.rule_line().unwrap(), there.rule_line().unwrap()];
                let matches = |line: &LineNumber| here.matches(*line) && there.matches(*line);
                lines.iter().all(matches) && lines[0] != lines[1]
            }
        }
    }

    #[track_caller]
    fn check(body: &[u8], agent: &str, url: &[u8]) -> usize {
        let mut differences = 0;
        for_each_difference(body, agent, url, |here, there, difference| {
            differences += 1;
            let (from, to) = (here.dialect(), there.dialect());
            let question = format!("{:?} {agent} {:?}", legible(body), legible(url));
            let context = format!("{from} to {to}: {difference}: {question}");
            assert!(difference.clause().is_some(), "no clause: {context}");
            assert!(is_true(here, there, difference), "untrue: {context}");
        });
        differences
    }

    #[test]
    fn every_difference_rests_on_a_clause_and_is_true() {
        let mut differences = 0;
        for seed in 0..800 {
            let mut rng = Rng::new(seed);
            let body = generate::body(&mut rng);
            for _ in 0..4 {
                let agent = generate::agent(&mut rng);
                let url = generate::url_for(&mut rng, &body);
                differences += check(&body, &agent, &url);
            }
        }
        assert!(differences > 2000, "{differences}");
    }

    #[test]
    fn what_a_limit_cuts_is_a_difference() {
        let mut differences = 0;
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let body = generate::body_at_limit(&mut rng);
            differences += check(&body, "x", b"/b/ab");
            differences += check(&body, "x", &generate::url_for(&mut rng, &body));
        }
        assert!(differences > 20, "{differences}");
    }
}
