//! Progress of work that takes over a second, as one line on a terminal.
//!
//! Nothing is drawn unless standard error is a terminal that can redraw a line. The line is cleared at the end, and
//! before anything else is written to standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{
    HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, WeakProgressBar,
};
use verger_store::UnpoisonedMutex;

/// Work that ends sooner draws nothing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

const INTERVAL: Duration = Duration::from_millis(250);

/// The bar on the screen, which other lines on standard error must not mix with.
static DRAWN: UnpoisonedMutex<Option<WeakProgressBar>> = UnpoisonedMutex::new(None);

/// A line that is redrawn until it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// The thread that starts drawing, and the sender that ends its wait.
    beginning: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Shows progress of work that prints nothing before its end. `line` gets the time since the
    /// start.
    pub(crate) fn alone(line: impl Fn(Duration) -> String + Send + Sync + 'static) -> Self {
        Self::after(PATIENCE, line)
    }

    /// Shows progress of work that prints answers meanwhile. Nothing is drawn if they go to a
    /// terminal.
    pub(crate) fn beside_answers(
        line: impl Fn(Duration) -> String + Send + Sync + 'static,
    ) -> Self {
        if io::stdout().is_terminal() {
            Self::begin(ProgressDrawTarget::hidden(), PATIENCE, line)
        } else {
            Self::alone(line)
        }
    }

    /// Like [`Progress::alone`], drawn after that time.
    pub(crate) fn after(
        patience: Duration,
        line: impl Fn(Duration) -> String + Send + Sync + 'static,
    ) -> Self {
        Self::begin(ProgressDrawTarget::stderr(), patience, line)
    }

    fn begin(
        target: ProgressDrawTarget,
        patience: Duration,
        line: impl Fn(Duration) -> String + Send + Sync + 'static,
    ) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let mut progress = Self {
            bar,
            beginning: None,
        };
        if target.is_hidden() {
            return progress;
        }
        let bar = &progress.bar;
        let line = Arc::new(line);
        let write = move |state: &ProgressState, output: &mut dyn fmt::Write| {
            // Writing to memory cannot fail.
            let _ = output.write_str(&line(state.elapsed()));
        };
        // If the template were wrong, the bar would keep its own style.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {line}") {
            bar.set_style(style.with_key("line", write));
        }
        let weak = bar.downgrade();
        *DRAWN.lock() = Some(weak.clone());
        let (end, ended) = mpsc::channel();
        let begin = move || {
            if ended.recv_timeout(patience) == Err(RecvTimeoutError::Timeout)
                && let Some(bar) = weak.upgrade()
            {
                bar.set_draw_target(target);
                bar.enable_steady_tick(INTERVAL);
            }
        };
        // Without a thread nothing is drawn.
        let thread = thread::Builder::new().name("progress".to_owned());
        progress.beginning = thread.spawn(begin).ok().map(|thread| (end, thread));
        progress
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.beginning.take() {
            drop(end);
            // The thread does not panic, and nothing may be drawn after the end.
            let _ = thread.join();
            self.bar.finish_and_clear();
        }
    }
}

/// Writes to standard error while the line is cleared.
pub(crate) fn undrawn<T>(write: impl FnOnce() -> T) -> T {
    let drawn = DRAWN.lock();
    let bar = drawn.as_ref().and_then(WeakProgressBar::upgrade);
    drop(drawn);
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Shows the name of `work` and how long it has taken.
pub(crate) fn during<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let progress = Progress::alone(move |elapsed| format!("{what}, {} s", elapsed.as_secs()));
    let done = work();
    drop(progress);
    done
}

pub(crate) struct Counting<const N: usize = 1> {
    counts: Arc<[AtomicU64; N]>,
    start: Instant,
    /// `None` in a quiet run, which shows no totals either.
    progress: Option<Progress>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawing {
    /// Nowhere, because the run is quiet.
    Nothing,
    /// As [`Progress::alone`].
    Alone,
    /// As [`Progress::beside_answers`].
    BesideAnswers,
}

impl Drawing {
    /// Returns where to draw beside an output: a file, or standard output.
    pub(crate) fn beside(file: Option<&Path>) -> Self {
        file.map_or(Self::BesideAnswers, |_| Self::Alone)
    }

    /// Returns nothing if the run is quiet.
    pub(crate) fn unless(self, quiet: bool) -> Self {
        if quiet { Self::Nothing } else { self }
    }
}

impl<const N: usize> Counting<N> {
    /// Starts counting. `line` gets the numbers and the time since the start.
    pub(crate) fn new(
        drawing: Drawing,
        line: impl Fn([u64; N], Duration) -> String + Send + Sync + 'static,
    ) -> Self {
        let counts = Arc::new([const { AtomicU64::new(0) }; N]);
        let shown = Arc::clone(&counts);
        let line = move |elapsed| {
            line(
                shown.each_ref().map(|it| it.load(Ordering::Relaxed)),
                elapsed,
            )
        };
        let progress = match drawing {
            Drawing::Nothing => None,
            Drawing::Alone => Some(Progress::alone(line)),
            Drawing::BesideAnswers => Some(Progress::beside_answers(line)),
        };
        Self {
            counts,
            start: Instant::now(),
            progress,
        }
    }

