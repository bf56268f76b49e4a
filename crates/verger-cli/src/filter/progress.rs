//! Progress of a run, and its totals, on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use verger_answer::{CountOf, HumanCountOf};
use verger_filter::FilterTally;

use crate::progress::{Progress, Rate, undrawn};

/// What is printed on standard error beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reporting {
    /// Nothing.
    Nothing,
    /// A line at the end, and on a terminal progress before.
    Summary,
}

impl Reporting {
    /// A summary on a terminal, nothing elsewhere.
    pub(super) fn usual() -> Self {
        if io::stderr().is_terminal() {
            Self::Summary
        } else {
            Self::Nothing
        }
    }
}

/// Shows how many URLs were answered so far, and all of them at the end.
pub(super) struct FilterProgress {
    reporting: Reporting,
    start: Instant,
    answered: Arc<Answered>,
    progress: Option<Progress>,
}

/// What was answered so far.
#[derive(Default)]
struct Answered {
    urls: AtomicU64,
    allowed_percent: AtomicU64,
}

impl FilterProgress {
    pub(super) fn start(reporting: Reporting) -> Self {
        let answered = Arc::new(Answered::default());
        let shown = Arc::clone(&answered);
        let line = move |elapsed| shown.line(elapsed);
        Self {
            reporting,
            start: Instant::now(),
            answered,
            progress: (reporting != Reporting::Nothing).then(|| Progress::beside_answers(line)),
        }
    }

    pub(super) fn update(&self, tally: &FilterTally) {
        let Answered {
            urls,
            allowed_percent,
        } = &*self.answered;
        urls.store(tally.urls(), Ordering::Relaxed);
        allowed_percent.store(tally.allowed_percent(), Ordering::Relaxed);
    }

    /// Prints the totals.
    pub(super) fn finish(&mut self, tally: &FilterTally) {
        self.progress = None;
        if self.reporting != Reporting::Nothing {
            let elapsed = self.start.elapsed();
            let urls_each_second = Rate(tally.urls(), elapsed);
            let seconds = elapsed.as_secs_f64();
            // If standard error is closed, there is nowhere to report it.
            let _ = undrawn(|| {
                writeln!(
                    io::stderr().lock(),
                    "{}; {seconds:.2} s, {urls_each_second}",
                    Totals(tally)
                )
            });
        }
    }
}

impl Answered {
    fn line(&self, elapsed: Duration) -> String {
        let urls = self.urls.load(Ordering::Relaxed);
        let percent = self.allowed_percent.load(Ordering::Relaxed);
        let (count, rate) = (HumanCountOf(urls, "URL", "URLs"), Rate(urls, elapsed));
        format!("{count}, {percent} % allowed, {rate}")
    }
}

/// How many URLs had which result, as a line.
struct Totals<'t>(&'t FilterTally);

impl fmt::Display for Totals<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(tally) = self;
        let (allowed, disallowed) = (tally.allowed, tally.disallowed);
        let (without_body, unanswered) = (tally.all_without_body(), tally.unanswered);
        let meaning = match (tally.without_body_allowed, tally.without_body_disallowed) {
            (0, 0) => "",
            (_, 0) => " (allowed)",
            _ => " (disallowed)",
        };
        write!(
            f,
            "{}: {allowed} allowed, {disallowed} disallowed, \
             {without_body} without a robots.txt{meaning}, {unanswered} not answerable",
            CountOf(tally.urls(), "URL", "URLs")
        )
    }
}
