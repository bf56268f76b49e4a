//! Progress of a run, on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::tally::Tally;

/// What is printed on standard error beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reporting {
    /// Nothing.
    Nothing,
    /// A line at the end.
    Summary,
    /// A line that is renewed now and then, and the line at the end.
    Progress,
}

impl Reporting {
    /// Progress on a terminal, nothing elsewhere; and no progress between URLs on one terminal.
    pub(super) fn usual() -> Self {
        match (io::stderr().is_terminal(), io::stdout().is_terminal()) {
            (true, false) => Self::Progress,
            (true, true) => Self::Summary,
            (false, _) => Self::Nothing,
        }
    }
}

const INTERVAL: Duration = Duration::from_millis(250);

/// Erases the line and goes back to its start.
const ERASE: &str = "\r\x1b[K";

/// Prints progress.
pub(super) struct Progress {
    reporting: Reporting,
    start: Instant,
    printed_at: Option<Instant>,
}

impl Progress {
    pub(super) fn start(reporting: Reporting) -> Self {
        Self {
            reporting,
            start: Instant::now(),
            printed_at: None,
        }
    }

    /// Prints progress, where that is due.
    pub(super) fn update(&mut self, tally: &Tally) {
        let is_due = self.printed_at.unwrap_or(self.start).elapsed() >= INTERVAL;
        if self.reporting == Reporting::Progress && is_due {
            self.printed_at = Some(Instant::now());
            let rate = Rate(tally.urls(), self.start.elapsed());
            let (urls, percent) = (tally.urls(), tally.allowed_percent());
            let mut stderr = io::stderr().lock();
            // If standard error is closed, there is nowhere to report it.
            let _ = write!(stderr, "{ERASE}{urls} URLs, {percent} % allowed, {rate}");
        }
    }

    /// Erases the progress, before other lines.
    pub(super) fn clear(&mut self) {
        if self.printed_at.take().is_some() {
            let _ = write!(io::stderr().lock(), "{ERASE}");
        }
    }

    /// Prints the totals.
    pub(super) fn finish(&mut self, tally: &Tally) {
        self.clear();
        if self.reporting != Reporting::Nothing {
            let elapsed = self.start.elapsed();
            let rate = Rate(tally.urls(), elapsed);
            let seconds = elapsed.as_secs_f64();
            let _ = writeln!(io::stderr().lock(), "{tally}; {seconds:.2} s, {rate}");
        }
    }
}

/// So many in such a time.
struct Rate(u64, Duration);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(urls, elapsed) = self;
        let microseconds = elapsed.as_micros().max(1);
        let each_second = u128::from(*urls) * 1_000_000 / microseconds;
        write!(f, "{each_second} URLs/s")
    }
}
