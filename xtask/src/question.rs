//! A question to the engine, with an answer that fits a verdict file.

use std::fmt;

use verger::{Crawler, LineNumber, RobotsTxt, TargetPath};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The verdict, and the line of the rule that applied, if any.
    Decided { allowed: bool, line: Option<u32> },
    /// The question is invalid in this dialect.
    Refused(Refusal),
}

/// The invalid part of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Agent(String),
    Url(String),
}

/// Asks about a crawler with these names in order of preference.
pub(crate) fn ask(robots: &RobotsTxt, agents: &[String], url: &[u8]) -> Answer {
    let names = agents.iter().map(String::as_str);
    let crawler = Crawler::named_in_order(names, robots.dialect());
    ask_for(robots, crawler.map_err(|it| it.to_string()), url)
}

/// Asks about a crawler with all these names at once, as Google's library does.
pub(crate) fn ask_union(robots: &RobotsTxt, agents: &[String], url: &[u8]) -> Answer {
    let names = agents.iter().map(String::as_str);
    let crawler = Crawler::union(names, robots.dialect());
    ask_for(robots, crawler.map_err(|it| it.to_string()), url)
}

fn ask_for(robots: &RobotsTxt, crawler: Result<Crawler, String>, url: &[u8]) -> Answer {
    let crawler = match crawler {
        Ok(crawler) => crawler,
        Err(sentence) => return Answer::Refused(Refusal::Agent(sentence)),
    };
    let target = match TargetPath::new(url, robots.dialect()) {
        Ok(target) => target,
        Err(error) => return Answer::Refused(Refusal::Url(error.to_string())),
    };
    let policy = robots.policy(&crawler);
    let verdict = policy.decide(&target);
    Answer::Decided {
        allowed: verdict.is_allowed(),
        line: verdict.line().map(LineNumber::get),
    }
}

/// Whether `answer` is the verdict of Google's library.
///
/// `google_line` is its `matching_line()`: 0 if nothing matched, or else the line of a rule. It may name an empty
/// rule, which has no effect here. V-26.
pub(crate) fn is_googles(
    answer: &Answer,
    robots: &RobotsTxt,
    google_allowed: bool,
    google_line: u32,
) -> bool {
    let &Answer::Decided { allowed, line } = answer else {
        return false;
    };
    let line_agrees = match line {
        Some(line) => line == google_line,
        None => google_line == 0 || is_empty_rule(robots, google_line),
    };
    allowed == google_allowed && line_agrees
}

pub(crate) fn is_empty_rule(robots: &RobotsTxt, line: u32) -> bool {
    LineNumber::new(line)
        .and_then(|line| robots.record_at(line))
        .and_then(|record| record.as_rule())
        .is_some_and(|rule| rule.pattern().is_empty())
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided { allowed, line } => {
                f.write_str(effect(*allowed))?;
                match line {
                    Some(line) => write!(f, " by line {line}"),
                    None => f.write_str(" by no rule"),
                }
            }
            Self::Refused(Refusal::Agent(sentence) | Refusal::Url(sentence)) => {
                write!(f, "refused: {sentence}")
            }
        }
    }
}

pub(crate) fn effect(allowed: bool) -> &'static str {
    if allowed { "allow" } else { "disallow" }
}
