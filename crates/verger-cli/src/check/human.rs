//! Answers for readers: one line an answer, aligned, in colour on a terminal.

use std::io::{self, Write};

use verger::{Effect, Reason};

use super::answer::{Answer, Rendering};
use super::human_explanation::write_explanation;
use super::subject::{Asked, Subject};
use crate::octet_text::legible;
use crate::palette;

/// A column is not widened beyond so many characters; what is longer sticks out.
const COLUMN_WIDTH_MAX: usize = 72;

/// Writes lines for readers.
pub(super) struct Human<'s, W> {
    subject: &'s Subject,
    output: W,
    crawler_width: Option<usize>,
    url_width: usize,
}

impl<'s, W: Write> Human<'s, W> {
    /// `url_width` is the width that the URLs known so far take.
    pub(super) fn new(subject: &'s Subject, output: W, url_width: usize) -> Self {
        let width = |asked: &Asked| asked.crawler.label().chars().count();
        let widest = subject.crawlers.iter().map(width).max();
        Self {
            subject,
            output,
            crawler_width: widest.filter(|_| subject.crawlers.len() > 1),
            url_width: url_width.min(COLUMN_WIDTH_MAX),
        }
    }

    fn write_verdict(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        let effect = answer.verdict.effect();
        let style = palette::of(effect);
        let word = match effect {
            Effect::Allow => "allowed",
            Effect::Disallow => "disallowed",
        };
        let url = legible(answer.question.url());
        // A list is read as it comes, so its column grows with the URLs seen.
        self.url_width = self
            .url_width
            .max(url.chars().count().min(COLUMN_WIDTH_MAX));
        write!(self.output, "{style}{word:<10}{style:#}  ")?;
        if let Some(width) = self.crawler_width {
            let label = answer.asked.crawler.label();
            write!(self.output, "{label:<width$}  ")?;
        }
        let width = self.url_width;
        write!(self.output, "{url:<width$}   ")?;
        let faint = palette::FAINT;
        let because = because(answer, self.subject);
        match group(answer) {
            Some(group) => writeln!(self.output, "{because}   {faint}({group}){faint:#}"),
            None => writeln!(self.output, "{because}"),
        }
    }
}

fn group(answer: &Answer<'_>) -> Option<String> {
    if matches!(answer.verdict.reason(), Reason::RobotsTxtItself { .. }) {
        return None;
    }
    let line = answer.verdict.group()?.line;
    let name = &answer.asked.group_name;
    Some(format!("group at line {line}, {name}"))
}

fn because(answer: &Answer<'_>, subject: &Subject) -> String {
    match answer.verdict.reason() {
        Reason::Rule { rule, .. } => {
            let record = subject.robots.record_at(rule.line);
            let text = record.map(|record| legible(record.text()));
            format!("line {}: {}", rule.line, text.unwrap_or_default())
        }
        Reason::NoRuleMatched { .. } => "no rule matches".to_owned(),
        Reason::NoGroup => "no group speaks to it".to_owned(),
        Reason::RobotsTxtItself { .. } => "/robots.txt itself".to_owned(),
    }
}

impl<W: Write> Rendering for Human<'_, W> {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        self.write_verdict(answer)?;
        match &answer.explanation {
            Some(explanation) => {
                write_explanation(&mut self.output, self.subject, answer, explanation)
            }
            None => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