    pub(crate) fn add(&self, index: usize, more: u64) {
        self.counts[index].fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn set(&self, index: usize, count: u64) {
        self.counts[index].store(count, Ordering::Relaxed);
    }

    #[cfg(test)]
    pub(crate) fn counts(&self) -> [u64; N] {
        self.counts.each_ref().map(|it| it.load(Ordering::Relaxed))
    }

    /// Clears the line. Prints `totals`, the time it took, and `count` for each second, unless the
    /// run is quiet.
    pub(crate) fn finish(self, totals: fmt::Arguments<'_>, count: u64) {
        if self.progress.is_some() {
            drop(self.progress);
            let elapsed = self.start.elapsed();
            let (seconds, rate) = (elapsed.as_secs_f64(), Rate(count, elapsed));
            // If standard error is closed, there is nowhere to report it.
            let _ = writeln!(io::stderr().lock(), "{totals}{seconds:.2} s, {rate}");
        }
    }
}

impl Counting {
    /// Shows the number, then `what`, and the rate.
    pub(crate) fn beside_answers(what: &'static str) -> Self {
        Self::of(Drawing::BesideAnswers, what)
    }

    /// As [`Counting::beside_answers`], drawn elsewhere.
    pub(crate) fn of(drawing: Drawing, what: &'static str) -> Self {
        Self::new(drawing, move |[count], elapsed| {
            format!("{} {what}, {}", HumanCount(count), Rate(count, elapsed))
        })
    }

    pub(crate) fn add_one(&self) {
        self.add(0, 1);
    }
}

pub(crate) struct Rate(pub(crate) u64, pub(crate) Duration);

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, elapsed) = self;
        write!(f, "{}/s", HumanCount(each_second(*count, *elapsed)))
    }
}

pub(crate) fn each_second(count: u64, elapsed: Duration) -> u64 {
    let each_second = u128::from(count) * 1_000_000 / elapsed.as_micros().max(1);
    u64::try_from(each_second).unwrap_or(u64::MAX)
}

pub(crate) fn seconds_since(start: Instant) -> String {
    format!("{} s", start.elapsed().as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::mpsc::Receiver;

    use indicatif::TermLike;

    /// A terminal that sends what is done to it.
    #[derive(Debug)]
    struct Watched(Sender<String>);

    impl Watched {
        fn send(&self, what: &str) -> io::Result<()> {
            let sent = self.0.send(what.to_owned());
            sent.map_err(io::Error::other)
        }
    }

    impl TermLike for Watched {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.send(line)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.send(text)
        }

        fn clear_line(&self) -> io::Result<()> {
            self.send("cleared")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn wait_for(written: &Receiver<String>, text: &str) {
        while !written.recv().unwrap().contains(text) {}
    }

    #[test]
    fn a_line_is_drawn_and_cleared() {
        let (sender, written) = mpsc::channel();
        let target = ProgressDrawTarget::term_like(Box::new(Watched(sender.clone())));
        let line = |elapsed: Duration| format!("a line {}", elapsed < Duration::MAX);
        let progress = Progress::begin(target, Duration::ZERO, line);
        wait_for(&written, "a line true");
        undrawn(|| sender.send("a note".to_owned()).unwrap());
        let mut before = String::new();
        loop {
            let next = written.recv().unwrap();
            if next == "a note" {
                break;
            }
            before = next;
        }
        assert_eq!(before, "cleared");
        wait_for(&written, "a line true");
        drop(progress);
        drop(sender);
        assert_eq!(written.iter().last().as_deref(), Some("cleared"));
        // Without progress a note is written all the same.
        assert_eq!(undrawn(|| 1), 1);
    }

    #[test]
    fn what_ends_soon_draws_nothing() {
        let (sender, written) = mpsc::channel();
        let target = ProgressDrawTarget::term_like(Box::new(Watched(sender)));
        drop(Progress::begin(target, Duration::MAX, |_| {
            "a line".to_owned()
        }));
        assert_eq!(written.iter().count(), 0);
    }

    #[test]
    fn a_rate_is_a_number_each_second() {
        assert_eq!(Rate(10, Duration::from_millis(5)).to_string(), "2,000/s");
        assert_eq!(Rate(0, Duration::ZERO).to_string(), "0/s");
        assert_eq!(Rate(1, Duration::MAX).to_string(), "0/s");
        let most = u64::MAX;
        assert!(
            Rate(most, Duration::ZERO)
                .to_string()
                .starts_with("18,446,")
        );
    }
}
