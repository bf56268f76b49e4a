//! Answers for people: one line an answer, aligned, in colour on a terminal.

use std::io::{self, Write};

use verger::{Effect, Reason, RobotsTxt, Verdict};
use verger_answer::{CheckAnswer, CheckResult, Explaining, ResolvedCrawler};

use super::human_access::{because_of_stance, copy_of, write_authority};
use super::human_explanation::write_explanation;
use crate::octet_text::legible;
use crate::palette;
use crate::rendering::Rendering;

/// The widest that a column gets, in characters; a longer cell is not aligned.
const COLUMN_WIDTH_MAX: usize = 72;

/// Writes lines for people.
pub(super) struct Human<W> {
    output: W,
    crawler_width: Option<usize>,
    url_width: usize,
    explaining: Explaining,
}

impl<W: Write> Human<W> {
    /// `url_width` is the width that the URLs known so far take.
    pub(super) fn new(
        crawlers: &[ResolvedCrawler],
        explaining: Explaining,
        output: W,
        url_width: usize,
    ) -> Self {
        let width = |crawler: &ResolvedCrawler| crawler.label().chars().count();
        let widest = crawlers.iter().map(width).max();
        Self {
            output,
            crawler_width: widest.filter(|_| crawlers.len() > 1),
            url_width: url_width.min(COLUMN_WIDTH_MAX),
            explaining,
        }
    }

    fn write_result(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        let (style, word) = match answer.result.effect() {
            Some(Effect::Allow) => (palette::ALLOWED, "allowed"),
            Some(Effect::Disallow) => (palette::DISALLOWED, "disallowed"),
            None => (palette::MARKED, "unknown"),
        };
        let url = legible(answer.url);
        // A list is read as it comes, so its column grows with the URLs seen.
        self.url_width = self
            .url_width
            .max(url.chars().count().min(COLUMN_WIDTH_MAX));
        write!(self.output, "{style}{word:<10}{style:#}  ")?;
        if let Some(width) = self.crawler_width {
            let label = answer.crawler.resolved().label();
            write!(self.output, "{label:<width$}  ")?;
        }
        let width = self.url_width;
        write!(self.output, "{url:<width$}   ")?;
        let faint = palette::FAINT;
        let because = because(answer);
        match beside(answer) {
            Some(beside) => writeln!(self.output, "{because}   {faint}({beside}){faint:#}"),
            None => writeln!(self.output, "{because}"),
        }
    }
}

/// What is printed after a reason: the group, how old the rules are where that matters, and how the
/// URL is sent where it is not sent as it was written.
fn beside(answer: &CheckAnswer<'_>) -> Option<String> {
    let CheckResult::Rules(verdict) = &answer.result else {
        return None;
    };
    if matches!(verdict.reason(), Reason::RobotsTxtItself) {
        return None;
    }
    let sent = answer.sent_as.as_ref();
    let sent = sent.map(|sent| format!("sent as {}", legible(sent.as_bytes())));
    let group = verdict.group().map(|group| {
        let name = answer.crawler.group_name();
        format!("group at line {}, {name}", group.line)
    });
    let copy = answer.lookup.and_then(copy_of);
    let star = answer
        .ignored_star
        .map(|line| format!("it ignores the * group at line {line}"));
    let other_limit = answer.at_other_limit.map(|other| other.to_string());
    let beside = group.into_iter().chain(star).chain(copy);
    let beside: Vec<_> = beside.chain(sent).chain(other_limit).collect();
    (!beside.is_empty()).then(|| beside.join("; "))
}

/// Why that is the answer, in words.
pub(super) fn because(answer: &CheckAnswer<'_>) -> String {
    match &answer.result {
        CheckResult::Rules(verdict) => because_of_rules(verdict, answer.file.robots()),
        CheckResult::Stance { last_known, .. } => {
            let state = answer.lookup.and_then(|lookup| lookup.state.as_ref());
            let because = state.map(because_of_stance).unwrap_or_default();
            match last_known {
                Some(verdict) => {
                    let word = match verdict.effect() {
                        Effect::Allow => "allowed",
                        Effect::Disallow => "disallowed",
                    };
                    let why = because_of_rules(verdict, answer.file.robots());
                    format!("{because}; by its last known file {word}, {why}")
                }
                None => because,
            }
        }
        // `Unknown`; the enum may grow.
        _ => {
            let authority = answer.lookup.map(|lookup| lookup.authority.to_string());
            let authority = authority.unwrap_or_default();
            format!("nothing is known about {authority}")
        }
    }
}

fn because_of_rules(verdict: &Verdict, robots: &RobotsTxt) -> String {
    match verdict.reason() {
        Reason::Rule => {
            let record = verdict.line().and_then(|line| robots.record_at(line));
            record.map_or_else(String::new, |record| {
                format!("line {}: {}", record.line(), legible(record.text()))
            })
        }
        Reason::NoRuleMatched => "no rule matches".to_owned(),
        Reason::NoGroup => "no group applies to this crawler".to_owned(),
        Reason::RobotsTxtItself => "/robots.txt itself".to_owned(),
    }
}

impl<W: Write> Rendering<CheckAnswer<'_>> for Human<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.write_result(answer)?;
        if self.explaining == Explaining::No {
            return Ok(());
        }
        if let Some(lookup) = answer.lookup {
            write_authority(&mut self.output, lookup)?;
        }
        match &answer.explanation {
            Some(explanation) => write_explanation(&mut self.output, answer, explanation),
            None => writeln!(self.output),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
