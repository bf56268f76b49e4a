//! `Explanation`: the other matching rules, and the dialects with other answers.

pub(crate) mod dialect_view;
pub(crate) mod difference;
mod difference_text;

use std::collections::BTreeSet;
use std::fmt;

use verger::{
    Crawler, Dialect, Effect, LineNumber, MatchingRule, Policy, ProductTokenError, Reading, Reason,
    RobotsTxt, Verdict, allocated_bytes,
};
use verger_access::requested_target;

use crate::explanation::dialect_view::{DialectView, first_rule_decides};
use crate::explanation::difference::Difference;
use crate::verdict_keys::VerdictKeys;
use verger_crawlers::ResolvedCrawler;

/// The rules and dialects to compare a verdict with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation<'s> {
    /// The matching rules by precedence, the deciding one first.
    pub candidates: Vec<Candidate<'s>>,
    /// The dialects with another answer, or in which the question is invalid.
    pub others: Vec<OtherAnswer<'s>>,
}

/// A matching rule.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Candidate<'s> {
    /// Its line.
    pub line: LineNumber,
    /// The line as written, without comment and surrounding white space.
    pub text: &'s [u8],
    /// Allow or disallow.
    pub effect: Effect,
    /// Its specificity in bytes.
    pub bytes: u32,
    /// Whether and why it decides or not.
    pub status: CandidateStatus,
}

/// Whether a matching rule decides and, if not, why. `Display` writes a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateStatus {
    /// The rule decides.
    Decides,
    /// No rule decides, because the target is exempt.
    Exempt,
    /// The rule is less specific than the rule on that line.
    LessSpecific(LineNumber),
    /// The rule on that line is as specific and allows.
    AllowGoesBefore(LineNumber),
    /// The rule repeats the earlier rule on that line.
    ComesAfter(LineNumber),
    /// The rule on that line comes first, and the first match decides.
    NotFirst(LineNumber),
}

/// The answer of another dialect.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherAnswer<'s> {
    /// The other dialect.
    pub dialect: Dialect,
    /// Its verdict, or `None` if the question is invalid there.
    pub verdict: Option<Verdict>,
    /// That verdict as JSON.
    pub keys: Option<VerdictKeys<'s>>,
    /// The reason for the other answer.
    pub difference: Difference,
}

impl CandidateStatus {
    /// Returns whether the rule decides.
    #[must_use]
    pub fn decides(self) -> bool {
        self == Self::Decides
    }

    fn of(rule: &MatchingRule<'_>, first: &MatchingRule<'_>, robots: &RobotsTxt) -> Self {
        let line = first.rule.line;
        if rule.rule.line == line {
            Self::Decides
        } else if first_rule_decides(robots) {
            Self::NotFirst(line)
        } else if rule.specificity < first.specificity {
            Self::LessSpecific(line)
        } else if rule.rule.effect == first.rule.effect {
            Self::ComesAfter(line)
        } else {
            Self::AllowGoesBefore(line)
        }
    }
}

impl fmt::Display for CandidateStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decides => f.write_str("decides"),
            Self::Exempt => f.write_str("no rule applies to /robots.txt itself"),
            Self::LessSpecific(line) => write!(f, "line {line} is more specific"),
            Self::AllowGoesBefore(line) => {
                write!(f, "line {line} is as specific, and allow takes precedence")
            }
            Self::ComesAfter(line) => write!(f, "line {line} has the same effect and comes first"),
            Self::NotFirst(line) => write!(f, "line {line} comes first"),
        }
    }
}

/// The body and the crawlers in another dialect.
#[derive(Debug)]
pub(crate) struct OtherReading {
    robots: RobotsTxt,
    crawlers: Vec<Result<(Crawler, Policy), ProductTokenError>>,
}

impl OtherReading {
    pub(crate) fn new(body: &[u8], reading: Reading, crawlers: &[ResolvedCrawler]) -> Self {
        let robots = RobotsTxt::parse(body, reading);
        let crawlers = crawlers
            .iter()
            .map(|resolved| {
                let crawler = resolved.in_reading(reading)?;
                let policy = robots.policy(&crawler);
                Ok((crawler, policy))
            })
            .collect();
        Self { robots, crawlers }
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let of_crawler =
            |(crawler, policy): &(Crawler, Policy)| crawler.heap_bytes() + policy.heap_bytes_max();
        let crawlers = self.crawlers.iter().flatten().map(of_crawler);
        size_of::<Self>()
            + self.robots.heap_bytes()
            + allocated_bytes(size_of_val(&*self.crawlers))
            + crawlers.sum::<usize>()
    }

    /// Returns the answer for the `nth` crawler, unless it is the same as `here`.
    fn answer(&self, nth: usize, url: &[u8], here: &DialectView<'_>) -> Option<OtherAnswer<'_>> {
        let cannot_be_asked = |why: String| OtherAnswer {
            dialect: self.robots.dialect(),
            verdict: None,
            keys: None,
            difference: Difference::CannotBeAsked(why),
        };
        let (crawler, policy) = match self.crawlers.get(nth)? {
            Ok(asked) => asked,
            Err(error) => return Some(cannot_be_asked(error.to_string())),
        };
        let target = match requested_target(url, *self.robots.reading()) {
            Ok(target) => target,
            Err(error) => return Some(cannot_be_asked(error.to_string())),
        };
        let verdict = policy.decide(&target);
        let there = DialectView {
            robots: &self.robots,
            crawler,
            target: &target,
            verdict,
        };
        let difference = Difference::between(here, &there)?;
        Some(OtherAnswer {
            dialect: self.robots.dialect(),
            verdict: Some(verdict),
            keys: Some(VerdictKeys::new(&verdict, &self.robots)),
            difference,
        })
    }
}

impl<'s> Explanation<'s> {
    /// Explains the answer `here` about `url` to the `nth` crawler.
    pub(crate) fn of(
        here: &DialectView<'s>,
        others: &'s [OtherReading],
        nth: usize,
        url: &[u8],
    ) -> Self {
        let others = others.iter();
        Self {
            candidates: candidates(here),
            others: others
                .filter_map(|other| other.answer(nth, url, here))
                .collect(),
        }
    }
}

fn candidates<'s>(here: &DialectView<'s>) -> Vec<Candidate<'s>> {
    let mut matching = here.robots.matching_rules(here.crawler, here.target);
    // Google: a rule for an index page may match twice, as written and for its directory.
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
            bytes: rule.specificity.bytes(),
            status: if exempt {
                CandidateStatus::Exempt
            } else {
                CandidateStatus::of(rule, &first, robots)
            },
        })
        .collect()
}
