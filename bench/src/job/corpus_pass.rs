//! J1c: each real file once, one question each, as a crawler meets them.
//!
//! Repeating one file lets the branch predictor learn it; here nobody sees a file twice before
//! thousands of others. The octets themselves, and those of the URL, are brought into the cache before
//! the clock runs: a crawler has just received the body, and is about to request the URL.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::clock::{self, CpuInstant};
use crate::engine::Engine;
use crate::figure::{Block, Figure};
use crate::generator;
use crate::input::{Body, Input};
use crate::job::Job;
use crate::race::{Outcome, median};
use crate::report::with_commas;

/// Name, and the least and most octets of a file.
type Class = (&'static str, usize, usize);

const CLASSES: [Class; 4] = [
    ("to 1 KiB", 0, 1 << 10),
    ("1 to 10 KiB", (1 << 10) + 1, 10 << 10),
    ("10 to 100 KiB", (10 << 10) + 1, 100 << 10),
    ("over 100 KiB", (100 << 10) + 1, usize::MAX),
];

/// Octets that are brought into the cache and asked about between two looks at the clock.
const BATCH_OCTETS: usize = 256 << 10;

/// CPU time after which an engine's first pass is given up.
const FIRST_PASS_MAX: Duration = Duration::from_secs(120);

type Files<'c> = Vec<(&'c Body, &'c str)>;

/// What the first pass found: who can be timed on what.
pub(crate) struct FirstPass {
    /// The verdict of each file; `None` where the engine panicked or refused.
    pub(crate) verdicts: Vec<Option<bool>>,
    panicked: Vec<bool>,
    gave_up: bool,
}

/// Asks every file once, not timed, ready for panics.
pub(crate) fn first_pass(engine: &dyn Engine, files: &[Input], agent: &str) -> FirstPass {
    let start = CpuInstant::now();
    let mut pass = FirstPass {
        verdicts: Vec::with_capacity(files.len()),
        panicked: Vec::with_capacity(files.len()),
        gave_up: false,
    };
    for file in files {
        let ask = || engine.allowed(&file.body, agent, &file.urls[0]);
        let asked = catch_unwind(AssertUnwindSafe(ask));
        pass.panicked.push(asked.is_err());
        pass.verdicts.push(asked.unwrap_or(None));
        if start.elapsed() > FIRST_PASS_MAX {
            pass.gave_up = true;
            break;
        }
    }
    pass
}

/// A block per class, and one of all files.
pub(crate) fn blocks(
    engines: &[(&dyn Engine, FirstPass)],
    files: &[Input],
    agent: &str,
    rounds: usize,
) -> Vec<Block> {
    let by_class = CLASSES.map(|class| class_spans(class, engines, files, agent, rounds));
    let total = |at: usize, round: usize| by_class.iter().map(|spans| spans[at][round]).sum();
    let totals: Vec<Vec<Duration>> = (0..engines.len())
        .map(|at| (0..rounds).map(|round| total(at, round)).collect())
        .collect();
    CLASSES
        .into_iter()
        .zip(&by_class)
        .chain([(("all", 0, usize::MAX), &totals)])
        .map(|(class, spans)| block(class, engines, files, spans))
        .collect()
}

/// CPU time by engine, then by round.
fn class_spans(
    class: Class,
    engines: &[(&dyn Engine, FirstPass)],
    files: &[Input],
    agent: &str,
    rounds: usize,
) -> Vec<Vec<Duration>> {
    let overhead = clock::overhead();
    let mut spans = vec![Vec::with_capacity(rounds); engines.len()];
    for round in 0..rounds {
        for turn in 0..engines.len() {
            let at = (round + turn) % engines.len();
            let (engine, first_pass) = &engines[at];
            let files = in_class(files, first_pass, class, round);
            spans[at].push(timed(*engine, &files, agent, overhead));
        }
    }
    spans
}

/// The files of a class that the engine survives, in the order of the round.
fn in_class<'c>(
    files: &'c [Input],
    pass: &FirstPass,
    (_, least, most): Class,
    round: usize,
) -> Files<'c> {
    let order = generator::shuffled(files.len(), &format!("round {round}"));
    let is_in = |&at: &usize| {
        let survives = !pass.gave_up && !pass.panicked[at];
        survives && (least..=most).contains(&files[at].body.octets().len())
    };
    let file = |at: usize| (&files[at].body, files[at].urls[0].as_str());
    order.into_iter().filter(is_in).map(file).collect()
}

fn timed(engine: &dyn Engine, files: &Files<'_>, agent: &str, overhead: Duration) -> Duration {
    let mut span = Duration::ZERO;
    let mut rest = &files[..];
    while !rest.is_empty() {
        let mut octets = 0;
        let fits = rest.iter().take_while(|(body, _)| {
            octets += body.octets().len();
            octets <= BATCH_OCTETS
        });
        let (batch, after) = rest.split_at(fits.count().max(1));
        rest = after;
        for (body, url) in batch {
            touch(body.octets());
            touch(url.as_bytes());
        }
        let start = CpuInstant::now();
        black_box(engine.allowed_count(batch, agent));
        span += start.elapsed().saturating_sub(overhead);
    }
    span
}

fn touch(octets: &[u8]) {
    let lines = octets.iter().step_by(64);
    black_box(lines.fold(0_u8, |sum, octet| sum.wrapping_add(*octet)));
}

#[allow(clippy::cast_precision_loss)]
fn block(
    class: Class,
    engines: &[(&dyn Engine, FirstPass)],
    files: &[Input],
    spans: &[Vec<Duration>],
) -> Block {
    let of_class = |file: &&Input| (class.1..=class.2).contains(&file.body.octets().len());
    let sizes: Vec<usize> = files
        .iter()
        .filter(of_class)
        .map(|file| file.body.octets().len())
        .collect();
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64;
    let figures = engines.iter().zip(spans).map(|((engine, pass), spans)| {
        if pass.gave_up {
            return Figure::of(engine.name(), Outcome::TooSlow(FIRST_PASS_MAX));
        }
        let asked = in_class(files, pass, class, 0).len();
        let each = |span: &Duration| span.as_secs_f64() * 1e9 / asked.max(1) as f64;
        let nanoseconds = median(spans.iter().map(each).collect());
        let panics = sizes.len() - asked;
        Figure {
            remark: (panics > 0).then(|| format!("without {panics} files that make it panic")),
            ..Figure::of(engine.name(), Outcome::Nanoseconds(nanoseconds))
        }
    });
    let count = with_commas(&sizes.len().to_string());
    Block {
        job: Job::CorpusPass.name(),
        input: class.0.to_owned(),
        detail: format!(
            ", {count} files of {} B on average",
            with_commas(&format!("{mean:.0}"))
        ),
        reference: "verger",
        octets_per_call: Some(mean),
        rules: None,
        figures: figures.collect(),
    }
}
