//! Progress of fetches, on standard error; and which results could not be stored.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use verger_access::{Answer, Authority};
use verger_client::{Fetched, Observer};
use verger_store::StoreError;

use crate::notice;

/// Fetches that end sooner print nothing.
const PATIENCE: Duration = Duration::from_secs(1);

const INTERVAL: Duration = Duration::from_millis(250);

/// Erases the line and goes back to its start.
const ERASE: &str = "\r\x1b[K";

/// Prints how many files were fetched, on a terminal.
pub(crate) struct FetchProgress {
    begun: AtomicU64,
    ended: AtomicU64,
    line: Mutex<Line>,
}

/// The line that is written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Standard error is not a terminal: nothing is printed.
    Hidden,
    Empty,
    Printed,
}

impl FetchProgress {
    /// Progress that is printed if standard error is a terminal.
    pub(crate) fn start() -> Self {
        Self {
            begun: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            line: Mutex::new(if io::stderr().is_terminal() {
                Line::Empty
            } else {
                Line::Hidden
            }),
        }
    }

    /// Does `work`, and prints progress meanwhile if it takes longer than [`PATIENCE`].
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.change(|line| *line == Line::Hidden) {
            return work();
        }
        let (in_flight, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut wait = PATIENCE;
                while end.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    self.print();
                    wait = INTERVAL;
                }
                self.change(clear);
            });
            let done = work();
            drop(in_flight);
            done
        })
    }

    fn print(&self) {
        let ended = self.ended.load(Ordering::Relaxed);
        let in_flight = self.begun.load(Ordering::Relaxed).saturating_sub(ended);
        self.change(|line| {
            *line = Line::Printed;
            // If standard error is closed, there is nowhere to report it.
            let _ = write!(
                io::stderr().lock(),
                "{ERASE}robots.txt files: {ended} fetched, {in_flight} in flight"
            );
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut Line) -> T) -> T {
        // The line is whole between calls, even if a thread panicked.
        change(&mut self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Erases the progress, before other lines.
fn clear(line: &mut Line) {
    if *line == Line::Printed {
        *line = Line::Empty;
        let _ = write!(io::stderr().lock(), "{ERASE}");
    }
}

impl Observer for FetchProgress {
    fn begun(&self, _: &Authority) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn ended(&self, _: &Authority, _: &Fetched, _: &Answer) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }

    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let url = authority.robots_url();
        // Rounded up to whole seconds.
        let seconds = longest.as_millis().div_ceil(1000);
        self.change(|line| {
            clear(line);
            notice::note(format_args!(
                "waiting for {holder} (fetching {url}), at most {seconds} s"
            ));
        });
    }

    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        self.change(|line| {
            clear(line);
            notice::note(format_args!(
                "what was fetched from {authority} could not be kept: {error}"
            ));
        });
    }
}
