//! Why another dialect answers otherwise, told by where the two first part: the target, the
//! group, the rules that were read, the rules that match, or which of them decides.
#![expect(
    clippy::similar_names,
    reason = "two sides are compared, here and there"
)]

use std::fmt;

use verger::{
    Crawler, Dialect, GroupMatch, LineNumber, NamedBy, Reason, Record, RobotsTxt, TargetPath,
    Verdict,
};

use crate::octet_text::legible;

/// One dialect's view of a question.
pub(super) struct Side<'s> {
    pub(super) robots: &'s RobotsTxt,
    pub(super) crawler: &'s Crawler,
    pub(super) target: &'s TargetPath<'s>,
    pub(super) verdict: Verdict<'s>,
}

/// Where another dialect ("there") first parts from the one asked in ("here").
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// The question has no meaning there.
    CannotBeAsked(String),
    /// `/robots.txt` is exempt here, and not there.
    OrdinaryPath,
    /// `/robots.txt` is exempt there, and not here.
    ExemptPath(Dialect),
    /// Another path and query is compared there.
    Target { there: String },
    /// The line is read otherwise, or only by one of the two.
    LineRead {
        line: LineNumber,
        here: String,
        there: String,
        dialect: Dialect,
    },
    /// The user-agent line names the crawler (or everybody) for one of the two only.
    AgentValue {
        line: LineNumber,
        speaks_there: bool,
        dialect: Dialect,
    },
    /// Both find the groups, and only the first counts there (or here).
    FirstGroupOnly { there: bool, dialect: Dialect },
    /// User-agent lines without a rule are a group for one of the two only.
    GroupWithoutRules { line: LineNumber, there: bool },
    /// A blank line before that line ends the record there (or here).
    BlankLine { line: LineNumber, there: bool },
    /// The rule matches for one of the two only.
    Comparison {
        line: LineNumber,
        matches_there: bool,
        dialect: Dialect,
    },
    /// Both rules match, and the first one decides there (or here).
    FirstRule { line: LineNumber, there: bool },
    /// Both rules match, and their octets are counted differently: so many there.
    Specificity {
        there: (LineNumber, u32),
        here: (LineNumber, u32),
        dialect: Dialect,
    },
    /// None of these: the deciding lines alone are named.
    DecidedBy { here: String, there: String },
}

impl Difference {
    /// Why `there` answers otherwise than `here`; `None` where it does not.
    pub(super) fn between(here: &Side<'_>, there: &Side<'_>) -> Option<Self> {
        if here.answers_like(there) {
            return None;
        }
        Some(
            of_exemption(here, there)
                .or_else(|| of_target(here, there))
                .or_else(|| of_groups(here, there))
                .or_else(|| of_rules(here, there))
                .unwrap_or_else(|| Self::DecidedBy {
                    here: here.decided_by(),
                    there: there.decided_by(),
                }),
        )
    }
}

impl<'s> Side<'s> {
    fn dialect(&self) -> Dialect {
        self.robots.dialect()
    }

    fn rule_line(&self) -> Option<LineNumber> {
        self.verdict.rule().map(|rule| rule.line)
    }

    fn answers_like(&self, other: &Side<'_>) -> bool {
        // Whether nobody speaks or nothing matches is the same to whoever may fetch.
        self.verdict.effect() == other.verdict.effect() && self.rule_line() == other.rule_line()
    }

    fn decided_by(&self) -> String {
        match (self.rule_line(), self.verdict.reason()) {
            (Some(line), _) => format!("line {line} decides"),
            (None, Reason::NoGroup) => "no group speaks to it".to_owned(),
            (None, Reason::RobotsTxtItself { .. }) => "/robots.txt is exempt".to_owned(),
            (None, _) => "no rule matches".to_owned(),
        }
    }

    fn is_exempt(&self) -> bool {
        matches!(self.verdict.reason(), Reason::RobotsTxtItself { .. })
    }

