//! How far fetching is, on standard error; and what could not be kept.

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

/// Prints how far fetching is, on a terminal.
pub(crate) struct FetchProgress {
    begun: AtomicU64,
    ended: AtomicU64,
    line: Mutex<Line>,
}

/// The line that is written over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Nobody looks on.
    Hidden,
    Empty,
    Told,
}

impl FetchProgress {
    /// Told on a terminal only.
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

    /// Does `work`, and tells meanwhile how far it is, where it takes longer than a moment.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.change(|line| *line == Line::Hidden) {
            return work();
        }
        let (under_way, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut wait = PATIENCE;
                while end.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    self.tell();
                    wait = INTERVAL;
                }
                self.change(clear);
            });
            let done = work();
            drop(under_way);
            done
        })
    }

    fn tell(&self) {
        let ended = self.ended.load(Ordering::Relaxed);
        let under_way = self.begun.load(Ordering::Relaxed).saturating_sub(ended);
        self.change(|line| {
            *line = Line::Told;
            // Nobody is left to be told that standard error is closed.
            let _ = write!(
                io::stderr().lock(),
                "{ERASE}robots.txt files: {ended} asked for, {under_way} under way"
            );
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut Line) -> T) -> T {
        // The line is whole between calls, even if a thread panicked.
        change(&mut self.line.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Makes way for other lines.
fn clear(line: &mut Line) {
    if *line == Line::Told {
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
        // A part of a second is one.
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
