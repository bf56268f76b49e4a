//! Explanations for people: the group as written, the other matching rules, and dialects that answer differently.

use std::io::{self, Write};
use std::iter;

use verger::{Group, GroupMatch, Line, LineNumber, Reason, Verdict};
use verger_answer::{Candidate, CheckAnswer, CountOf, Explanation, OtherAnswer};

use crate::screen::byte_text::legible;
use crate::screen::palette::{self, FAINT, HEADING, MARKED};

/// Maximum number of lines of a group that is shown whole. A longer group is cut to the lines
/// around matching rules.
const GROUP_LINES_MAX: usize = 40;

/// Number of lines shown on either side of a matching rule.
const NEIGHBOURS: u32 = 2;

pub(super) fn write_explanation(
    output: &mut impl Write,
    answer: &CheckAnswer<'_>,
    explanation: &Explanation<'_>,
) -> io::Result<()> {
    let robots = answer.file.robots();
    let crawler = answer.crawler.resolved().crawler();
    if let Some(found) = robots.groups_for(crawler) {
        write_groups(output, answer, &found, &explanation.candidates)?;
    }
    let others = explanation.candidates.iter();
    let others: Vec<_> = others.filter(|rule| !rule.status.decides()).collect();
    if !others.is_empty() {
        writeln!(output, "\n  {HEADING}other rules that match{HEADING:#}")?;
        let width = others.iter().map(|rule| legible(rule.text).chars().count());
        let width = width.max().unwrap_or(0);
        for rule in others {
            let (line, text) = (rule.line, legible(rule.text));
            let (bytes, why) = (bytes(rule.bytes), rule.status);
            let why = format!("{bytes}: {why}");
            writeln!(
                output,
                "  {line:>6}  {text:<width$}   {FAINT}{why}{FAINT:#}"
            )?;
        }
    }
    write_dialects(output, &explanation.others)?;
    writeln!(output)
}

fn write_groups(
    output: &mut impl Write,
    answer: &CheckAnswer<'_>,
    found: &GroupMatch<'_, '_>,
    candidates: &[Candidate<'_>],
) -> io::Result<()> {
    let name = answer.crawler.group_name();
    let matching = MatchingLines::of(candidates);
    // Groups come in file order, so one pass over the lines is enough.
    let mut lines = answer.file.robots().lines().peekable();
    for group in found.groups() {
        let line = group.line();
        writeln!(
            output,
            "\n  {HEADING}group at line {line}{HEADING:#} {FAINT}({name}){FAINT:#}"
        )?;
        let last = group.records().next_back().map(|record| record.line());
        let last = last.unwrap_or(line);
        while lines.next_if(|next| next.number() < line).is_some() {}
        let within = iter::from_fn(|| lines.next_if(|next| next.number() <= last));
        write_group(output, group, &within.collect::<Vec<_>>(), &matching)?;
    }
    Ok(())
}

fn write_group(
    output: &mut impl Write,
    group: &Group<'_>,
    lines: &[Line<'_>],
    matching: &MatchingLines<'_>,
) -> io::Result<()> {
    let is_long = lines.len() > GROUP_LINES_MAX;
    let mut left_out = 0;
    for line in lines {
        let number = line.number();
        if is_long && !are_neighbours(number, group.line()) && !matching.are_near(number) {
            left_out += 1;
            continue;
        }
        write_left_out(output, &mut left_out)?;
        write_line(output, line, matching.deciding)?;
    }
    write_left_out(output, &mut left_out)
}

struct MatchingLines<'a> {
    sorted: Vec<LineNumber>,
    deciding: Option<&'a Candidate<'a>>,
}

impl<'a> MatchingLines<'a> {
    fn of(candidates: &'a [Candidate<'a>]) -> Self {
        let mut sorted: Vec<_> = candidates.iter().map(|rule| rule.line).collect();
        sorted.sort_unstable();
        Self {
            sorted,
            deciding: candidates.iter().find(|rule| rule.status.decides()),
        }
    }

    fn are_near(&self, line: LineNumber) -> bool {
        let after = self.sorted.partition_point(|&matching| matching < line);
        let nearest = self.sorted[..after].iter().next_back();
        let nearest = nearest.into_iter().chain(self.sorted.get(after));
        nearest.copied().any(|near| are_neighbours(line, near))
    }
}

fn are_neighbours(line: LineNumber, other: LineNumber) -> bool {
    line.get().abs_diff(other.get()) <= NEIGHBOURS
}

fn write_left_out(output: &mut impl Write, left_out: &mut usize) -> io::Result<()> {
    match std::mem::take(left_out) {
        0 => Ok(()),
        number => {
            let lines = CountOf(number, "line", "lines");
            writeln!(output, "  {FAINT}     …  {lines}{FAINT:#}")
        }
    }
}

fn write_line(
    output: &mut impl Write,
    line: &Line<'_>,
    deciding: Option<&Candidate<'_>>,
) -> io::Result<()> {
    let number = line.number();
    let text = legible(line.bytes());
    match deciding.filter(|rule| rule.line == number) {
        Some(rule) => {
            let style = palette::of(rule.effect);
            let bytes = bytes(rule.bytes);
            writeln!(
                output,
                "{style}>{style:#} {MARKED}{number:>6}  {text}{MARKED:#}   \
                 {FAINT}{bytes}: decides{FAINT:#}"
            )
        }
        None if text.is_empty() => writeln!(output, "  {number:>6}"),
        None => writeln!(output, "  {number:>6}  {text}"),
    }
}

fn write_dialects(output: &mut impl Write, others: &[OtherAnswer<'_>]) -> io::Result<()> {
    if others.is_empty() {
        return writeln!(
            output,
            "\n  {FAINT}the other dialects give the same answer{FAINT:#}"
        );
    }
    writeln!(output, "\n  {HEADING}other answers in{HEADING:#}")?;
    for other in others {
        let dialect = other.dialect;
        let why = &other.difference;
        write!(output, "  {dialect:<10}  ")?;
        match &other.verdict {
            Some(verdict) => write_verdict(output, verdict)?,
            None => write!(output, "-")?,
        }
        match why.clause() {
            Some(clause) => writeln!(output, "   {why} {FAINT}({clause}){FAINT:#}")?,
            None => writeln!(output, "   {why}")?,
        }
    }
    Ok(())
}

fn write_verdict(output: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let effect = verdict.effect();
    let style = palette::of(effect);
    let word = if verdict.is_allowed() {
        "allowed"
    } else {
        "disallowed"
    };
    write!(output, "{style}{word}{style:#}")?;
    match (verdict.line(), verdict.reason()) {
        (Some(line), _) => write!(output, ", line {line}"),
        (None, Reason::RobotsTxtItself) => write!(output, ", /robots.txt itself"),
        (None, Reason::NoGroup) => write!(output, ", no group applies to this crawler"),
        (None, Reason::NoRuleMatched | Reason::Rule) => write!(output, ", no rule matches"),
    }
}

fn bytes(number: u32) -> String {
    CountOf(number, "byte", "bytes").to_string()
}
