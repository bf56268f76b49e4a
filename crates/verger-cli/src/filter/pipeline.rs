//! Blocks through several threads, and their answers in order.
//!
//! ```text
//! reader ─→ jobs ─→ workers ─→ answers of a block ─┐
//!    └─────────→ pending answers, in order ────────┴─→ printer ─→ buffers, back to the reader
//! ```
//!
//! Every channel is bounded, so the reader waits while the printer does. For every block the reader
//! makes a channel with room for one message: the worker that takes the block sends its answers
//! there, and the printer receives from these channels in the order of the blocks.

use std::io::{self, Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::answers::{Answers, BlockAnswerer, Terms};
use super::block::{Block, Blocks};
use super::progress::FilterProgress;
use super::tally::Tally;
use crate::count_of::CountOf;
use crate::input::{InputError, Source};
use crate::notice;

/// What is to be filtered.
pub(super) struct Urls {
    pub(super) source: Source,
    pub(super) input: Box<dyn Read>,
}

/// A block, the buffer for its answers, and the channel to the printer.
struct Job {
    block: Block,
    output: Vec<u8>,
    answers: SyncSender<Answers>,
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
    let (jobs, job_queue) = sync_channel(threads.get());
    let (pending, pending_queue) = sync_channel(2 * threads.get());
    let (used, spare) = channel();
    let job_queue = Mutex::new(job_queue);
    let name = urls.source.to_string();
    let (read, printed) = thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| work(&job_queue, terms));
        }
        let printer = Printer {
            source: name,
            progress,
            tally: Tally::default(),
            lines: 0,
            without_body: None,
        };
        let printing = scope.spawn(move || printer.print_all(&pending_queue, &used));
        let read = feed(urls.input, &jobs, &pending, &spare);
        drop((jobs, pending));
        (read, printing.join())
    });
    let tally = printed
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        .map_err(PipelineError::Output)?;
    match read {
        Ok(()) => Ok(tally),
        Err(error) => Err(PipelineError::Unreadable(urls.source.unreadable(error))),
    }
}

/// Reads blocks until the end, or until the printing thread has stopped.
fn feed(
    input: Box<dyn Read>,
    jobs: &SyncSender<Job>,
    pending: &SyncSender<Receiver<Answers>>,
    spare: &Receiver<Buffers>,
) -> io::Result<()> {
    let mut blocks = Blocks::of(input);
    loop {
        let (buffer, output) = spare.try_recv().unwrap_or_default();
        let Some(block) = blocks.next(buffer)? else {
            return Ok(());
        };
        let (answers, next_pending) = sync_channel(1);
        let job = Job {
            block,
            output,
            answers,
        };
        if pending.send(next_pending).is_err() || jobs.send(job).is_err() {
            return Ok(());
        }
    }
}

/// Answers blocks until there are no more.
fn work(jobs: &Mutex<Receiver<Job>>, terms: Terms<'_>) {
    let mut answerer = BlockAnswerer::of(terms);
    let next = || {
        let jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.recv()
    };
    while let Ok(job) = next() {
        let answers = answerer.answer(job.block, job.output);
        // If the printing thread has stopped, the reader will stop.
        let _ = job.answers.send(answers);
    }
}

/// Prints answers in order, and says what could not be answered.
struct Printer {
    source: String,
    progress: FilterProgress,
    tally: Tally,
    /// How many lines came before the current block.
    lines: u64,
    /// The first line whose authority has no body, and that authority.
    without_body: Option<(u64, String)>,
}

impl Printer {
    fn print_all(
        mut self,
        pending: &Receiver<Receiver<Answers>>,
        used: &Sender<Buffers>,
    ) -> io::Result<Tally> {
        let mut stdout = io::stdout().lock();
        // A channel without answers is that of a thread that panicked; the scope reports it.
        while let Ok(Ok(answers)) = pending.recv().map(|block| block.recv()) {
            stdout.write_all(&answers.output)?;
            stdout.flush()?;
            let buffers = self.note(answers);
            // The reader may have ended.
            let _ = used.send(buffers);
        }
        self.progress.finish(&self.tally);
        self.report_missing();
        Ok(self.tally)
    }

    fn note(&mut self, answers: Answers) -> Buffers {
        for complaint in &answers.complaints {
            let line = self.lines + complaint.line;
            notice::error(format!(
                "{}, line {line}: {}",
                self.source, complaint.message
            ));
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
