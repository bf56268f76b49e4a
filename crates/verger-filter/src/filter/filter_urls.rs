//! `filter_urls`: blocks of URLs through several threads, and their answers in order.

use std::io::{self, Read};
use std::num::NonZero;

use super::answers::{Answers, BlockAnswerer, FilterTerms};
use super::block::{Block, Blocks};
use super::filter_tally::FilterTally;
use crate::in_order::in_order;

/// Gets what a run has to write, to count and to report, in the order of the lines.
pub trait FilterObserver: Send {
    /// Writes lines.
    ///
    /// # Errors
    ///
    /// Where they cannot be written; the run ends then.
    fn answered(&mut self, lines: &[u8]) -> io::Result<()>;

    /// Reports a line that cannot be answered.
    fn unanswered(&mut self, _line: &UnansweredLine<'_>) {}

    /// Shows how many URLs were answered so far.
    fn counted(&mut self, _tally: &FilterTally) {}
}

/// A line that cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnansweredLine<'a> {
    /// Its number, counted from 1.
    pub number: u64,
    /// The word of an annotated line: `not-a-url`, `unreadable-body` or `line-too-long`.
    pub kind: &'static str,
    /// Why, as a sentence.
    pub message: &'a str,
}

/// The result of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Filtered {
    /// How many URLs had which result.
    pub tally: FilterTally,
    /// The first URL whose authority has no body, where no verdict was given for such URLs.
    pub without_body: Option<WithoutBody>,
    /// Whether the URLs were read to their end. All that was read was answered.
    pub read: io::Result<()>,
}

/// A URL whose authority has no body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WithoutBody {
    /// The number of its line, counted from 1.
    pub line: u64,
    /// As `scheme://host:port`.
    pub authority: String,
}

/// Buffers of a block and of its answers, to be used again.
type Buffers = (Vec<u8>, Vec<u8>);

/// Answers all of `urls`, one a line, in `threads` threads; the calling thread reads, and another one calls `observer`.
///
/// # Errors
///
/// Where `observer` cannot write.
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
    /// How many lines came before the current block.
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
