//! `UnpoisonedMutex`: a mutex that stays usable after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutex that stays usable after a panic. A panic must leave no half-made change.
#[derive(Debug, Default)]
pub struct UnpoisonedMutex<T>(Mutex<T>);

impl<T> UnpoisonedMutex<T> {
    /// Creates a mutex.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Waits for the lock.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
