//! `Retirement`: how a connection that is read from elsewhere is made to end.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// Whether a connection is to end, and who is to be told.
#[derive(Debug, Default)]
pub(crate) struct Retirement(Mutex<State>);

#[derive(Debug)]
enum State {
    InService(Option<Waker>),
    Retired,
}

impl Default for State {
    fn default() -> Self {
        Self::InService(None)
    }
}

impl Retirement {
    /// Ends it, and tells its reader.
    pub(crate) fn retire(&self) {
        let before = std::mem::replace(&mut *self.lock(), State::Retired);
        if let State::InService(Some(reader)) = before {
            reader.wake();
        }
    }

    /// Whether it is to end; else the reader is told as soon as it is.
    pub(crate) fn is_due(&self, reader: &Context<'_>) -> bool {
        match &mut *self.lock() {
            State::Retired => true,
            State::InService(waiting) => {
                *waiting = Some(reader.waker().clone());
                false
            }
        }
    }

    /// Nothing that holds the lock panics halfway.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