    fn is_named(&self) -> bool {
        let group = self.verdict.group();
        group.is_some_and(|group| group.named_by == NamedBy::Token)
    }

    fn groups(&self) -> Option<GroupMatch<'s>> {
        self.robots.groups_for(self.crawler)
    }

    fn group_lines(&self) -> Vec<LineNumber> {
        let found = self.groups();
        let groups = found.iter().flat_map(GroupMatch::groups);
        groups.map(verger::Group::line).collect()
    }

    /// The lines of the records of the group of that first line.
    fn records_of_group(&self, line: LineNumber) -> impl Iterator<Item = LineNumber> {
        let mut groups = self.robots.groups();
        let group = groups.find(|group| group.line() == line);
        group
            .into_iter()
            .flat_map(|group| group.records())
            .map(|record| record.line())
    }

    /// Whether a group of that first line can speak to the crawler, whichever counts.
    fn speaks(&self, line: LineNumber) -> bool {
        let mut groups = self.robots.groups().filter(verger::Group::is_record);
        groups.any(|group| {
            let tokens = self.crawler.tokens();
            group.line() == line
                && (tokens.iter().any(|token| group.names(token)) || group.is_for_star())
        })
    }

    fn matches(&self, line: LineNumber) -> bool {
        self.octets_of(line).is_some()
    }

    /// How specific the rule on that line is, if it matches.
    fn octets_of(&self, line: LineNumber) -> Option<u32> {
        let matching = self.robots.matching_rules(self.crawler, self.target);
        let rule = matching.iter().find(|rule| rule.rule.line == line)?;
        Some(rule.specificity.octets())
    }

    /// Whether the rule on that line stands in one of the crawler's groups.
    fn holds(&self, line: LineNumber) -> bool {
        let found = self.groups();
        let mut groups = found.iter().flat_map(GroupMatch::groups);
        groups.any(|group| group.rules().any(|rule| rule.line() == line))
    }

    fn reads(&self, line: LineNumber) -> String {
        match self.robots.record_at(line) {
            Some(record) => record.kind().key().map_or_else(
                || format!("an unknown `{}`", legible(record.key())),
                |key| format!("`{key}`"),
            ),
            None => "nothing".to_owned(),
        }
    }
}

/// The one of the two whose own way explains a difference; RFC 9309 is what the others are
/// written as differences from.
fn peculiar(here: &Side<'_>, there: &Side<'_>) -> Dialect {
    match there.dialect() {
        Dialect::Rfc9309 => here.dialect(),
        other => other,
    }
}

/// What a blank line before `line` does in the draft of 1996, if that is one of the two.
fn of_blank_line(here: &Side<'_>, there: &Side<'_>, line: LineNumber) -> Option<Difference> {
    let dialects = [here.dialect(), there.dialect()];
    dialects
        .contains(&Dialect::Koster1996)
        .then_some(Difference::BlankLine {
            line,
            there: there.dialect() == Dialect::Koster1996,
        })
}

fn of_exemption(here: &Side<'_>, there: &Side<'_>) -> Option<Difference> {
    match (here.is_exempt(), there.is_exempt()) {
        (true, false) => Some(Difference::OrdinaryPath),
        (false, true) => Some(Difference::ExemptPath(there.dialect())),
        _ => None,
    }
}

fn of_target(here: &Side<'_>, there: &Side<'_>) -> Option<Difference> {
    let target = there.target.as_bytes();
    (here.target.as_bytes() != target).then(|| Difference::Target {
        there: legible(target),
    })
}

fn of_groups(here: &Side<'_>, there: &Side<'_>) -> Option<Difference> {
    let (of_here, of_there) = (here.group_lines(), there.group_lines());
    let only_one_has = |lines: &[LineNumber], others: &[LineNumber]| {
        lines.iter().copied().find(|line| !others.contains(line))
    };
    // A group that names the crawler takes it away from the groups for `*`, so it goes first.
    let here_is_named = here.is_named();
    let of_both = if here_is_named {
        [
            only_one_has(&of_here, &of_there),
            only_one_has(&of_there, &of_here),
        ]
    } else {
        [
            only_one_has(&of_there, &of_here),
            only_one_has(&of_here, &of_there),
        ]
    };
    of_both
        .into_iter()
        .flatten()
        .find_map(|line| of_group(here, there, line))
}

