//! Answers for people: one line an answer, aligned, in colour on a terminal.

use std::io::{self, Write};

use verger::{Reason, Verdict};
use verger_answer::{AuthorityLookup, CheckAnswer, CheckResult, Explaining, ResolvedCrawler};

use super::human_access::write_authority;
use super::human_explanation::write_explanation;
use super::human_page::write_page;
use crate::screen::byte_text::legible;
use crate::screen::palette;
use crate::screen::rendering::Rendering;

/// Maximum width of a column, in characters. Longer cells are not aligned.
const COLUMN_WIDTH_MAX: usize = 72;

pub(super) struct Human<W> {
    output: W,
    crawler_width: Option<usize>,
    url_width: usize,
    explaining: Explaining,
}

impl<W: Write> Human<W> {
    /// Creates a writer. `url_width` is the width of the URLs known so far.
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
        let (style, word) = (palette::of(answer.result.effect()), answer.word());
        let url = legible(answer.url);
        // A list is read as it comes, so its column grows.
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
        let because = answer.because();
        match beside(answer, self.explaining) {
            Some(beside) => writeln!(self.output, "{because}   {faint}({beside}){faint:#}"),
            None => writeln!(self.output, "{because}"),
        }
    }
}

/// Returns facts about the deciding rules, the delay, and preferences about the use that is asked
/// about, or about all in an explanation.
fn beside(answer: &CheckAnswer<'_>, explaining: Explaining) -> Option<String> {
    let mut beside = match &answer.result {
        CheckResult::Rules(verdict) if verdict.reason() != Reason::RobotsTxtItself => {
            about_rules(answer, verdict)
        }
        _ => Vec::new(),
    };
    beside.extend(answer.crawler.delay().map(|delay| delay.to_string()));
    let preferences = answer.preferences.as_ref();
    let preferences = preferences.filter(|it| it.asked.is_some() || explaining == Explaining::Yes);
    let preferences = preferences.map(ToString::to_string);
    beside.extend(preferences.filter(|text| !text.is_empty()));
    (!beside.is_empty()).then(|| beside.join("; "))
}

/// Returns the group, the age of the rules if it matters, and the URL as it is sent if that differs
/// from how it is written.
fn about_rules(answer: &CheckAnswer<'_>, verdict: &Verdict) -> Vec<String> {
    let sent = answer.sent_as.as_ref();
    let sent = sent.map(|sent| format!("sent as {}", legible(sent.as_bytes())));
    let group = verdict.group().map(|group| {
        let name = answer.crawler.group_name();
        format!("group at line {}, {name}", group.line)
    });
    let copy = answer.lookup.and_then(AuthorityLookup::copy_in_words);
    let star = answer
        .ignored_star
        .map(|line| format!("it ignores the * group at line {line}"));
    let other_limit = answer.at_other_limit.map(|other| other.to_string());
    let reads = answer.crawler.resolved().as_its_operator_reads();
    let about = group.into_iter().chain(reads).chain(star).chain(copy);
    about.chain(sent).chain(other_limit).collect()
}

impl<W: Write> Rendering<CheckAnswer<'_>> for Human<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        self.write_result(answer)?;
        if let Some(page) = &answer.page {
            write_page(&mut self.output, page, self.explaining)?;
        }
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
