//! J8: the cost of lints compared with parsing alone. Contestants take turns.

use std::hint::black_box;

use verger::{Dialect, RobotsTxt};
use verger_lint::{Linted, Served};

use crate::clock::CpuInstant;
use crate::figure::{Block, Figure};
use crate::input::Input;
use crate::input_set;
use crate::job::Job;
use crate::options::Options;
use crate::race::median;

const INPUTS: [&str; 4] = ["a_wordpress", "b_ecommerce", "c_aibots", "d_big15k"];

/// Maximum number of rounds. Linting a large corpus takes a minute.
const ROUNDS_MAX: usize = 3;

/// Minimum number of bytes read in a round of one file.
const ROUND_BYTES: usize = 1 << 20;

type Contestant = (&'static str, fn(&[u8]));

const CONTESTANTS: [Contestant; 2] = [("verger", parse), ("verger-lint", lint)];

pub(crate) fn blocks(options: &Options, corpus: Option<&[Input]>) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for name in INPUTS.into_iter().filter(|name| options.wants_input(name)) {
        let input = input_set::load(name, options)?;
        let body = input.body.bytes();
        let calls = ROUND_BYTES / body.len().max(1) + 1;
        blocks.push(block(name, &vec![body; calls], 1));
    }
    if let Some(files) = corpus {
        let bodies: Vec<&[u8]> = files.iter().map(|file| file.body.bytes()).collect();
        blocks.push(block("the corpus", &bodies, bodies.len()));
    }
    Ok(blocks)
}

/// Returns the time of `of` bodies, scaled from a round of all of them.
fn block(name: &str, bodies: &[&[u8]], of: usize) -> Block {
    let mut spans = CONTESTANTS.map(|_| Vec::new());
    for _ in 0..ROUNDS_MAX {
        for ((_, call), spans) in CONTESTANTS.iter().zip(&mut spans) {
            let start = CpuInstant::now();
            for body in bodies {
                call(black_box(body));
            }
            #[allow(clippy::cast_precision_loss)]
            let share = of as f64 / bodies.len().max(1) as f64;
            spans.push(start.elapsed().as_secs_f64() * 1e9 * share);
        }
    }
    let figures = CONTESTANTS
        .iter()
        .zip(spans)
        .map(|((label, _), spans)| Figure {
            label: (*label).to_owned(),
            nanoseconds: Some(median(spans)),
            ..Figure::default()
        });
    Block {
        job: Job::Sets.name(),
        input: format!("lint {name}"),
        detail: match of {
            1 => String::new(),
            files => format!(", {files} files"),
        },
        reference: "verger",
        bytes_per_call: None,
        rules: None,
        figures: figures.collect(),
    }
}

fn parse(body: &[u8]) {
    black_box(RobotsTxt::parse(body, Dialect::Rfc9309));
}

fn lint(body: &[u8]) {
    black_box(Linted::new(body, &Served::default()));
}
