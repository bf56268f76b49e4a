use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Ends a watch, from any thread.
#[derive(Debug, Default)]
pub struct WatchEnd {
    state: Mutex<EndState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
enum EndState {
    #[default]
    Running,
    Asked,
    /// A receiver has closed.
    Gone(io::Error),
}

impl WatchEnd {
    /// Asks the watch to end. Deliveries in flight are finished. The others stay due.
    pub fn end(&self) {
        self.replace(EndState::Asked);
    }

    pub(crate) fn gone(&self, error: io::Error) {
        self.replace(EndState::Gone(error));
    }

    fn replace(&self, state: EndState) {
        let mut now = self.lock();
        if matches!(*now, EndState::Running) {
            *now = state;
        }
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, EndState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether the watch must end.
    pub(crate) fn is_ended(&self) -> bool {
        !matches!(*self.lock(), EndState::Running)
    }

    /// Waits for `length`. Returns whether the watch must end.
    pub(crate) fn wait(&self, length: Duration) -> bool {
        let is_running = |state: &mut EndState| matches!(state, EndState::Running);
        let waited = (self.changed).wait_timeout_while(self.lock(), length, is_running);
        let mut state = waited.map_or_else(|it| it.into_inner().0, |it| it.0);
        !is_running(&mut state)
    }

    /// Returns the error of the receiver that has closed, once.
    pub(crate) fn error(&self) -> Option<io::Error> {
        let mut state = self.lock();
        match std::mem::replace(&mut *state, EndState::Asked) {
            EndState::Gone(error) => Some(error),
            EndState::Running => {
                *state = EndState::Running;
                None
            }
            EndState::Asked => None,
        }
    }
}
