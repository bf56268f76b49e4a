//! Progress of fetches, and notes about results that could not be stored.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use verger_access::{Answer, Authority};
use verger_client::{Fetched, Observer, Shortage};
use verger_store::{StoreError, UnpoisonedMutex};

use crate::screen::message::Message;
use crate::screen::notice;
use crate::screen::progress::{PATIENCE, Progress, Rate, seconds_since};

/// A progress line: how many files were fetched, and which fetch is the oldest.
pub(crate) struct FetchProgress {
    start: Instant,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    answered: AtomicU64,
    fetched: AtomicU64,
    /// The fetches in flight, the oldest first.
    in_flight: UnpoisonedMutex<Vec<(Authority, Instant)>>,
}

const NAME_CHARACTERS_MAX: usize = 40;

impl FetchProgress {
    pub(crate) fn start() -> Self {
        Self {
            start: Instant::now(),
            seen: Arc::default(),
        }
    }

    /// Shows progress of `work` once a second has passed since the start.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let (start, seen) = (self.start, Arc::clone(&self.seen));
        let patience = PATIENCE.saturating_sub(start.elapsed());
        let progress = Progress::after(patience, move |_| seen.line(start.elapsed()));
        let done = work();
        drop(progress);
        done
    }

    pub(crate) fn answered(&self) {
        self.seen.answered.fetch_add(1, Ordering::Relaxed);
    }
}

impl Seen {
    fn line(&self, elapsed: Duration) -> String {
        let fetched = self.fetched.load(Ordering::Relaxed);
        let answered = self.answered.load(Ordering::Relaxed);
        let urls = match answered {
            0 => String::new(),
            1 => "1 URL answered; ".to_owned(),
            answered => format!("{} URLs answered; ", HumanCount(answered)),
        };
        let in_flight = self.in_flight.lock();
        let oldest = in_flight.first().map(|(authority, since)| {
            let name = authority.to_string();
            let name: String = name.chars().take(NAME_CHARACTERS_MAX).collect();
            format!("; waiting for {name}, {}", seconds_since(*since))
        });
        format!(
            "{urls}robots.txt: {} fetched, {}, {} in flight{}",
            HumanCount(fetched),
            Rate(fetched, elapsed),
            in_flight.len(),
            oldest.unwrap_or_default()
        )
    }

    fn land(&self, authority: &Authority) {
        let mut in_flight = self.in_flight.lock();
        if let Some(place) = in_flight.iter().position(|(begun, _)| begun == authority) {
            in_flight.remove(place);
        }
    }
}

impl Observer for FetchProgress {
    fn begun(&self, authority: &Authority) {
        let begun = (authority.clone(), Instant::now());
        self.seen.in_flight.lock().push(begun);
    }

    fn ended(&self, authority: &Authority, _: &Fetched, _: &Answer) {
        self.seen.fetched.fetch_add(1, Ordering::Relaxed);
        self.seen.land(authority);
    }

    fn cut_short(&self, authority: &Authority, _: &Shortage) {
        self.seen.land(authority);
    }

    fn waiting(&self, authority: &Authority, holder: &str, longest: Duration) {
        let url = authority.robots_url();
        // Rounded up to whole seconds.
        let seconds = longest.as_millis().div_ceil(1000);
        notice::note(format_args!(
            "waiting up to {seconds} s: {holder} is fetching {url}"
        ));
    }

    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        notice::note(Message::from_text(format_args!(
            "the result for {authority} is not stored: {error}"
        )));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_is_waited_for() {
        let progress = FetchProgress::start();
        let line = || progress.seen.line(Duration::from_secs(2));
        assert_eq!(line(), "robots.txt: 0 fetched, 0/s, 0 in flight");
        let authorities = [
            "https://a.example",
            "https://b.example",
            "https://a.example",
        ];
        for authority in authorities {
            progress.begun(&Authority::from_url(authority).unwrap());
        }
        let line = line();
        let start = "robots.txt: 0 fetched, 0/s, 3 in flight; waiting for https://a.example, ";
        assert!(line.starts_with(start), "{line}");
        progress.answered();
        let line = progress.seen.line(Duration::from_secs(2));
        assert!(
            line.starts_with("1 URL answered; robots.txt: 0 fetched"),
            "{line}"
        );
    }
}
