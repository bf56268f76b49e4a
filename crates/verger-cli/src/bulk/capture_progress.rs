//! Progress of a run over captures, and its totals, on standard error.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{BinaryBytes, HumanCount, HumanDuration};
use verger_answer::{CountOf, HumanCountOf};
use verger_bulk::{
    CaptureInput, CaptureObserver, CaptureRunError, CaptureTally, CaptureTotals, Damage,
};
use verger_files::Source;

use crate::notice;
use crate::progress::{Progress, Rate, undrawn};

/// Shows how far it is, and at the end what there was.
pub(super) struct CaptureProgress {
    is_quiet: bool,
    start: Instant,
    done: Arc<Done>,
    progress: Option<Progress>,
}

/// What was done so far.
#[derive(Default)]
struct Done {
    files_in_all: u64,
    /// Zero where the length of an input is not known.
    octets_in_all: u64,
    files: AtomicU64,
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
            progress: (!is_quiet).then(|| Progress::alone(line)),
        }
    }

    /// Prints the totals.
    pub(super) fn finish(mut self, totals: &CaptureTotals) {
        self.progress = None;
        if self.is_quiet {
            return;
        }
        let elapsed = self.start.elapsed();
        let files = CountOf(self.done.files_in_all, "file", "files");
        let kept = match totals.kept {
            0 => String::new(),
            kept => format!(" ({kept} kept)"),
        };
        let (seconds, tally) = (elapsed.as_secs_f64(), &totals.tally);
        let rate = Rate(tally.records, elapsed);
        // If standard error is closed, there is nowhere to report it.
        let _ = undrawn(|| {
            writeln!(
                io::stderr().lock(),
                "{files}{kept}, {tally}\n{seconds:.2} s, {rate}"
            )
        });
    }
}

impl CaptureObserver for CaptureProgress {
    fn read(&self, octets: u64, records: u64) {
        self.done.octets.fetch_add(octets, Ordering::Relaxed);
        self.done.records.fetch_add(records, Ordering::Relaxed);
    }

    /// Says where a file has no record or is damaged.
    fn file_read(&self, input: &CaptureInput, tally: &CaptureTally, damage: Option<&Damage>) {
        if self.is_quiet {
            return;
        }
        let source = || {
            input
                .path()
                .map_or(Source::Stdin, |it| Source::File(it.into()))
        };
        if tally.records == 0 {
            notice::warning(format_args!("{} has no WARC record", source()));
        }
        if let Some(Damage { offset, problem }) = damage {
            notice::warning(format_args!(
                "{} is damaged in {}, first at offset {offset}: {problem}",
                source(),
                CountOf(tally.damaged(), "place", "places"),
            ));
        }
    }

    fn file_kept(&self, input: &CaptureInput) {
        let octets = input.octets().unwrap_or(0);
        self.done.kept_octets.fetch_add(octets, Ordering::Relaxed);
    }

    fn file_failed(&self, _input: &CaptureInput, error: &CaptureRunError) {
        notice::error(error);
    }

    fn file_ended(&self) {
        self.done.files.fetch_add(1, Ordering::Relaxed);
    }
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