/// Why the group of that first line counts for one of the two only.
fn of_group(here: &Side<'_>, there: &Side<'_>, line: LineNumber) -> Option<Difference> {
    if let Some(read) = of_line(here, there, line) {
        return Some(read);
    }
    let group_at = |side: &Side<'_>| side.robots.groups().any(|group| group.line() == line);
    if !group_at(here) || !group_at(there) {
        let before = (1..line.get()).rev().filter_map(LineNumber::new);
        let read = before
            .into_iter()
            .find_map(|line| of_line(here, there, line));
        return read.or_else(|| of_blank_line(here, there, line));
    }
    let is_record = |side: &Side<'_>| {
        let mut groups = side.robots.groups();
        groups.any(|group| group.line() == line && group.is_record())
    };
    if is_record(here) != is_record(there) {
        let (with, without) = if is_record(here) {
            (here, there)
        } else {
            (there, here)
        };
        // Either it has no rule at all, or a blank line keeps its rules from it.
        let kept_away = with
            .records_of_group(line)
            .find(|record| !without.records_of_group(line).any(|other| other == *record));
        return match kept_away {
            Some(line) => of_blank_line(here, there, line),
            None => Some(Difference::GroupWithoutRules {
                line,
                there: is_record(there),
            }),
        };
    }
    let dialect = peculiar(here, there);
    let (speaks_here, speaks_there) = (here.speaks(line), there.speaks(line));
    if speaks_here != speaks_there {
        return Some(Difference::AgentValue {
            line,
            speaks_there,
            dialect,
        });
    }
    let first_only = there.group_lines().len() < here.group_lines().len();
    (speaks_here && here.is_named() == there.is_named()).then_some(Difference::FirstGroupOnly {
        there: first_only,
        dialect: if first_only {
            there.dialect()
        } else {
            here.dialect()
        },
    })
}

/// Whether the line holds different kinds of record for the two.
fn of_line(here: &Side<'_>, there: &Side<'_>, line: LineNumber) -> Option<Difference> {
    let kind = |side: &Side<'_>| {
        let kind = side.robots.record_at(line).as_ref().map(Record::kind);
        kind.filter(|kind| kind.is_rule() || *kind == verger::RecordKind::UserAgent)
    };
    (kind(here) != kind(there)).then(|| Difference::LineRead {
        line,
        here: here.reads(line),
        there: there.reads(line),
        dialect: peculiar(here, there),
    })
}

