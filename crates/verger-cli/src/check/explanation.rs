//! What a verdict rests on: the rules that match, and the dialects that answer otherwise.

use std::collections::BTreeSet;
use std::fmt;

use verger::{
    Crawler, Dialect, Effect, LineNumber, MatchingRule, Policy, ProductTokenError, Reading, Reason,
    RobotsTxt, TargetPath,
};

use super::dialect_ways::first_rule_decides;
use super::difference::Difference;
use super::question::Question;
use super::side::Side;
use crate::asked_crawler::AskedCrawler;
use crate::decision::Decision;

/// What a verdict was weighed against.
pub(super) struct Explanation<'s> {
    /// The rules that match, the one that decides first, then by precedence.
    pub(super) candidates: Vec<Candidate<'s>>,
    /// The dialects that answer otherwise, or cannot be asked.
    pub(super) others: Vec<OtherAnswer<'s>>,
}

/// A rule that matches.
pub(super) struct Candidate<'s> {
    pub(super) line: LineNumber,
    /// Its line as written, without a comment.
    pub(super) text: &'s [u8],
    pub(super) effect: Effect,
    /// How specific it is.
    pub(super) octets: u32,
    pub(super) standing: Standing,
}

/// How a rule that matches stands to the one that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It decides.
    Decides,
    /// The target is exempt, so that no rule decides.
    Exempt,
    /// It is less specific than the one on that line.
    LessSpecific(LineNumber),
    /// It is as specific as the one on that line, which allows.
    AllowGoesBefore(LineNumber),
    /// It says the same as the one on that line, which stands before it.
    StandsAfter(LineNumber),
    /// The one on that line stands before it, and the first rule that matches decides.
    NotFirst(LineNumber),
}

impl Standing {
    pub(super) fn decides(self) -> bool {
        self == Self::Decides
    }

    fn of(rule: &MatchingRule<'_>, first: &MatchingRule<'_>, dialect: Dialect) -> Self {
        let line = first.rule.line;
        if rule.rule.line == line {
            Self::Decides
        } else if first_rule_decides(dialect) {
            Self::NotFirst(line)
        } else if rule.specificity < first.specificity {
            Self::LessSpecific(line)
        } else if rule.rule.effect == first.rule.effect {
            Self::StandsAfter(line)
        } else {
            Self::AllowGoesBefore(line)
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decides => f.write_str("decides"),
            Self::Exempt => f.write_str("no rule speaks about /robots.txt itself"),
            Self::LessSpecific(line) => write!(f, "line {line} is more specific"),
            Self::AllowGoesBefore(line) => {
                write!(
                    f,
                    "line {line} is as specific, and allow goes before disallow"
                )
            }
            Self::StandsAfter(line) => write!(f, "line {line} says the same and stands first"),
            Self::NotFirst(line) => write!(f, "line {line} stands first"),
        }
    }
}

/// What another dialect answers.
pub(super) struct OtherAnswer<'s> {
    pub(super) dialect: Dialect,
    /// `None` where the question cannot be asked there.
    pub(super) decision: Option<Decision<'s>>,
    pub(super) difference: Difference,
}

/// The same body and the same crawlers in another dialect.
pub(super) struct OtherReading {
    robots: RobotsTxt,
    crawlers: Vec<Result<(Crawler, Policy), ProductTokenError>>,
}

impl OtherReading {
    pub(super) fn new(body: &[u8], reading: Reading, crawlers: &[AskedCrawler]) -> Self {
        let robots = RobotsTxt::parse(body, reading);
        let crawlers = crawlers
            .iter()
            .map(|asked| {
                let crawler = asked.in_reading(reading)?;
                let policy = robots.policy(&crawler);
                Ok((crawler, policy))
            })
            .collect();
        Self { robots, crawlers }
    }

    /// What this dialect answers, unless it is what `here` says.
    fn answer(
        &self,
        nth: usize,
        question: &Question<'_>,
        here: &Side<'_>,
    ) -> Option<OtherAnswer<'_>> {
        let cannot_be_asked = |why: String| OtherAnswer {
            dialect: self.robots.dialect(),
            decision: None,
            difference: Difference::CannotBeAsked(why),
        };
        let (crawler, policy) = match &self.crawlers[nth] {
            Ok(asked) => asked,
            Err(error) => return Some(cannot_be_asked(error.to_string())),
        };
        let target = match TargetPath::new(question.url(), *self.robots.reading()) {
            Ok(target) => target,
            Err(error) => return Some(cannot_be_asked(error.to_string())),
        };
        let verdict = policy.decide(&target);
        let there = Side {
            robots: &self.robots,
            crawler,
            target: &target,
            verdict,
        };
        let difference = Difference::between(here, &there)?;
        Some(OtherAnswer {
            dialect: self.robots.dialect(),
            decision: Some(Decision::with_octets(&verdict, &self.robots)),
            difference,
        })
    }
}

impl<'s> Explanation<'s> {
    /// The explanation of what `here` says; `nth` is the number of its crawler.
    pub(super) fn of(
        here: &Side<'s>,
        others: &'s [OtherReading],
        nth: usize,
        question: &Question<'_>,
    ) -> Self {
        let others = others.iter();
        Self {
            candidates: candidates(here),
            others: others
                .filter_map(|other| other.answer(nth, question, here))
                .collect(),
        }
    }
}

fn candidates<'s>(here: &Side<'s>) -> Vec<Candidate<'s>> {
    let mut matching = here.robots.matching_rules(here.crawler, here.target);
    // Google: a rule about an index page may match twice, as written and for its directory.
    let mut seen = BTreeSet::new();
    matching.retain(|rule| seen.insert(rule.rule.line));
    let exempt = matches!(here.verdict.reason(), Reason::RobotsTxtItself);
    let Some(first) = matching.first().copied() else {
        return Vec::new();
    };
    let robots = here.robots;
    matching
        .iter()
        .map(|rule| Candidate {
            line: rule.rule.line,
            text: robots
                .record_at(rule.rule.line)
                .map_or(&[], |record| record.text()),
            effect: rule.rule.effect,
            octets: rule.specificity.octets(),
            standing: if exempt {
                Standing::Exempt
            } else {
                Standing::of(rule, &first, robots.dialect())
            },
        })
        .collect()
}
