//! J1c and J9: each real file once, with one question or several, as a crawler meets them.
//!
//! Repeating one file would train the branch predictor on it. Here thousands of others come between. Bodies and URLs
//! are loaded into the cache before the clock runs, because a crawler has just received the body and is about to
//! request the URLs.

use std::borrow::Cow;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::clock::{self, CpuInstant};
use crate::engine::{Files, Pass};
use crate::figure::{Block, Figure};
use crate::generator;
use crate::input::{Body, Input};
use crate::job::Job;
use crate::race::{Outcome, median};
use crate::report::with_commas;

/// Name, and minimum and maximum file size in bytes.
type Class = (&'static str, usize, usize);

const CLASSES: [Class; 4] = [
    ("to 1 KiB", 0, 1 << 10),
    ("1 to 10 KiB", (1 << 10) + 1, 10 << 10),
    ("10 to 100 KiB", (10 << 10) + 1, 100 << 10),
    ("over 100 KiB", (100 << 10) + 1, usize::MAX),
];

/// Bytes loaded into the cache and processed between two readings of the clock.
const BATCH_BYTES: usize = 256 << 10;

/// CPU time after which an engine's first pass is abandoned.
const FIRST_PASS_MAX: Duration = Duration::from_secs(120);

pub(crate) struct File<'c> {
    pub(crate) body: &'c Body,
    pub(crate) urls: Cow<'c, [String]>,
}

/// Maximum number of J9 questions per round. With many questions per file, only some files are used.
const QUESTIONS_MAX: usize = 200_000;

/// Returns all files, each with its URL, for J1c.
pub(crate) fn whole(files: &[Input]) -> Vec<File<'_>> {
    let files = files.iter().map(|file| File {
        body: &file.body,
        urls: Cow::Borrowed(&file.urls),
    });
    files.collect()
}

/// Returns files with `urls` URLs each, the same in every run, for J9.
pub(crate) fn with_urls(files: &[Input], urls: usize) -> Vec<File<'_>> {
    let mut order = generator::shuffled(files.len(), "cold hosts");
    order.truncate(QUESTIONS_MAX / urls);
    let file = |at: usize| {
        let Input { name, body, .. } = &files[at];
        File {
            body,
            urls: Cow::Owned(generator::urls_for_file(name, body.bytes(), urls)),
        }
    };
    order.into_iter().map(file).collect()
}

/// The result of the first pass: which files can be timed.
pub(crate) struct FirstPass {
    /// Number of allowed URLs per file, or `None` if the engine panicked.
    pub(crate) allowed: Vec<Option<usize>>,
    gave_up: bool,
}

/// Runs every file once, untimed, and catches panics.
pub(crate) fn first_pass(pass: &Pass<'_>, files: &[File<'_>], agent: &str) -> FirstPass {
    let start = CpuInstant::now();
    let mut first = FirstPass {
        allowed: Vec::with_capacity(files.len()),
        gave_up: false,
    };
    for file in files {
        let ask = || (pass.allowed_count)(&[(file.body, &file.urls)], agent);
        first.allowed.push(catch_unwind(AssertUnwindSafe(ask)).ok());
        if start.elapsed() > FIRST_PASS_MAX {
            first.gave_up = true;
            break;
        }
    }
    first
}

pub(crate) struct Measured<'m> {
    pub(crate) job: Job,
    /// Text before the name of a class.
    pub(crate) prefix: String,
    pub(crate) agent: &'m str,
    pub(crate) rounds: usize,
}

