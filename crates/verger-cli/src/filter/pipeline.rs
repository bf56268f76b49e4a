//! Blocks of URLs through several threads, and their answers in order.

use std::io::{self, Read};
use std::num::NonZero;

use verger_answer::rulebook::in_order;

use super::answers::{Answers, BlockAnswerer, Terms};
use super::block::{Block, Blocks};
use super::progress::FilterProgress;
use super::tally::Tally;
use crate::count_of::CountOf;
use crate::input::{InputError, Source};
use crate::notice::{self, NoticeGroups};
use crate::octet_text::write_out;

/// What is to be filtered.
pub(super) struct Urls {
    pub(super) source: Source,
    pub(super) input: Box<dyn Read>,
}

/// Buffers of a block and of its answers, to be used again.
type Buffers = (Vec<u8>, Vec<u8>);

/// Why a run ended early.
pub(super) enum PipelineError {
    Unreadable(InputError),
    Output(io::Error),
}

/// Answers all of `urls` and prints the answers in order.
///
/// # Errors
///
/// Where the input cannot be read to its end, or the output not be written.
pub(super) fn run(
    urls: Urls,
    terms: Terms<'_>,
    threads: NonZero<usize>,
    progress: FilterProgress,
) -> Result<Tally, PipelineError> {
    let mut blocks = Blocks::of(urls.input);
    let mut printer = Printer {
        source: urls.source.to_string(),
        progress,
        tally: Tally::default(),
        lines: 0,
        complaints: NoticeGroups::errors([
            "more line cannot be answered",
            "more lines cannot be answered",
        ]),
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
        |answers| printer.print(answers),
    );
    ended.taken.map_err(PipelineError::Output)?;
    let tally = printer.finish();
    match ended.read {
        Ok(()) => Ok(tally),
        Err(error) => Err(PipelineError::Unreadable(urls.source.unreadable(error))),
    }
}

/// Prints answers in order, and says what could not be answered.
struct Printer {
    source: String,
    progress: FilterProgress,
    tally: Tally,
    /// How many lines came before the current block.
    lines: u64,
    complaints: NoticeGroups,
    /// The first line whose authority has no body, and that authority.
    without_body: Option<(u64, String)>,
}

impl Printer {
    fn print(&mut self, answers: Answers) -> io::Result<Buffers> {
        write_out(&answers.output)?;
        Ok(self.note(answers))
    }

    fn finish(mut self) -> Tally {
        self.progress.finish(&self.tally);
        self.report_missing();
        self.tally
    }

    fn note(&mut self, answers: Answers) -> Buffers {
        for complaint in &answers.complaints {
            let line = self.lines + complaint.line;
            let (source, message) = (&self.source, &complaint.message);
            let message = format_args!("{source}, line {line}: {message}");
            self.complaints.add(complaint.kind, message);
        }
        if let (None, Some(first)) = (&self.without_body, answers.without_body) {
            self.without_body = Some((self.lines + first.line, first.message));
        }
        self.lines += answers.lines;
        self.tally += answers.tally;
        self.progress.update(&self.tally);
        (answers.buffer, answers.output)
    }

    fn report_missing(&self) {
        if let Some((line, authority)) = &self.without_body {
            let urls = self.tally.without_body;
            notice::error(format!(
                "no robots.txt was given for {}; the first is on line {line}, of {authority} (see --missing)",
                CountOf(urls, "URL", "URLs")
            ));
        }
    }
}
