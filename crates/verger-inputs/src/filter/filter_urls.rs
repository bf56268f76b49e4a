//! `filter_urls`: runs blocks of URLs through several threads and returns answers in order.

use std::io::{self, Read};
use std::num::NonZero;

use super::answers::{Answers, BlockAnswerer, FilterTerms};
use super::block::{Block, Blocks};
use super::filter_tally::FilterTally;
use crate::in_order::in_order;

/// Receives the output and the problems of a run, in line order.
pub trait FilterObserver: Send {
    /// Writes lines.
    ///
    /// # Errors
    ///
    /// An error ends the run.
    fn answered(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Reports a line that cannot be answered.
    fn unanswered(&mut self, _line: &UnansweredLine<'_>) {}

    /// Reports the number of URLs answered so far.
    fn counted(&mut self, _tally: &FilterTally) {}
}

/// A line that cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnansweredLine<'a> {
    /// The line number, from 1.
    pub number: u64,
    /// The reason in an annotated line: `not-a-url`, `unreadable-body` or `line-too-long`.
    pub kind: &'static str,
    /// The problem, as a sentence.
    pub message: &'a str,
}

/// The result of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Filtered {
    /// Number of URLs by result.
    pub tally: FilterTally,
    /// The first URL without a verdict because its authority has no body.
    pub without_body: Option<WithoutBody>,
    /// The result of reading the URLs. Everything read before an error was answered.
    pub read: io::Result<()>,
}

/// A URL whose authority has no body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WithoutBody {
    /// The line number, from 1.
    pub line: u64,
    /// The authority, as `scheme://host:port`.
    pub authority: String,
}

/// Input and output buffers, for reuse.
type Buffers = (Vec<u8>, Vec<u8>);

/// Answers all lines of `urls` in `threads` threads. The calling thread reads. Another thread calls
/// `observer`.
///
/// # Errors
///
/// Returns an error if `observer` fails.
pub fn filter_urls(
    urls: impl Read,
    terms: FilterTerms<'_>,
    threads: NonZero<usize>,
    observer: &mut impl FilterObserver,
) -> io::Result<Filtered> {
    let mut blocks = Blocks::of(urls);
    let mut taker = Taker {
        observer,
        tally: FilterTally::default(),
        lines: 0,
        without_body: None,
    };
    let ended = in_order(
        threads,
        |used: Option<Buffers>| {
            let (buffer, output) = used.unwrap_or_default();
            let block = blocks.next(buffer)?;
            Ok(block.map(|block| (block, output)))
        },
        || {
            let mut answerer = BlockAnswerer::of(terms);
            move |(block, output): (Block, Vec<u8>)| answerer.answer(block, output)
        },
        |answers| taker.take(answers),
    );
    ended.taken?;
    Ok(Filtered {
        tally: taker.tally,
        without_body: taker.without_body,
        read: ended.read,
    })
}

/// Takes answers in order.
struct Taker<'o, O> {
    observer: &'o mut O,
    tally: FilterTally,
    /// Number of lines before the current block.
    lines: u64,
    without_body: Option<WithoutBody>,
}

impl<O: FilterObserver> Taker<'_, O> {
    fn take(&mut self, answers: Answers) -> io::Result<Buffers> {
        self.observer.answered(&answers.output)?;
        for complaint in &answers.complaints {
            self.observer.unanswered(&UnansweredLine {
                number: self.lines + complaint.line,
                kind: complaint.kind,
                message: &complaint.message,
            });
        }
        if let (None, Some(first)) = (&self.without_body, answers.without_body) {
            self.without_body = Some(WithoutBody {
                line: self.lines + first.line,
                authority: first.message,
            });
        }
        self.lines += answers.lines;
        self.tally += answers.tally;
        self.observer.counted(&self.tally);
        Ok((answers.buffer, answers.output))
    }
}