/// Returns a block per class, and one of all files.
pub(crate) fn blocks(
    passes: &[(Pass<'_>, FirstPass)],
    files: &[File<'_>],
    measured: &Measured<'_>,
) -> Vec<Block> {
    let by_class = CLASSES.map(|class| class_spans(class, passes, files, measured));
    let total = |at: usize, round: usize| by_class.iter().map(|spans| spans[at][round]).sum();
    let totals: Vec<Vec<Duration>> = (0..passes.len())
        .map(|at| (0..measured.rounds).map(|round| total(at, round)).collect())
        .collect();
    CLASSES
        .into_iter()
        .zip(&by_class)
        .chain([(("all", 0, usize::MAX), &totals)])
        .map(|(class, spans)| block(class, passes, files, (measured, spans)))
        .collect()
}

/// Returns CPU time by pass, then by round.
fn class_spans(
    class: Class,
    passes: &[(Pass<'_>, FirstPass)],
    files: &[File<'_>],
    measured: &Measured<'_>,
) -> Vec<Vec<Duration>> {
    let overhead = clock::overhead();
    let mut spans = vec![Vec::with_capacity(measured.rounds); passes.len()];
    for round in 0..measured.rounds {
        for turn in 0..passes.len() {
            let at = (round + turn) % passes.len();
            let (pass, first) = &passes[at];
            let files = in_class(files, first, class, round);
            spans[at].push(timed(pass, &files, measured.agent, overhead));
        }
    }
    spans
}

/// Returns the files of a class that do not make the engine panic, in the order of the round.
fn in_class<'c>(
    files: &'c [File<'_>],
    first: &FirstPass,
    (_, least, most): Class,
    round: usize,
) -> Vec<(&'c Body, &'c [String])> {
    let order = generator::shuffled(files.len(), &format!("round {round}"));
    let is_in = |&at: &usize| {
        let survives = !first.gave_up && first.allowed[at].is_some();
        survives && (least..=most).contains(&files[at].body.bytes().len())
    };
    let file = |at: usize| (files[at].body, &*files[at].urls);
    order.into_iter().filter(is_in).map(file).collect()
}

fn timed(pass: &Pass<'_>, files: &Files<'_>, agent: &str, overhead: Duration) -> Duration {
    let mut span = Duration::ZERO;
    let mut rest = files;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|(body, urls)| {
            bytes += body.bytes().len() + urls.iter().map(String::len).sum::<usize>();
            bytes <= BATCH_BYTES
        });
        let (batch, after) = rest.split_at(fits.count().max(1));
        rest = after;
        for (body, urls) in batch {
            touch(body.bytes());
            urls.iter().for_each(|url| touch(url.as_bytes()));
        }
        let start = CpuInstant::now();
        black_box((pass.allowed_count)(batch, agent));
        span += start.elapsed().saturating_sub(overhead);
    }
    span
}

fn touch(bytes: &[u8]) {
    let lines = bytes.iter().step_by(64);
    black_box(lines.fold(0_u8, |sum, byte| sum.wrapping_add(*byte)));
}

#[allow(clippy::cast_precision_loss)]
fn block(
    class: Class,
    passes: &[(Pass<'_>, FirstPass)],
    files: &[File<'_>],
    (measured, spans): (&Measured<'_>, &[Vec<Duration>]),
) -> Block {
    let of_class = |file: &&File<'_>| (class.1..=class.2).contains(&file.body.bytes().len());
    let sizes: Vec<usize> = files
        .iter()
        .filter(of_class)
        .map(|file| file.body.bytes().len())
        .collect();
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64;
    let figures = passes.iter().zip(spans).map(|((pass, first), spans)| {
        if first.gave_up {
            return Figure::of(&pass.label, Outcome::TooSlow(FIRST_PASS_MAX));
        }
        let asked = in_class(files, first, class, 0).len();
        let each = |span: &Duration| span.as_secs_f64() * 1e9 / asked.max(1) as f64;
        let nanoseconds = median(spans.iter().map(each).collect());
        let panics = sizes.len() - asked;
        Figure {
            remark: (panics > 0).then(|| format!("without {panics} files that make it panic")),
            ..Figure::of(&pass.label, Outcome::Nanoseconds(nanoseconds))
        }
    });
    let count = with_commas(&sizes.len().to_string());
    Block {
        job: measured.job.name(),
        input: format!("{}{}", measured.prefix, class.0),
        detail: format!(
            ", {count} files of {} B on average",
            with_commas(&format!("{mean:.0}"))
        ),
        reference: "verger",
        bytes_per_call: Some(mean),
        rules: None,
        figures: figures.collect(),
    }
}
