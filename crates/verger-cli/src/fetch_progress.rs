//! How far fetching is, on standard error; and what could not be kept.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use verger_access::{Answer, Authority};
use verger_client::{Fetched, Observer};
use verger_store::StoreError;

use crate::notice;

/// Nothing is told of what is over sooner.
const PATIENCE: Duration = Duration::from_secs(1);

const INTERVAL: Duration = Duration::from_millis(250);

/// Erases the line and goes back to its start.
const ERASE: &str = "\r\x1b[K";

/// Tells how far fetching is, where somebody looks on.
pub(crate) struct FetchProgress {
    is_shown: bool,
    state: Mutex<State>,
}

struct State {
    begun: u64,
    ended: u64,
    /// When it is told next.
    next: Instant,
    is_told: bool,
}

impl FetchProgress {
    /// Told on a terminal only.
    pub(crate) fn start() -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            state: Mutex::new(State {
                begun: 0,
                ended: 0,
                next: Instant::now() + PATIENCE,
                is_told: false,
            }),
        }
    }

    /// Makes way for other lines.
    pub(crate) fn clear(&self) {
        self.change(State::clear);
    }

    /// Changes the state, which is whole between calls, whoever panicked.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn count(&self, count: impl FnOnce(&mut State)) {
        self.change(|state| {
            count(state);
            let now = Instant::now();
            if self.is_shown && now >= state.next {
                state.next = now + INTERVAL;
                state.is_told = true;
                let State { begun, ended, .. } = state;
                let under_way = begun.saturating_sub(*ended);
                let mut stderr = io::stderr().lock();
                // Nobody is left to be told that standard error is closed.
                let _ = write!(
                    stderr,
                    "{ERASE}robots.txt files: {ended} asked for, {under_way} under way"
                );
            }
        });
    }
}

impl State {
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_told) {
            let _ = write!(io::stderr().lock(), "{ERASE}");
        }
        self.next = Instant::now() + PATIENCE;
    }
}

impl Observer for FetchProgress {
    fn begun(&self, _: &Authority) {
        self.count(|state| state.begun += 1);
    }

    fn ended(&self, _: &Authority, _: &Fetched, _: &Answer) {
        self.count(|state| state.ended += 1);
    }

    fn not_kept(&self, authority: &Authority, error: &StoreError) {
        self.change(|state| {
            state.clear();
            notice::note(format_args!(
                "what was fetched from {authority} could not be kept: {error}"
            ));
        });
    }
}