/// Both have the same groups, so the rules make the difference.
fn of_rules(here: &Side<'_>, there: &Side<'_>) -> Option<Difference> {
    let (of_here, of_there) = (here.rule_line(), there.rule_line());
    for line in [of_there, of_here].into_iter().flatten() {
        if let Some(read) = of_line(here, there, line) {
            return Some(read);
        }
        if here.holds(line) != there.holds(line) {
            return of_blank_line(here, there, line);
        }
        let matches_there = there.matches(line);
        if here.matches(line) != matches_there {
            return Some(Difference::Comparison {
                line,
                matches_there,
                dialect: peculiar(here, there),
            });
        }
    }
    let (line_here, line_there) = (of_here?, of_there?);
    if there.dialect() == Dialect::Koster1996 {
        let line = line_there;
        return Some(Difference::FirstRule { line, there: true });
    }
    if here.dialect() == Dialect::Koster1996 {
        let line = line_here;
        return Some(Difference::FirstRule { line, there: false });
    }
    Some(Difference::Specificity {
        there: (line_there, there.octets_of(line_there)?),
        here: (line_here, there.octets_of(line_here)?),
        dialect: peculiar(here, there),
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CannotBeAsked(why) => write!(f, "cannot be asked: {why}"),
            Self::OrdinaryPath => f.write_str("`/robots.txt` is an ordinary path"),
            Self::ExemptPath(_) => f.write_str("`/robots.txt` is always allowed"),
            Self::Target { there } => write!(f, "asks about `{there}`"),
            Self::LineRead {
                line, here, there, ..
            } => write!(f, "line {line} is read as {there}, not as {here}"),
            Self::AgentValue {
                line,
                speaks_there: true,
                ..
            } => write!(f, "the group at line {line} speaks to it"),
            Self::AgentValue { line, .. } => {
                write!(f, "the group at line {line} does not speak to it")
            }
            Self::FirstGroupOnly { there: true, .. } => {
                f.write_str("of several groups only the first counts")
            }
            Self::FirstGroupOnly { there: false, .. } => f.write_str("several groups count as one"),
            Self::GroupWithoutRules { line, there: true } => {
                write!(f, "the group at line {line} counts, though it has no rule")
            }
            Self::GroupWithoutRules { line, there: false } => {
                write!(f, "the group at line {line} has no rule and does not count")
            }
            Self::BlankLine { line, there: true } => {
                write!(f, "a blank line ends the record before line {line}")
            }
            Self::BlankLine { line, there: false } => {
                write!(f, "the blank line before line {line} ends nothing")
            }
            Self::Comparison {
                line,
                matches_there: true,
                ..
            } => write!(f, "line {line} matches"),
            Self::Comparison { line, .. } => write!(f, "line {line} does not match"),
            Self::FirstRule { line, there: true } => {
                write!(f, "line {line} is the first rule that matches")
            }
            Self::FirstRule { there: false, .. } => {
                f.write_str("the most specific rule decides, not the first")
            }
            Self::Specificity {
                there: (decides, octets),
                here: (loses, fewer),
                ..
            } => {
                write!(
                    f,
                    "line {decides} counts {octets} octets, line {loses} {fewer}"
                )
            }
            Self::DecidedBy { here, there } => write!(f, "{there}; here {here}"),
        }
    }
}

impl Difference {
    /// What the difference rests on.
    pub(super) fn clause(&self) -> Option<&'static str> {
        match self {
            Self::CannotBeAsked(_) | Self::DecidedBy { .. } => None,
            Self::OrdinaryPath | Self::Target { .. } => Some("google/robotstxt robots.cc"),
            Self::ExemptPath(dialect) | Self::Comparison { dialect, .. } => {
                Some(clause_about_rules(*dialect))
            }
            Self::Specificity { dialect, .. } => Some(clause_about_rules(*dialect)),
            Self::LineRead { dialect, .. } => Some(match dialect {
                Dialect::Google => "google/robotstxt robots.cc",
                Dialect::Rfc9309 => "RFC 9309 2.2",
                Dialect::Draft2019 => "draft-koster-rep-00 2.2",
                Dialect::Koster1996 => "Koster 1996 3.3",
            }),
            Self::AgentValue { dialect, .. } | Self::FirstGroupOnly { dialect, .. } => {
                Some(match dialect {
                    Dialect::Google => "google/robotstxt robots.cc",
                    Dialect::Rfc9309 => "RFC 9309 2.2.1",
                    Dialect::Draft2019 => "draft-koster-rep-00 2.2.1",
                    Dialect::Koster1996 => "Koster 1996 3.2.1",
                })
            }
            Self::GroupWithoutRules { .. } => Some("Koster 1996 3.3"),
            Self::BlankLine { .. } => Some("Koster 1996 3.2"),
            Self::FirstRule { .. } => Some("Koster 1996 3.2.2"),
        }
    }
}

fn clause_about_rules(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Google => "google/robotstxt robots.cc",
        Dialect::Rfc9309 => "RFC 9309 2.2.2",
        Dialect::Draft2019 => "draft-koster-rep-00 2.2.2",
        Dialect::Koster1996 => "Koster 1996 3.2.2",
    }
}
