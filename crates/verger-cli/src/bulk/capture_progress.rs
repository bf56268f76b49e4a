//! Progress of a run over captures, and its totals, on standard error.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanCount, HumanDuration};
use verger_bulk::{CaptureReader, CaptureTally};

use super::capture_input::CaptureInput;
use super::damage::Damage;
use crate::count_of::{CountOf, HumanCountOf};
use crate::notice;
use crate::progress::{Progress, Rate, undrawn};

/// Shows how far it is, and at the end what there was.
pub(super) struct CaptureProgress {
    is_quiet: bool,
    start: Instant,
    done: Arc<Done>,
    tally: Mutex<CaptureTally>,
    progress: Mutex<Option<Progress>>,
}

/// What was done so far.
#[derive(Default)]
struct Done {
    files_in_all: u64,
    /// Zero where the length of an input is not known.
    octets_in_all: u64,
    files: AtomicU64,
    kept: AtomicU64,
    kept_octets: AtomicU64,
    octets: AtomicU64,
    records: AtomicU64,
}

impl CaptureProgress {
    pub(super) fn start(inputs: &[CaptureInput], is_quiet: bool) -> Self {
        let octets: Option<u64> = inputs.iter().map(CaptureInput::octets).sum();
        let done = Arc::new(Done {
            files_in_all: inputs.len() as u64,
            octets_in_all: octets.unwrap_or(0),
            ..Done::default()
        });
        let shown = Arc::clone(&done);
        let line = move |elapsed| shown.line(elapsed);
        Self {
            is_quiet,
            start: Instant::now(),
            done,
            tally: Mutex::default(),
            progress: Mutex::new((!is_quiet).then(|| Progress::alone(line))),
        }
    }

    /// Progress of one file.
    pub(super) fn of_file(&self) -> FileProgress<'_> {
        FileProgress {
            run: self,
            octets: 0,
            records: 0,
        }
    }

    pub(super) fn end_file(&self) {
        self.done.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a file whose part is there already.
    pub(super) fn keep_file(&self, input: &CaptureInput) {
        let octets = input.octets().unwrap_or(0);
        self.done.kept.fetch_add(1, Ordering::Relaxed);
        self.done.kept_octets.fetch_add(octets, Ordering::Relaxed);
    }

    /// Whether any of what was read is damaged.
    pub(super) fn has_damage(&self) -> bool {
        damaged(&self.tally.lock().unwrap_or_else(PoisonError::into_inner)) > 0
    }

    /// Prints the totals.
    pub(super) fn finish(&self) {
        drop(
            self.progress
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        if self.is_quiet {
            return;
        }
        let elapsed = self.start.elapsed();
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let files = CountOf(self.done.files_in_all, "file", "files");
        let kept = match self.done.kept.load(Ordering::Relaxed) {
            0 => String::new(),
            kept => format!(" ({kept} kept)"),
        };
        let seconds = elapsed.as_secs_f64();
        let rate = Rate(tally.records, elapsed);
        // If standard error is closed, there is nowhere to report it.
        let _ = undrawn(|| {
            writeln!(
                io::stderr().lock(),
                "{files}{kept}, {}\n{seconds:.2} s, {rate}",
                *tally
            )
        });
    }
}

/// What was counted of one file.
pub(super) struct FileProgress<'p> {
    run: &'p CaptureProgress,
    octets: u64,
    records: u64,
}

impl FileProgress<'_> {
    pub(super) fn update<R: Read>(&mut self, reader: &CaptureReader<R>) {
        let (octets, records) = (reader.octets_read(), reader.tally().records);
        let done = &self.run.done;
        done.octets
            .fetch_add(octets - self.octets, Ordering::Relaxed);
        done.records
            .fetch_add(records - self.records, Ordering::Relaxed);
        (self.octets, self.records) = (octets, records);
    }

    /// Counts a file that was read to its end, and says where it has no record or is damaged.
    pub(super) fn end<R: Read>(
        mut self,
        input: &CaptureInput,
        reader: &CaptureReader<R>,
        damage: Option<Damage>,
    ) {
        self.update(reader);
        if reader.tally().records == 0 && !self.run.is_quiet {
            notice::warning(format_args!("{} has no WARC record", input.source()));
        }
        if let Some(Damage { offset, problem }) = damage
            && !self.run.is_quiet
        {
            notice::warning(format_args!(
                "{} is damaged in {}, first at offset {offset}: {problem}",
                input.source(),
                CountOf(damaged(reader.tally()), "place", "places"),
            ));
        }
        let mut tally = self
            .run
            .tally
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tally.add(reader.tally());
    }
}

fn damaged(tally: &CaptureTally) -> u64 {
    tally.marks.get("damaged").copied().unwrap_or(0)
}

impl Done {
    fn line(&self, elapsed: Duration) -> String {
        let files = self.files.load(Ordering::Relaxed);
        let records = self.records.load(Ordering::Relaxed);
        let octets = self.octets.load(Ordering::Relaxed);
        let to_read = self
            .octets_in_all
            .saturating_sub(self.kept_octets.load(Ordering::Relaxed));
        let each_second = u128::from(octets) * 1000 / elapsed.as_millis().max(1);
        let each_second = u64::try_from(each_second).unwrap_or(u64::MAX);
        let left = to_read.saturating_sub(octets).checked_div(each_second);
        let left = left.filter(|_| to_read > 0).map_or(String::new(), |left| {
            format!(", {} left", HumanDuration(Duration::from_secs(left)))
        });
        format!(
            "{} of {}, {}, {}, {}/s{left}",
            HumanCount(files),
            HumanCountOf(self.files_in_all, "file", "files"),
            HumanCountOf(records, "record", "records"),
            Rate(records, elapsed),
            BinaryBytes(each_second)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_files_records_rates_and_the_time_left() {
        let done = Done {
            files_in_all: 4,
            octets_in_all: 300 << 20,
            files: 1.into(),
            records: 3000.into(),
            octets: (100 << 20).into(),
            ..Done::default()
        };
        let line = done.line(Duration::from_secs(2));
        assert_eq!(
            line,
            "1 of 4 files, 3,000 records, 1,500/s, 50.00 MiB/s, 4 seconds left"
        );
        let unknown = Done {
            files_in_all: 1,
            ..Done::default()
        };
        let line = unknown.line(Duration::ZERO);
        assert_eq!(line, "0 of 1 file, 0 records, 0/s, 0 B/s");
    }
}
