//! Work on all processors.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maps each item in parallel, and keeps the order. `work` also gets the number of its thread.
pub(crate) fn map<I: Sync, R: Send>(items: &[I], work: impl Fn(usize, &I) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(items.iter().enumerate());
    let results = Mutex::new(Vec::new());
    let worker = |number| {
        let take = || locked(&next).next();
        while let Some((nth, item)) = take() {
            let result = work(number, item);
            locked(&results).push((nth, result));
        }
    };
    thread::scope(|scope| {
        for number in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(move || worker(number));
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(nth, _)| *nth);
    results.into_iter().map(|(_, result)| result).collect()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
