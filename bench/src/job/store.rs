//! J6: writing to and reading from a store, by wall time, because a put waits for the disk.

pub(crate) mod growth;

use std::collections::BTreeMap;
use std::thread;
use std::time::Instant;

use verger_store::Observation;

use crate::figure::{Block, Figure};
use crate::generator;
use crate::input::Input;
use crate::job::Job;
use crate::keeper::{self, Keeper, NAMES};
use crate::options::Options;
use crate::race::median;
use crate::scratch_folder::ScratchFolder;

const BATCH: usize = 100;
const THREADS: usize = 8;

/// Maximum number of rounds. Most of a round waits for the disk.
const ROUNDS_MAX: usize = 3;

/// The phases in output order, each for one snapshot.
const PHASES: [(&str, &str); 6] = [
    ("put", ": one thread"),
    ("put-batch", ": one thread, 100 at a time"),
    ("put-threads", ": eight threads, one at a time"),
    ("latest", ": one thread, in random order, body included"),
    ("acquire", ": one thread"),
    ("bytes", " that each snapshot takes"),
];

pub(crate) fn blocks(options: &Options, files: Option<&[Input]>) -> Result<Vec<Block>, String> {
    let items = items(options.urls, files)?;
    let bytes: usize = items.iter().map(body_bytes).sum();
    let detail = format!(
        ", {} bodies of {} B",
        items.len(),
        bytes / items.len().max(1)
    );
    let names: Vec<&str> = (NAMES.into_iter())
        .filter(|name| options.wants_engine(name))
        .collect();
    let mut spans: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    let folder = ScratchFolder::new("store")?;
    for round in 0..options.rounds.min(ROUNDS_MAX) {
        for turn in 0..names.len() {
            let name = names[(round + turn) % names.len()];
            for (phase, value) in measured(name, &folder, &items)? {
                spans.entry((phase, name)).or_default().push(value);
            }
        }
    }
    let block = |(phase, words): (&'static str, &str)| {
        let figures = names.iter().filter_map(|name| {
            let value = median(spans.get(&(phase, *name))?.clone());
            Some(figure(phase, name, value))
        });
        Block {
            job: Job::Store.name(),
            input: phase.to_owned(),
            detail: format!("{words}{detail}"),
            reference: NAMES[0],
            bytes_per_call: None,
            rules: None,
            figures: figures.collect(),
        }
    };
    Ok(PHASES.into_iter().map(block).collect())
}

fn figure(phase: &str, name: &str, value: f64) -> Figure {
    let label = name.to_owned();
    if phase != "bytes" {
        return Figure {
            label,
            nanoseconds: Some(value),
            ..Figure::default()
        };
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let bytes = value as u64;
    Figure {
        label,
        bytes: Some(bytes),
        ..Figure::default()
    }
}

/// Returns real bodies, or generated ones of 464 bytes, the median of real ones. All are different.
fn items(count: usize, files: Option<&[Input]>) -> Result<Vec<Observation>, String> {
    let Some(files) = files else {
        let bodies = (0..count).map(|number| {
            let mut body = format!("User-agent: *\nDisallow: /{number}\n").into_bytes();
            body.resize(464, b'#');
            keeper::observation(number, &body)
        });
        return bodies.collect();
    };
    let files = files.iter().take(count).enumerate();
    let items = files.map(|(number, file)| keeper::observation(number, file.body.bytes()));
    items.collect()
}

fn body_bytes(item: &Observation) -> usize {
    let copy = item.attempt.copy.as_ref();
    copy.map_or(0, |copy| copy.body.len())
}

/// Measures one round of one keeper. Each kind of put has a new file.
fn measured(
    name: &str,
    folder: &ScratchFolder,
    items: &[Observation],
) -> Result<Vec<(&'static str, f64)>, String> {
    let all: Vec<usize> = (0..items.len()).collect();
    let new = || {
        let mut keeper = keeper::new(name, &folder.new_file(), items)?;
        keeper.prepare()?;
        Ok::<_, String>(keeper)
    };
    let one = new()?;
    let put = timed(items.len(), || {
        all.iter().try_for_each(|&item| one.put(item))
    })?;
    let order = generator::shuffled(items.len(), "latest");
    let latest = timed(items.len(), || {
        order.iter().try_for_each(|&item| match one.latest(item) {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("{name} lost {item}")),
            Err(error) => Err(error),
        })
    })?;
    let mut figures = vec![("put", put), ("latest", latest)];
    if one.acquire(0).is_some() {
        let rest = all.get(1..).unwrap_or_default();
        let acquire = timed(rest.len(), || {
            rest.iter()
                .try_for_each(|&item| one.acquire(item).unwrap_or(Ok(())))
        })?;
        figures.push(("acquire", acquire));
    }
    #[allow(clippy::cast_precision_loss)]
    figures.push(("bytes", one.bytes()? as f64 / items.len() as f64));

    let batches = new()?;
    let batch = timed(items.len(), || {
        all.chunks(BATCH)
            .try_for_each(|batch| batches.put_all(batch))
    })?;
    figures.push(("put-batch", batch));
    drop(batches);

    let threads = new()?;
    let together = timed(items.len(), || put_in_threads(&*threads, &all))?;
    figures.push(("put-threads", together));
    Ok(figures)
}

fn put_in_threads(keeper: &dyn Keeper, items: &[usize]) -> Result<(), String> {
    let share = items.len().div_ceil(THREADS).max(1);
    thread::scope(|scope| {
        let putting = items
            .chunks(share)
            .map(|share| scope.spawn(move || share.iter().try_for_each(|&item| keeper.put(item))));
        let putting: Vec<_> = putting.collect();
        putting.into_iter().try_for_each(|thread| {
            let panicked = |_| Err("a thread panicked".to_owned());
            thread.join().unwrap_or_else(panicked)
        })
    })
}

fn timed(count: usize, run: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    run()?;
    #[allow(clippy::cast_precision_loss)]
    let each = start.elapsed().as_secs_f64() * 1e9 / count.max(1) as f64;
    Ok(each)
}
