//! How far a run is, on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::tally::Tally;

/// How much is told beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Nothing.
    Nothing,
    /// A line at the end.
    Summary,
    /// A line that is written over now and then, and the line at the end.
    Progress,
}

impl Telling {
    /// What suits a terminal or a script. Progress is not shown between URLs.
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

/// Tells how far a run is.
pub(super) struct Progress {
    telling: Telling,
    start: Instant,
    told: Option<Instant>,
}

impl Progress {
    pub(super) fn start(telling: Telling) -> Self {
        Self {
            telling,
            start: Instant::now(),
            told: None,
        }
    }

    /// Tells how far it is, where that is due.
    pub(super) fn tell(&mut self, tally: &Tally) {
        let is_due = self.told.unwrap_or(self.start).elapsed() >= INTERVAL;
        if self.telling == Telling::Progress && is_due {
            self.told = Some(Instant::now());
            let rate = Rate(tally.urls(), self.start.elapsed());
            let (urls, percent) = (tally.urls(), tally.allowed_percent());
            let mut stderr = io::stderr().lock();
            // Nobody is left to be told that standard error is closed.
            let _ = write!(stderr, "{ERASE}{urls} URLs, {percent} % allowed, {rate}");
        }
    }

    /// Makes way for other lines.
    pub(super) fn clear(&mut self) {
        if self.told.take().is_some() {
            let _ = write!(io::stderr().lock(), "{ERASE}");
        }
    }

    /// Tells what came of it.
    pub(super) fn finish(&mut self, tally: &Tally) {
        self.clear();
        if self.telling != Telling::Nothing {
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
