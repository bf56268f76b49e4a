//! J6, `growth-…`: cost of calls to Verger's file store with few and with many authorities. Each size runs in a
//! process of its own that measures its resident set. Observations are generated one at a time, so only the store
//! uses memory.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, ExportRange, History, Lease, Observation, SqliteStore, Store, export, import,
};

use crate::figure::{Block, Figure};
use crate::generator;
use crate::job::Job;
use crate::keeper::{self, NAMES, NOW};
use crate::options::{Options, Single};
use crate::probe;
use crate::scratch_folder::ScratchFolder;

pub(crate) const INPUT: &str = "growth";

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

const BATCH: usize = 1000;
const PAGE: usize = 100;

/// Number of calls of each query, and of single puts.
const QUERIES: usize = 10_000;
const PUTS: usize = 500;
const STATS: usize = 1000;

/// The phases in report order, with a description of one call.
const PHASES: [(&str, &str); 12] = [
    (
        "growth-put-batch",
        ": a put, 1,000 at a time, with its lease",
    ),
    ("growth-put", ": a put alone, with its lease"),
    ("growth-latest", ": latest, in random order, body included"),
    (
        "growth-as-of",
        ": what was known at a time, in random order",
    ),
    (
        "growth-list",
        ": a page of 100 authorities, from a random one on",
    ),
    ("growth-stat", ": stat"),
    ("growth-sweep", ": a sweep, for each authority"),
    ("growth-export", ": an export, for each authority"),
    ("growth-import", ": an import, for each authority"),
    (
        "growth-import-again",
        ": an import of what is there, for each authority",
    ),
    ("growth-file", ": bytes of the file, for each authority"),
    (
        "growth-resident",
        ": the most bytes of memory at a time, of the whole process",
    ),
];

pub(crate) fn blocks(options: &Options) -> Result<Vec<Block>, String> {
    if options.authorities.is_empty() || !options.wants_engine(NAMES[0]) {
        return Ok(Vec::new());
    }
    let mut seen = Vec::new();
    for &count in &options.authorities {
        let one = format!("{}:{INPUT}:{}:{count}", Job::Store.name(), NAMES[0]);
        let line = probe::said(options, &[], &one)?;
        let value: Value = serde_json::from_str(&line)
            .map_err(|error| format!("unexpected output of --one {one}: {error}: {line}"))?;
        let label = if seen.is_empty() {
            NAMES[0].to_owned()
        } else {
            format!("{}/{count}", NAMES[0])
        };
        seen.push((label, value));
    }
    let block = |(phase, words): (&'static str, &str)| {
        let figures = seen.iter().map(|(label, value)| {
            let value = value[phase].as_f64().unwrap_or_default();
            let is_bytes = ["growth-file", "growth-resident"].contains(&phase);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let bytes = value as u64;
            Figure {
                label: label.clone(),
                nanoseconds: (!is_bytes).then_some(value),
                bytes: is_bytes.then_some(bytes),
                ..Figure::default()
            }
        });
        Block {
            job: Job::Store.name(),
            input: phase.to_owned(),
            detail: format!("{words}; first {} authorities", options.authorities[0]),
            reference: NAMES[0],
            bytes_per_call: None,
            rules: None,
            figures: figures.collect(),
        }
    };
    Ok(PHASES.into_iter().map(block).collect())
}

/// The work of the child process, which prints its measurements as one line of JSON.
pub(crate) fn run_one(single: &Single) -> Result<(), String> {
    let count = usize::try_from(single.calls).map_err(told)?;
    let folder = ScratchFolder::new("growth")?;
    let path = folder.new_file();
    let store = SqliteStore::open(&path).map_err(told)?;
    let mut seen = Map::new();
    let mut note = |phase: &str, value: f64| seen.insert(phase.to_owned(), json!(value));
    note("growth-put-batch", put_batches(&store, count)?);
    note("growth-put", put_alone(&store, count)?);
    for (phase, each) in queries(&store, count)? {
        note(phase, each);
    }
    let swept = timed(count, || {
        let swept = store.sweep(NOW.after(HOUR), NOW.after(HOUR));
        swept.map(drop).map_err(told)
    })?;
    note("growth-sweep", swept);
    let lines = path.with_extension("lines");
    let exported = timed(count, || {
        let mut file = BufWriter::new(File::create_new(&lines).map_err(told)?);
        export(&store, &mut file, &ExportRange::default()).map_err(told)?;
        file.flush().map_err(told)
    })?;
    note("growth-export", exported);
    store.compact().map_err(told)?;
    drop(store);
    #[allow(clippy::cast_precision_loss)]
    let bytes = fs::metadata(&path).map_err(told)?.len() as f64 / count as f64;
    note("growth-file", bytes);
    fs::remove_file(&path).map_err(told)?;
    let store = SqliteStore::open(&path.with_extension("copy")).map_err(told)?;
    for phase in ["growth-import", "growth-import-again"] {
        let imported = timed(count, || {
            let mut file = BufReader::new(File::open(&lines).map_err(told)?);
            import(&store, &mut file, &|| NOW).map(drop).map_err(told)
        })?;
        note(phase, imported);
    }
    let there = store.stat().map_err(told)?.authorities;
    if there != single.calls {
        return Err(format!("only {there} of {count} authorities were returned"));
    }
    #[allow(clippy::cast_precision_loss)]
    note("growth-resident", most_resident()? as f64);
    println!("{}", Value::Object(seen));
    Ok(())
}

