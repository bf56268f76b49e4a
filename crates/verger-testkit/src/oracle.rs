//! A slow transcription of the documents: a second, plain reading of all four dialects.
//!
//! It consists of lists, loops and clauses. It shares no code with the engine and never calls it,
//! so if both agree, two independent readings agree. Its time is at most proportional to (bytes of
//! the rules) × (bytes of the target).
//!
//! Data flows one way: `lines → records → groups → selection`, `URL → target`, and
//! `(selection, target) → decision`. `preferences` joins the values of two other records.

mod decision;
mod decoded_form;
mod escaped_form;
mod groups;
mod lines;
#[cfg(test)]
mod path_vectors;
mod percent_bytes;
mod preferences;
mod product_token;
mod records;
mod selection;
mod target;
mod unit_form;
#[cfg(test)]
mod vectors;
mod wildcard;

use crate::subject::{Answer, GroupName, Question, ReasonName, Subject};
use decision::Decision;
pub use preferences::Preferences;
use records::Record;

/// The slow oracle. It answers every question from the body alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oracle;

impl Oracle {
    /// Returns the preferences of the body about the uses of the URL's content.
    ///
    /// # Errors
    ///
    /// Returns an error if [`Subject::answer`] does.
    pub fn preferences(&self, question: &Question<'_>) -> Result<Preferences, String> {
        let lines = lines::read(question.robots, question.dialect);
        let records = records::read(&lines, question.dialect);
        let is_allowed = answer(question, &records)?.allowed;
        preferences::of(question, &lines, &records, is_allowed)
    }
}

/// The oracle with lenient lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct LenientOracle;

impl Subject for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        let lines = lines::read(question.robots, question.dialect);
        answer(question, &records::read(&lines, question.dialect))
    }
}

impl Subject for LenientOracle {
    fn name(&self) -> &'static str {
        "oracle with lenient lines"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        let lines = lines::read(question.robots, question.dialect);
        answer(question, &records::read_leniently(&lines))
    }
}

fn answer(question: &Question<'_>, records: &[Record]) -> Result<Answer, String> {
    let dialect = question.dialect;
    product_token::check(question.agents, dialect)?;
    let target = target::of(question.url, dialect)?;
    let is_exempt = decision::is_exempt(&target, dialect);

    let groups = groups::assemble(records, dialect);
    let Some(selection) = selection::select(&groups, question.agents, dialect) else {
        // "If no group matches the product token and there is no group with a user-agent
        // line with the "*" value […] no rules apply."                R9309-2.2.1-11
        let reason = if is_exempt {
            ReasonName::RobotsTxt
        } else {
            ReasonName::NoGroup
        };
        return Ok(allowed(reason, None));
    };

    let group = Some(GroupName {
        line: selection.first_line(),
        named: selection.is_named(),
    });
    // "The /robots.txt URI is implicitly allowed."                    R9309-2.2.2-8
    if is_exempt {
        return Ok(allowed(ReasonName::RobotsTxt, group));
    }
    Ok(
        match decision::decide(selection.rules(), &target, dialect) {
            Decision::ByRule { line, allowed } => Answer {
                allowed,
                reason: ReasonName::Rule,
                line: Some(line),
                group,
            },
            // "If no match is found […] the URI is allowed."              R9309-2.2.2-7, K96M-1
            Decision::NoRuleMatched => allowed(ReasonName::NoRule, group),
        },
    )
}

fn allowed(reason: ReasonName, group: Option<GroupName>) -> Answer {
    Answer {
        allowed: true,
        reason,
        line: None,
        group,
    }
}
