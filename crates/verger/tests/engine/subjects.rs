//! The ways to use the engine, as subjects of the test kit.

use crate::ways::{ask_every_way, ask_with_index};
use verger::dialect::LenientLines;
use verger::{Crawler, Dialect, NamedBy, Reading, Reason, TargetPath, Verdict};
use verger_simd::Preference;
use verger_testkit::subject::{Answer, DialectName, GroupName, Question, ReasonName, Subject};

/// `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.
pub struct Tree;

impl Subject for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        answer_in(question, Reading::new(dialect(question.dialect)))
    }
}

/// The tree, with lenient lines.
pub struct LenientTree;

impl Subject for LenientTree {
    fn name(&self) -> &'static str {
        "tree with lenient lines"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        let reading = Reading::new(dialect(question.dialect));
        answer_in(question, reading.with_lenient_lines(LenientLines::Read))
    }
}

/// The tree with a custom reading, compared with every other way. Each is tried with the vectors of
/// this processor and without.
pub fn answer_in(question: &Question<'_>, reading: Reading) -> Result<Answer, String> {
    verger_simd::prefer(Preference::Portable);
    let portable = answer_on_these_masks(question, reading);
    verger_simd::prefer(Preference::Best);
    let best = answer_on_these_masks(question, reading);
    assert_eq!(portable, best, "portable and best masks");
    best
}

fn answer_on_these_masks(question: &Question<'_>, reading: Reading) -> Result<Answer, String> {
    if question.agents.is_empty() {
        return Err("the question names no crawler".to_owned());
    }
    let names = question.agents.iter().map(String::as_str);
    let crawler = Crawler::named_in_order(names, reading).map_err(|error| error.to_string())?;
    let target = TargetPath::new(question.url, reading).map_err(|error| error.to_string())?;
    let (policy, verdict) = ask_every_way(question.robots, &crawler, &target, reading);
    ask_with_index(&policy, &target, verdict);
    Ok(answer_of(&verdict))
}

/// Converts a verdict to that of the test kit.
pub fn answer_of(verdict: &Verdict) -> Answer {
    Answer {
        allowed: verdict.is_allowed(),
        reason: match verdict.reason() {
            Reason::Rule => ReasonName::Rule,
            Reason::NoRuleMatched => ReasonName::NoRule,
            Reason::NoGroup => ReasonName::NoGroup,
            Reason::RobotsTxtItself => ReasonName::RobotsTxt,
        },
        line: verdict.line().map(verger::LineNumber::get),
        group: verdict.group().map(|group| GroupName {
            line: group.line.get(),
            named: group.named_by == NamedBy::Token,
        }),
    }
}

/// Returns the engine's dialect of that name.
pub fn dialect(name: DialectName) -> Dialect {
    name.as_str().parse().unwrap()
}