fn put_batches(store: &SqliteStore, count: usize) -> Result<f64, String> {
    let mut spent = Duration::ZERO;
    for first in (0..count).step_by(BATCH) {
        let numbers = first..count.min(first + BATCH);
        let items: Vec<Observation> = numbers
            .map(|number| observation(number, NOW))
            .collect::<Result<_, _>>()?;
        let start = Instant::now();
        let leases: Vec<Lease> = items
            .iter()
            .map(|item| lease(store, &item.authority))
            .collect::<Result<_, _>>()?;
        let puts: Vec<_> = items.iter().zip(&leases).collect();
        let answers = store.put_all(&puts).map_err(told)?;
        spent += start.elapsed();
        let mut answers = answers.into_iter();
        answers.try_for_each(|answer| answer.map(drop).map_err(told))?;
    }
    Ok(each(spent, count))
}

/// Stores a second snapshot of some authorities, an hour later.
fn put_alone(store: &SqliteStore, count: usize) -> Result<f64, String> {
    let some = generator::shuffled(count, "put");
    let items: Vec<Observation> = (some.into_iter().take(PUTS))
        .map(|number| observation(number, NOW.after(HOUR)))
        .collect::<Result<_, _>>()?;
    timed(items.len(), || {
        items.iter().try_for_each(|item| {
            let lease = lease(store, &item.authority)?;
            store.put(item, &lease).map(drop).map_err(told)
        })
    })
}

fn queries(store: &SqliteStore, count: usize) -> Result<Vec<(&'static str, f64)>, String> {
    let some = generator::shuffled(count, "queries");
    let some: Vec<Authority> = (some.into_iter().take(QUERIES))
        .map(authority)
        .collect::<Result<_, _>>()?;
    let is_there = |found: Option<_>| found.map(drop).ok_or("one is lost");
    let latest = timed(some.len(), || {
        some.iter().try_for_each(|it| {
            is_there(store.latest(it).map_err(told)?)?;
            Ok(())
        })
    })?;
    let as_of = timed(some.len(), || {
        some.iter().try_for_each(|it| {
            is_there(store.state_at(it, NOW.after(MINUTE)).map_err(told)?)?;
            Ok(())
        })
    })?;
    let listed = some.iter().take(QUERIES / 10);
    let list = timed(listed.len(), || {
        listed.clone().try_for_each(|it| {
            let page = store.authorities(Some(it), PAGE);
            page.map(drop).map_err(told)
        })
    })?;
    let stat = timed(STATS, || {
        (0..STATS).try_for_each(|_| store.stat().map(drop).map_err(told))
    })?;
    Ok(vec![
        ("growth-latest", latest),
        ("growth-as-of", as_of),
        ("growth-list", list),
        ("growth-stat", stat),
    ])
}

fn authority(number: usize) -> Result<Authority, String> {
    Authority::from_url(&format!("https://www.host-{number}.example/")).map_err(told)
}

/// Returns a unique body of 464 bytes, the median of real ones.
fn observation(number: usize, at: Timestamp) -> Result<Observation, String> {
    let start = format!("User-agent: *\nDisallow: /{number}/{}\n", at.unix_seconds());
    let mut body = start.into_bytes();
    body.resize(464, b'#');
    let mut item = keeper::observation(number, &body)?;
    item.attempt.last.at = at;
    Ok(item)
}

fn lease(store: &SqliteStore, authority: &Authority) -> Result<Lease, String> {
    match store.acquire(authority, "bench", NOW, MINUTE) {
        Ok(Acquisition::Granted(lease)) => Ok(lease),
        Ok(Acquisition::HeldUntil { .. }) => Err(format!("{authority} is held")),
        Err(error) => Err(told(error)),
    }
}

/// Returns the peak resident set in bytes.
fn most_resident() -> Result<u64, String> {
    let path = "/proc/self/status";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    Ok(kilobytes.ok_or_else(|| format!("no VmHWM in {path}"))? * 1024)
}

fn timed(count: usize, run: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    run()?;
    Ok(each(start.elapsed(), count))
}

fn each(spent: Duration, count: usize) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let count = count.max(1) as f64;
    spent.as_secs_f64() * 1e9 / count
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
