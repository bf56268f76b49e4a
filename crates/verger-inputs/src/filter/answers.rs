//! Answers a block: the output lines, and complaints about the other lines.

use crate::rulebook::Found;
use verger::Effect;
use verger_answer::ReadTargets;

use super::block::{Block, Ending, URL_BYTES_MAX};
use super::filter_lines::{FilterLines, UrlResult};
use super::filter_tally::FilterTally;
use super::rule_source::{RuleSource, RulesLookup};

/// The rules of a run, and how to read URLs and print answers.
#[derive(Clone, Copy, Debug)]
pub struct FilterTerms<'r> {
    /// The rules.
    pub rules: &'r RuleSource,
    /// The verdict for a URL whose authority has no body. If `None`, such URLs are not answered.
    pub missing: Option<Effect>,
    /// The lines to print.
    pub lines: &'r FilterLines,
}

/// The answers to a block. Line numbers start at 1 in each block.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) output: Vec<u8>,
    pub(super) tally: FilterTally,
    pub(super) lines: u64,
    pub(super) complaints: Vec<Complaint>,
    /// The first line whose authority has no body, and that authority.
    pub(super) without_body: Option<Complaint>,
    /// The buffer of the block, for reuse.
    pub(super) buffer: Vec<u8>,
}

/// A problem with a line.
pub(super) struct Complaint {
    pub(super) line: u64,
    /// The reason shown in an annotated line.
    pub(super) kind: &'static str,
    pub(super) message: String,
}

/// Answers blocks one after the other.
pub(super) struct BlockAnswerer<'r> {
    terms: FilterTerms<'r>,
    lookup: RulesLookup<'r>,
}

impl<'r> BlockAnswerer<'r> {
    pub(super) fn of(terms: FilterTerms<'r>) -> Self {
        Self {
            terms,
            lookup: RulesLookup::of(terms.rules),
        }
    }

    /// Answers a block. `output` is a buffer to reuse.
    pub(super) fn answer(&mut self, block: Block, mut output: Vec<u8>) -> Answers {
        output.clear();
        let mut answers = Answers {
            output,
            ..Answers::default()
        };
        let mut rest = block.lines();
        while !rest.is_empty() {
            let bytes = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, after) = rest.split_at(bytes);
            rest = after;
            answers.lines += 1;
            self.answer_line(line, &mut answers);
        }
        if block.ending() == Ending::TooLongLine {
            answers.lines += 1;
            self.refuse_long_line(&mut answers);
        }
        answers.buffer = block.into_buffer();
        answers
    }

    fn answer_line(&mut self, line: &[u8], answers: &mut Answers) {
        let url = line.trim_ascii();
        if url.is_empty() {
            return;
        }
        if url.len() > URL_BYTES_MAX {
            return self.refuse_long_line(answers);
        }
        let printed = self.terms.lines;
        let print = |answers: &mut Answers, result, word| {
            answers.tally.count(result);
            printed.print_without_rules(line, url, result, word, &mut answers.output);
        };
        let refuse = |answers: &mut Answers, word, message| {
            print(answers, UrlResult::Unanswered, word);
            answers.complain(word, message);
        };
        match self.lookup.found(url) {
            Ok(Found::Rules(rules)) => match ReadTargets::new(url, printed.readings()) {
                Ok(targets) => {
                    let output = &mut answers.output;
                    let result = printed.print_by_rules(line, url, rules, &targets, output);
                    answers.tally.count(result);
                }
                Err(error) => refuse(answers, "not-a-url", error.to_string()),
            },
            Ok(Found::NoBody) => {
                if let Err(error) = ReadTargets::new(url, printed.readings()) {
                    return refuse(answers, "not-a-url", error.to_string());
                }
                let effect = self.terms.missing;
                let result = UrlResult::WithoutBody(effect);
                print(answers, result, "no-body");
                if effect.is_none() && answers.without_body.is_none() {
                    let authority = self.lookup.authority().to_owned();
                    answers.without_body = Some(answers.complaint("no-body", authority));
                }
            }
            Ok(Found::Unreadable(error)) => {
                refuse(answers, "unreadable-body", error.to_string());
            }
            Err(error) => refuse(answers, "not-a-url", error.to_string()),
        }
    }

    /// Reports a line that was too long to keep.
    fn refuse_long_line(&self, answers: &mut Answers) {
        let (result, word) = (UrlResult::Unanswered, "line-too-long");
        answers.tally.count(result);
        let printed = self.terms.lines;
        printed.print_without_rules(b"", b"", result, word, &mut answers.output);
        answers.complain(
            word,
            format!("the line is longer than {URL_BYTES_MAX} bytes"),
        );
    }
}

impl Answers {
    fn complain(&mut self, kind: &'static str, message: String) {
        let complaint = self.complaint(kind, message);
        self.complaints.push(complaint);
    }

    fn complaint(&self, kind: &'static str, message: String) -> Complaint {
        let line = self.lines;
        Complaint {
            line,
            kind,
            message,
        }
    }
}
